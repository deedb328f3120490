package store

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// BestSetting is a setting among those that were compared on a data set, by what the links or papers that choose epochs, or that are held out
// from a run, say of it.
type BestSetting struct {
	Dataset  string            `json:"dataset"`
	Method   string            `json:"method"`
	Protocol string            `json:"protocol"`
	Options  map[string]string `json:"options"`        // that differ from the protocol's
	Flags    string            `json:"flags"`          // all of that, as train takes it
	Choice   render.Value      `json:"choice"`         // over seeds
	ChosenOn string            `json:"chosen_on"`      // what Choice is of
	Test     render.Value      `json:"test"`           // score on test links or pairs; of a run with links held out that of the same setting without
	Compared int               `json:"compared"`       // settings, this one among them
	Fewer    int               `json:"fewer"`          // others that were left out, since they have fewer seeds
	Rank     int               `json:"rank"`           // from 1
	Only     bool              `json:"only,omitempty"` // it was compared with nothing
}

// Best returns for each data set the settings that score best by validation, up to top of them, the best first. Settings are compared where
// they were chosen by the same kind of links, of the same data, with as many seeds as the one with most. Test links have no say in it, and runs
// whose epochs they chose are left out. top is at least 1.
func (r *Runs) Best(top int, pass func(Job) bool) []BestSetting {
	type contest struct {
		dataset      string
		data         run.Checksums
		on, choosing string
		holdOut      float64
	}
	groups := map[contest][]BestSetting{}
	var order []contest
	seen := map[string]bool{}
	for _, e := range seq.Flat(r.inOrder(), (*Entry).each) {
		record := e.Record
		setting := fmt.Sprint(e.Group, e.Run.Data, record.ScoreName())
		if seen[setting] || eval.Scorers.Get(record.ScoreName()).Untrained { // which no setting moves
			continue
		}
		seen[setting] = true
		j, err := JobOf(record)
		if err != nil || !pass(j) {
			continue
		}
		b, ok := r.setting(j)
		if !ok {
			continue
		}
		at := contest{b.Dataset, e.Run.Data, b.ChosenOn, j.Options.Select, j.Options.HoldOut}
		if _, begun := groups[at]; !begun {
			order = append(order, at)
		}
		groups[at] = append(groups[at], b)
	}
	var all []BestSetting
	for _, at := range order {
		list := groups[at]
		most := slices.MaxFunc(list, func(a, b BestSetting) int { return cmp.Compare(a.Choice.N, b.Choice.N) }).Choice.N
		whole := slices.DeleteFunc(slices.Clone(list), func(b BestSetting) bool { return b.Choice.N < most })
		slices.SortStableFunc(whole, func(a, b BestSetting) int { return cmp.Compare(b.Choice.Mean, a.Choice.Mean) })
		for i := range whole[:min(top, len(whole))] {
			b := whole[i]
			b.Rank, b.Compared, b.Fewer, b.Only = i+1, len(whole), len(list)-len(whole), len(whole) == 1
			all = append(all, b)
		}
	}
	slices.SortStableFunc(all, func(a, b BestSetting) int { return strings.Compare(a.Dataset, b.Dataset) })
	return all
}

// inOrder returns the entries by data set, method and what else tells them apart, so that ties fall the same way each time.
func (r *Runs) inOrder() (all []*Entry) {
	return slices.SortedFunc(maps.Values(r.byID), func(a, b *Entry) int {
		return cmp.Or(strings.Compare(a.Dataset.Name, b.Dataset.Name), strings.Compare(a.Method, b.Method), strings.Compare(a.Group, b.Group), cmp.Compare(a.Seed, b.Seed), a.Run.compare(b.Run))
	})
}

// setting returns what the runs of a job came to under every seed, and whether validation says something of them.
func (r *Runs) setting(j Job) (b BestSetting, ok bool) {
	var choice, test []float64
	add := func(record results.Record) {
		if x, there := TestScore(record.Metrics); there {
			test = append(test, x)
		}
	}
	for _, record := range r.Seeds(j) {
		score, on := ChosenBy(record)
		if on == "" || on == OnTest || record.Selection == results.TestBest {
			continue
		}
		choice, b.ChosenOn = append(choice, score), on
		add(record)
	}
	if onlyChooses(j) {
		test = nil
		j.Options.HoldOut = 0
		for _, record := range r.Seeds(j) {
			add(record)
		}
	}
	b.Dataset, b.Method, b.Protocol = j.Dataset, j.Options.Method.Name, j.Protocol
	b.Choice, b.Test, b.Options = render.ValueOf(choice), render.ValueOf(test), map[string]string{}
	flags := []string{"--method " + b.Method}
	if slices.Contains(run.Protocols, b.Protocol) {
		flags = append(flags, "--protocol "+b.Protocol)
	}
	for word := range strings.FieldsSeq(j.Settings()) {
		name, value, _ := strings.Cut(word, "=")
		b.Options[name] = value
		if value == "true" || value == "false" || value == "" {
			flags = append(flags, fmt.Sprintf("--%s=%s", name, value))
		} else {
			flags = append(flags, "--"+name+" "+value)
		}
	}
	b.Flags = strings.Join(flags, " ")
	return b, len(choice) > 0
}
