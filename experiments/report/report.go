// Package report makes a page of a store: tables, charts, claims and all runs (Build).
package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/experiments/compare"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
	"github.com/asp2vec/asp2vec/results/webpage"
)

// Title is the title of the page.
const Title = "asp2vec: measured results"

// Build puts a page together from the records of a store, the tables that are projections of them, the claims judged
// over them, and figures, SVG by name. It begins with runs on data of the user's own, and leaves out what was never run. Failed and interrupted runs are listed and counted, and shown nowhere else; of several
// records of one run the last one counts. It returns an error for learning curves that cannot be drawn.
func Build(records []results.Record, tables []render.Table, claims []compare.Claim, figures map[string][]byte) (webpage.Page, error) {
	s := newShown(records)
	curves, err := s.curves()
	if err != nil {
		return webpage.Page{}, err
	}
	page := webpage.Page{
		Title: Title,
		Lead: []string{
			"Multi-aspect network embedding: Park, Yang, Zhu, Kim, Yu and Han, “Unsupervised Differentiable Multi-aspect Network Embedding”, KDD 2020, arXiv:2006.04239.",
			"Scores are areas under the ROC curve (AUC) of link prediction on the test links. Every number here is computed from the records of runs. Under the protocol “paper” the epoch is chosen on the test links, as published, which makes the score too high; under “validated” it is chosen on held-out training links; under “standard” it is not chosen, because training ends after a fixed number of pairs. For every such AUC, the record also has that of the product of degrees, which is not trained (auc_degrees). On DBLP, authors of papers are ranked among other candidates (Tables 5 and 6), and other test papers are used instead of held-out links.",
		},
		Facts:     s.facts(),
		Own:       s.own(),
		ClaimRule: compare.VerdictRule,
		Claims:    pageClaims(claims),
		Tables:    measured(tables),
		Curves:    curves,
		CurveNote: "AUC and loss after each epoch, warm-up first and thin; one line per seed, with a mark at the reported epoch. " +
			"Runs with the defaults of their protocol are shown, or, for a method without such runs, those with the most seeds. Methods that choose by the training loss, or not at all, have no curve.",
		Listings: s.listings(),
	}
	page.Figures = seq.Map(slices.Sorted(maps.Keys(figures)), func(name string) webpage.Figure {
		return webpage.Figure{Name: name, Caption: caption(name), SVG: figures[name]}
	})
	return page, nil
}

// caption says what a figure shows whose name begins as those of the paper's figures do.
func caption(name string) string {
	switch {
	case strings.HasPrefix(name, "figure4"):
		return name + ": variance of a vertex's distribution over aspects against its frequency in the walks (Figure 4 of the paper)"
	case strings.HasPrefix(name, "figure5"):
		return name + ": mean cosine of each pair of aspects of a vertex (Figure 5 of the paper)"
	}
	return name
}

// measured returns tables without the columns and rows of which nothing was run, and without tables that have no number of ours.
func measured(tables []render.Table) (all []render.Table) {
	for _, t := range tables {
		if t.Seeds() == 0 {
			continue
		}
		any := func(values ...render.Value) bool {
			return slices.ContainsFunc(values, func(v render.Value) bool { return v.N > 0 || v.Text != "" })
		}
		columns := seq.Filter(seq.Upto(len(t.Columns)), func(j int) bool {
			return slices.ContainsFunc(t.Rows, func(r render.Row) bool { return any(r.Values[j]) })
		})
		some := t
		some.Columns = seq.Map(columns, func(j int) string { return t.Columns[j] })
		some.Rows = seq.Map(t.Rows, func(r render.Row) render.Row {
			return render.Row{Label: r.Label, Values: seq.Map(columns, func(j int) render.Value { return r.Values[j] })}
		})
		some.Rows = seq.Filter(some.Rows, func(r render.Row) bool { return any(r.Values...) })
		if len(some.Rows) > 0 {
			all = append(all, some)
		}
	}
	return all
}

// own lists what runs on data of the user's own came to, the last data set first, and of each the settings with the highest score on what
// chooses, or else on the test links.
func (s shown) own() []webpage.Listing {
	l := webpage.Listing{Title: "Your networks", Text: "Mean ± standard deviation over seeds. For each network the best comes first, by the score that settings are chosen by if there is one.",
		Columns: []string{"Network", "Method", "Protocol", "Options other than the defaults", "Seeds", "Chosen on", "Score there", "Test AUC", "Last run"}}
	type line struct {
		network      string
		last         time.Time
		choice, test render.Value
		words        []string
	}
	var lines []line
	latest := map[string]time.Time{}
	for first := 0; first < len(s.runs); {
		r := s.runs[first]
		var choice, test []float64
		x := line{network: r.Dataset.Name}
		on, end := "", first
		for ; end < len(s.runs) && s.runs[end].job.Group() == r.job.Group(); end++ {
			each := s.runs[end]
			if score, chosen := store.ChosenBy(each.Record); chosen != "" {
				choice, on = append(choice, score), chosen
			}
			if auc, ok := each.Metrics["auc"]; ok && auc == auc {
				test = append(test, auc)
			}
			if each.Finished.After(x.last) {
				x.last = each.Finished
			}
		}
		x.choice, x.test = render.ValueOf(choice), render.ValueOf(test)
		x.words = []string{x.network, r.Method, r.Protocol, r.special, fmt.Sprint(end - first), on, render.Spread(x.choice), render.Spread(x.test), x.last.Format(time.DateOnly)}
		if _, err := network.Lookup(x.network); err != nil {
			lines = append(lines, x)
			if x.last.After(latest[x.network]) {
				latest[x.network] = x.last
			}
		}
		first = end
	}
	slices.SortStableFunc(lines, func(a, b line) int {
		return cmp.Or(latest[b.network].Compare(latest[a.network]), strings.Compare(a.network, b.network), cmp.Compare(b.choice.Mean, a.choice.Mean), cmp.Compare(b.test.Mean, a.test.Mean))
	})
	if l.Rows = seq.Map(lines, func(x line) []string { return x.words }); len(l.Rows) == 0 {
		return nil
	}
	return []webpage.Listing{l}
}

