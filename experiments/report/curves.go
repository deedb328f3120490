package report

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
	"github.com/asp2vec/asp2vec/results/render"
	"github.com/asp2vec/asp2vec/results/webpage"
)

// curves returns a picture of learning curves for every network and protocol whose epochs are scored.
func (s shown) curves() (all []webpage.Figure, err error) {
	type place struct{ network, protocol string }
	var places []place
	drawn := map[place][]shownRun{}
	for _, r := range s.runs {
		if !slices.ContainsFunc(r.Epochs, func(e results.Epoch) bool { return e.ValidationAUC != nil || e.TestAUC != nil }) {
			continue
		}
		p := place{r.Dataset.Name, r.Protocol}
		if drawn[p] == nil {
			places = append(places, p)
		}
		drawn[p] = append(drawn[p], r)
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(store.CompareNetworks(a.network, b.network), cmp.Compare(a.protocol, b.protocol))
	})
	for _, p := range places {
		title := render.Printable(p.network + ", " + p.protocol)
		picture, err := plot.DrawCurves([]plot.CurvePanel{{Title: title, Series: series(drawn[p])}})
		if err != nil {
			return nil, fmt.Errorf("report: learning curves of %s: %w", title, err)
		}
		var b bytes.Buffer
		if err := picture.Encode(&b, "svg"); err != nil {
			return nil, err
		}
		all = append(all, webpage.Figure{Name: title, Caption: title + ": AUC and loss after each epoch", SVG: b.Bytes()})
	}
	return all, nil
}

// series returns, for each method, the runs at its defaults, or else those with the options that most of its runs have.
func series(runs []shownRun) (all []plot.CurveSeries) {
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
		one := plot.CurveSeries{Name: runs[i].Method}
		if m, err := methods.Find(one.Name); err == nil {
			one.Name = m.Title
		}
		if chosen != "" {
			one.Name += " (" + chosen + ")"
		}
		one.Name = render.Printable(one.Name)
		same := seq.Filter(runs[i:end], func(r shownRun) bool { return r.special == chosen })
		one.Records = seq.Map(same, func(r shownRun) results.Record { return r.Record })
		all = append(all, one)
		i = end
	}
	return all
}
