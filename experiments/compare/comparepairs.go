package compare

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// comparand is a run of a set, with the options that its partner must have too.
type comparand struct {
	set    string
	record results.Record
	id     store.ID
	words  map[string]string
	own    map[string]bool // options that are as the run's protocol sets them for its method; nil unless the user names the method or the protocol
}

// pairing is a pair, with a of the first set.
type pairing struct{ a, b *comparand }

// freeOptions returns the options that may differ within a pair, by what the user names.
func freeOptions(named []string) map[string]bool {
	free := map[string]bool{"seed": true, "walks-in-memory": true} // the first is looked at by itself, the others change no number
	for _, name := range named {
		free[name] = true
	}
	if free["protocol"] {
		// What sets one protocol apart from another.
		for _, name := range differing(grid.OptionWords(graphs.Default()), grid.OptionWords(graphs.OptionsOf(graphs.MethodOf(graphs.MethodAsp2vec), graphs.Paper))) {
			free[name] = true
		}
	}
	return free
}

// differing returns the names whose values differ where both have one, sorted.
func differing(a, b map[string]string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if other, both := b[name]; both && a[name] != other {
			names = append(names, name)
		}
	}
	return names
}

// differing returns the options in which two runs differ that both read, sorted. What each has from its method's own defaults does not
// count where the user compares methods, nor what each has from its protocol where protocols are compared.
func (e *comparand) differing(o *comparand) []string {
	return slices.DeleteFunc(differing(e.words, o.words), func(name string) bool { return e.own[name] && o.own[name] })
}

// methodsOwn returns the options of a job that are those of its method under its protocol, but for dim: whoever compares vectors of
// different lengths should say so.
func methodsOwn(j store.Job) map[string]bool {
	o, ok := j.Usual()
	if !ok {
		return nil
	}
	standard, own := grid.OptionWords(o), map[string]bool{}
	for name, value := range grid.OptionWords(j.Options) {
		own[name] = name != "dim" && value == standard[name]
	}
	return own
}

// entries returns the runs of a side, and notes what is amiss with them.
func (c *Comparison) entries(set string, side Side, free map[string]bool) (entries []*comparand, err error) {
	picked := side.Filter.Pick(side.Records)
	runs := store.NewRuns(picked)
	if other := runs.Other; side.Versions || slices.Contains(side.Filter.Names(), "definition") || slices.Contains(side.Filter.Names(), "commit") {
		runs = store.RunsOfAnyDefinition(picked)
		if other > 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("%s: %d runs are of other code than this program", set, other))
		}
	}
	c.Contradictions = append(c.Contradictions, seq.Map(runs.Conflicts(), func(x store.Conflict) string { return contradiction(set, x) })...)
	stopped := seq.Count(picked, func(r results.Record) bool { return r.Error != "" || r.Interrupted })
	if stopped > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s: %d failed or interrupted runs are left out", set, stopped))
	}
	if runs.Foreign > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s: %d records whose options this version does not know are left out", set, runs.Foreign))
	}
	if n := runs.Other; n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%s: %d runs of other code than this program are left out: expected a filter on commit or definition, or two stores", set, n))
	}
	for id, record := range runs.All() {
		e := &comparand{set: set, record: record, id: id}
		j, err := store.JobOf(e.record)
		if err != nil {
			return nil, err
		}
		if m, err := methods.Find(e.record.Method); err == nil && j.Options.Scoring == m.Scorings[0] {
			j.Options.Scoring = graphs.ScoringNative // by another name
		}
		if e.words = grid.OptionWords(j.Options); free["method"] || free["protocol"] {
			e.own = methodsOwn(j)
		}
		for name := range free {
			delete(e.words, name)
		}
		entries = append(entries, e)
	}
	slices.SortStableFunc(entries, func(x, y *comparand) int {
		return cmp.Or(store.CompareNetworks(x.record.Dataset.Name, y.record.Dataset.Name), cmp.Compare(x.record.Seed, y.record.Seed))
	})
	return entries, nil
}

// contradiction says in which way two records of one run do not agree.
func contradiction(set string, c store.Conflict) string {
	where := fmt.Sprintf("%s: %s on %s, seed %d", set, c.Kept.Method, c.Kept.Dataset.Name, c.Kept.Seed)
	return fmt.Sprintf("%s: two records with AUC %v (commit %.8s, %s) and %v (commit %.8s, %s): the later one counts", where,
		c.Other.Metrics["auc"], c.Other.Code.Commit, c.Other.Host.Kernel, c.Kept.Metrics["auc"], c.Kept.Code.Commit, c.Kept.Host.Kernel)
}