// pageClaims puts the verdicts under several protocols together. A claim of which nothing was run is left out.
func pageClaims(claims []compare.Claim) []webpage.Claim {
	var out []webpage.Claim
	tested := map[string]bool{}
	for _, c := range claims {
		name, _, _ := strings.Cut(c.Name, "/")
		tested[name] = tested[name] || len(c.Evidence) > 0
	}
	for _, c := range claims {
		name, protocol, _ := strings.Cut(c.Name, "/")
		if !tested[name] {
			continue
		}
		i := slices.IndexFunc(out, func(p webpage.Claim) bool { return p.Name == name })
		if i < 0 {
			i = len(out)
			out = append(out, webpage.Claim{Name: name, Text: c.Text})
		}
		out[i].Verdicts = append(out[i].Verdicts, webpage.Verdict{Protocol: protocol, Verdict: c.Verdict, Evidence: c.Evidence})
	}
	return out
}

// shown are the runs that a page is about.
type shown struct {
	runs   []shownRun       // one for each key, by network, method, protocol, options and seed
	failed []results.Record // failed and interrupted

	conflicts, foreign, older int
}

type shownRun struct {
	results.Record
	job     store.Job
	special string // options other than the defaults of its method and protocol
}

func newShown(records []results.Record) shown {
	runs := store.NewRuns(records)
	s := shown{conflicts: len(runs.Conflicts), foreign: runs.Foreign, older: runs.CountOlder()}
	seen := map[string]bool{}
	for _, r := range records {
		j, err := store.JobOf(r)
		if err != nil {
			continue
		}
		if r.Error != "" || r.Interrupted {
			s.failed = append(s.failed, r)
			continue
		}
		if record, ok := runs.Find(j); ok && !seen[j.Key()] {
			seen[j.Key()] = true
			s.runs = append(s.runs, shownRun{record, j, j.Settings()})
		}
	}
	slices.SortStableFunc(s.runs, func(a, b shownRun) int {
		return cmp.Or(store.CompareNetworks(a.Dataset.Name, b.Dataset.Name), store.CompareMethods(a.Method, b.Method), cmp.Compare(a.Protocol, b.Protocol),
			cmp.Compare(a.special, b.special), cmp.Compare(a.Seed, b.Seed))
	})
	return s
}

func (s shown) facts() []webpage.Fact {
	networks, methods, protocols := distinct{}, distinct{}, distinct{}
	var first, last time.Time
	for _, r := range s.runs {
		networks.add(r.Dataset.Name)
		methods.add(r.Method)
		protocols.add(r.Protocol)
		if first.IsZero() || r.Started.Before(first) {
			first = r.Started
		}
		if r.Finished.After(last) {
			last = r.Finished
		}
	}
	facts := []webpage.Fact{
		{Name: "Runs", Value: fmt.Sprint(len(s.runs))},
		{Name: "Networks", Value: networks.list(store.CompareNetworks)},
		{Name: "Methods", Value: methods.list(store.CompareMethods)},
		{Name: "Protocols", Value: protocols.list(strings.Compare)},
	}
	if !first.IsZero() {
		measured := first.Format(time.DateOnly)
		if end := last.Format(time.DateOnly); end != measured {
			measured += " to " + end
		}
		facts = append(facts, webpage.Fact{Name: "Measured", Value: measured})
	}
	for _, left := range []struct {
		name  string
		count int
	}{{"Failed or interrupted", len(s.failed)}, {"Contradictory records", s.conflicts}, {"Records not understood", s.foreign}, {"Of an older definition of the method", s.older}} {
		if left.count > 0 {
			facts = append(facts, webpage.Fact{Name: left.name, Value: fmt.Sprint(left.count)})
		}
	}
	return facts
}

// distinct counts things by name.
type distinct map[string]int

// add counts one.
func (d distinct) add(name string) { d[name]++ }

// list returns the names in an order if they are few, else how many there are.
func (d distinct) list(order func(a, b string) int) string {
	if len(d) > 6 {
		return fmt.Sprint(len(d))
	}
	return strings.Join(slices.SortedFunc(maps.Keys(d), order), ", ")
}
