package report

import (
	"cmp"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/webpage"
)

// charts returns a chart of learning curves for every network, protocol and kind of links that epochs are scored on.
func (s shown) charts() []webpage.Chart {
	type place struct{ network, protocol, links string }
	var places []place
	drawn := map[place][]shownRun{}
	for _, r := range s.runs {
		if links := scoredOn(r.Record); links != "" {
			p := place{r.Dataset.Name, r.Protocol, links}
			if drawn[p] == nil {
				places = append(places, p)
			}
			drawn[p] = append(drawn[p], r)
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(store.CompareNetworks(a.network, b.network), cmp.Compare(a.protocol, b.protocol), cmp.Compare(a.links, b.links))
	})
	var charts []webpage.Chart
	for _, p := range places {
		c := webpage.Chart{Title: p.network + ", " + p.protocol + ": " + p.links + " AUC", X: "epoch", Y: p.links + " AUC"}
		c.Lines = seq.Map(plain(drawn[p]), curve)
		charts = append(charts, c)
	}
	return charts
}

// scoredOn says on which links the epochs of a run were scored, or "" for none.
func scoredOn(r results.Record) string {
	for _, e := range r.Epochs {
		switch {
		case e.ValidationAUC != nil:
			return "validation"
		case e.TestAUC != nil:
			return "test"
		}
	}
	return ""
}

// plain returns, for each method, the runs at its defaults, or else those with the options that most of its runs have.
func plain(runs []shownRun) []shownRun {
	var out []shownRun
	for i := 0; i < len(runs); {
		end := i
		count := distinct{}
		for ; end < len(runs) && runs[end].Method == runs[i].Method; end++ {
			count.add(runs[end].special)
		}
		chosen := runs[i].special // the defaults come first, if they are there
		for _, r := range runs[i:end] {
			if chosen != "" && count[r.special] > count[chosen] {
				chosen = r.special
			}
		}
		out = append(out, seq.Filter(runs[i:end], func(r shownRun) bool { return r.special == chosen })...)
		i = end
	}
	return out
}

// curve returns the scores of a run's epochs, in their order.
func curve(r shownRun) webpage.Line {
	line := webpage.Line{Name: r.Method, Style: max(0, store.MethodRank(r.Method)), Mark: -1}
	if m, err := methods.Find(r.Method); err == nil {
		line.Name = m.Title
	}
	if r.special != "" {
		line.Name += " (" + r.special + ")"
	}
	for i, e := range r.Epochs {
		auc := e.ValidationAUC
		if auc == nil {
			auc = e.TestAUC
		}
		if auc == nil {
			continue
		}
		if e.Stage == r.BestStage && e.Epoch == r.BestEpoch {
			line.Mark = len(line.Points)
		}
		line.Points = append(line.Points, webpage.Point{X: float64(i + 1), Y: *auc})
	}
	return line
}
