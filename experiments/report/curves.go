package report

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
	"github.com/asp2vec/asp2vec/results/render"
)

// learned is a run that has a curve.
type learned struct {
	results.Record
	settings string // options other than the defaults of its method and protocol
}

// Curves returns a picture of learning curves for every network and protocol whose epochs are scored.
func Curves(runs *store.Runs) (all []Picture) {
	type place struct{ network, protocol string }
	drawn := map[place][]learned{}
	for _, r := range runs.All() {
		scored := slices.ContainsFunc(r.Epochs, func(e results.Epoch) bool { return e.ValidationAUC != nil || e.TestAUC != nil })
		if j, err := store.JobOf(r); err == nil && scored {
			p := place{r.Dataset.Name, r.Protocol}
			drawn[p] = append(drawn[p], learned{r, j.Settings()})
		}
	}
	places := slices.SortedFunc(maps.Keys(drawn), func(a, b place) int {
		return cmp.Or(store.CompareNetworks(a.network, b.network), cmp.Compare(a.network, b.network), cmp.Compare(a.protocol, b.protocol))
	})
	for _, p := range places {
		title := render.Printable(p.network + ", " + p.protocol)
		picture := plot.DrawCurves([]plot.CurvePanel{{Title: title, Series: series(drawn[p])}})
		var b bytes.Buffer
		_ = picture.Encode(&b, "svg") // memory takes all
		all = append(all, Picture{title + ": AUC and loss after each epoch", b.Bytes()})
	}
	return all
}

// series returns, for each method, the runs at its defaults, or else those with the options that most of its runs have.
func series(runs []learned) (all []plot.CurveSeries) {
	slices.SortFunc(runs, func(a, b learned) int {
		return cmp.Or(store.CompareMethods(a.Method, b.Method), cmp.Compare(a.settings, b.settings), cmp.Compare(a.Seed, b.Seed))
	})
	for len(runs) > 0 {
		own := seq.Filter(runs, func(r learned) bool { return r.Method == runs[0].Method })
		count := map[string]int{}
		for _, r := range own {
			count[r.settings]++
		}
		chosen := own[0].settings // the defaults come first, if they are there
		for _, r := range own {
			if chosen != "" && count[r.settings] > count[chosen] {
				chosen = r.settings
			}
		}
		name := own[0].Method
		if m, err := methods.Find(name); err == nil {
			name = m.Title
		}
		if chosen != "" {
			name += " (" + chosen + ")"
		}
		same := seq.Filter(own, func(r learned) bool { return r.settings == chosen })
		all = append(all, plot.CurveSeries{Name: render.Printable(name), Records: seq.Map(same, func(r learned) results.Record { return r.Record })})
		runs = runs[len(own):]
	}
	return all
}
