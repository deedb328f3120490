package tables

import (
	"maps"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// untrained returns the rows of rankings that need no training: none where no record has them.
func untrained(metrics []string, baselines map[string]results.Metrics) (rows []render.Row) {
	for _, name := range []string{run.BaselinePopularity, run.BaselineTFIDF, run.BaselineWordMeans, run.BaselineNeighbours} {
		m, there := baselines[name]
		if !there {
			continue
		}
		row := render.Row{Label: name + ", not trained"}
		for _, metric := range metrics {
			row.Values = append(row.Values, render.Value{Mean: m[MetricKey(metric)], N: 1})
		}
		rows = append(rows, row)
	}
	return rows
}

// audit is what a table's notes say of its runs.
type audit struct {
	seeds, lost int
	collapsed   int // runs on word vectors that have collapsed
	baselines   map[string]results.Metrics
}

// look takes in the runs of a data set; baselines are the same in all of them, and the latest record has the last word.
func (p *projection) look(d source.DataSet) {
	for _, c := range p.Columns {
		for _, seed := range p.Part.Seeds {
			j, ok := p.runs.Pick(c.Jobs(d, p.protocol, seed), nil)
			if !ok || !p.Typed() {
				continue
			}
			r, _ := p.runs.Find(j)
			if r.Words != nil && r.Words.Collapsed {
				p.seen.collapsed++
			}
			if r.Baselines != nil && p.seen.baselines == nil {
				p.seen.baselines = map[string]results.Metrics{}
			}
			maps.Copy(p.seen.baselines, r.Baselines) // an older record may lack one
		}
	}
}
