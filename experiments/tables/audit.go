package tables

import (
	"maps"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// untrained returns the rows of rankings that need no training: none where no record has them. Those that depend on the seed, as word
// vectors do, have a mean over the seeds.
func untrained(metrics []string, baselines map[string]map[uint64]results.Metrics) (rows []render.Row) {
	for _, name := range hetnet.UntrainedNames() {
		seeds := slices.Sorted(maps.Keys(baselines[name]))
		if len(seeds) == 0 {
			continue
		}
		same := !slices.ContainsFunc(seeds, func(s uint64) bool { return !maps.Equal(baselines[name][s], baselines[name][seeds[0]]) })
		if same {
			seeds = seeds[:1]
		}
		rows = append(rows, render.Row{Label: name + ", not trained", Values: seq.Map(metrics, func(metric string) render.Value {
			var scores []float64
			for _, s := range seeds {
				if x, ok := baselines[name][s][MetricKey(metric)]; ok {
					scores = append(scores, x)
				}
			}
			return render.ValueOf(scores)
		})})
	}
	return rows
}

// audit is what a table's notes say of its runs.
type audit struct {
	seeds, lost int
	baselines   map[string]map[uint64]results.Metrics // by name and seed
	spreads     []spread
}

// spread is how far apart the scores lie that select an aspect in the runs of a row, a mean.
type spread struct {
	row string
	of  float64
}

func (s spread) alike() bool { return s.of < results.LeastSpread }

// look takes in the runs of a data set; baselines are the same in all runs of a seed, and the latest record has the last word.
func (p *projection) look(d source.DataSet) {
	if !p.Typed() {
		return
	}
	for _, c := range p.Columns {
		var spreads []float64
		for _, seed := range p.Part.Seeds {
			_, r, ok := p.runs.Shown(c.Jobs(d, p.protocol, seed))
			if !ok {
				continue
			}
			if r.AspectSpread != nil {
				spreads = append(spreads, float64(*r.AspectSpread))
			}
			if r.Baselines != nil && p.seen.baselines == nil {
				p.seen.baselines = map[string]map[uint64]results.Metrics{}
			}
			for name, m := range r.Baselines { // an older record may lack one
				if p.seen.baselines[name] == nil {
					p.seen.baselines[name] = map[uint64]results.Metrics{}
				}
				p.seen.baselines[name][seed] = m
			}
		}
		if spreads != nil {
			p.seen.spreads = append(p.seen.spreads, spread{c.Name, render.ValueOf(spreads).Mean})
		}
	}
}