// pair returns the pairs, by data set, seed and options, and notes the runs that have no partner.
func (c *Comparison) pair(setA, setB []*comparand) (pairs []pairing, err error) {
	setA, setB = c.measured(setA), c.measured(setB)
	type place struct {
		dataset string
		seed    uint64
	}
	index := func(set []*comparand) map[place][]*comparand {
		m := map[place][]*comparand{}
		for _, e := range set {
			p := place{e.record.Dataset.Name, e.record.Seed}
			m[p] = append(m[p], e)
		}
		return m
	}
	inA, inB := index(setA), index(setB)
	for _, side := range []struct {
		set   []*comparand
		other map[place][]*comparand
	}{{setA, inB}, {setB, inA}} {
		for _, e := range side.set {
			partners := seq.Filter(side.other[place{e.record.Dataset.Name, e.record.Seed}], func(o *comparand) bool {
				return len(e.differing(o)) == 0 && e.record.Dataset.SHA256 == o.record.Dataset.SHA256 && e.id.Data == o.id.Data
			})
			switch {
			case len(partners) > 1:
				return nil, ambiguous(e, partners)
			case len(partners) == 0:
				c.alone(e, side.other[place{e.record.Dataset.Name, e.record.Seed}])
			case e.set == "A":
				pairs = append(pairs, pairing{e, partners[0]})
			}
		}
	}
	// The same order whichever set is called A, since tests that draw go through it.
	text := func(p pairing) string {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(p.a.words)) {
			if _, both := p.b.words[name]; both {
				b.WriteString(name + "=" + p.a.words[name] + " ")
			}
		}
		return b.String()
	}
	slices.SortStableFunc(pairs, func(x, y pairing) int {
		rx, ry := x.a.record, y.a.record
		return cmp.Or(store.CompareNetworks(rx.Dataset.Name, ry.Dataset.Name), cmp.Compare(rx.Seed, ry.Seed), strings.Compare(text(x), text(y)))
	})
	return pairs, nil
}

// noMetrics is why a run on all links of a network is compared with none.
const noMetrics = "it had no test links, so nothing was measured"

// measured returns the runs that have the metric, as a finite number.
func (c *Comparison) measured(set []*comparand) []*comparand {
	return slices.DeleteFunc(slices.Clone(set), func(e *comparand) bool {
		x, ok := e.record.Metrics[c.Metric]
		switch {
		case len(e.record.Metrics) == 0:
			c.unpaired(e, noMetrics)
		case !ok || math.IsNaN(x) || math.IsInf(x, 0):
			c.unpaired(e, fmt.Sprintf("its record has no %q, only %s: expected --metric with one of these", c.Metric, strings.Join(slices.Sorted(maps.Keys(e.record.Metrics)), ", ")))
			return true
		}
		return !ok
	})
}

// alone notes a run without partner, and what is there in the other set on the same data set with the same seed.
func (c *Comparison) alone(e *comparand, others []*comparand) {
	if len(others) == 0 {
		c.unpaired(e, "the other set has no run on this data set with this seed")
		return
	}
	near := slices.MinFunc(others, func(x, y *comparand) int {
		return cmp.Compare(len(e.differing(x)), len(e.differing(y)))
	})
	names := e.differing(near)
	if slices.Contains(names, "method") {
		names = []string{"method"} // the rest follows from it
	}
	why := seq.Map(names, func(name string) string { return fmt.Sprintf("%s=%s, here %s", name, near.words[name], e.words[name]) })
	if len(why) == 0 {
		there, here := near.id.Data, e.id.Data
		if there == here { // of a network that each seed parts, by another rule
			there.Data, here.Data = near.record.Dataset.SHA256, e.record.Dataset.SHA256
		}
		why = []string{fmt.Sprintf("other data: checksum %v, here %v", there, here)}
	}
	c.unpaired(e, "the nearest run of the other set has "+strings.Join(why, "; "))
}

// unpaired notes a run without a partner, together with those of other seeds for the same reason.
func (c *Comparison) unpaired(e *comparand, why string) {
	for i, u := range c.Unpaired {
		if u.Set == e.set && u.Dataset == e.record.Dataset.Name && u.Why == why {
			if !slices.Contains(u.Seeds, e.record.Seed) {
				c.Unpaired[i].Seeds = append(u.Seeds, e.record.Seed)
			}
			return
		}
	}
	c.Unpaired = append(c.Unpaired, Unpaired{e.set, e.record.Dataset.Name, []uint64{e.record.Seed}, why})
}

// varying returns the options that both runs of every pair have and that are not the same in all pairs.
func varying(pairs []pairing) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(pairs[0].a.words)) {
		values := map[string]bool{}
		everywhere := true
		for _, p := range pairs {
			_, inA := p.a.words[name]
			_, inB := p.b.words[name]
			everywhere = everywhere && inA && inB
			values[p.a.words[name]] = true
		}
		if everywhere && len(values) > 1 {
			names = append(names, name)
		}
	}
	return names
}
