package tables

import (
	"math"

	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// band is how far from the paper's AUC a mean of asp2vec may be and still counts as reproduced, under the paper's protocol.
// An independent run of the authors' code was off by up to .012. Other methods and protocols have no band: what the paper did
// for the former is inferred, and the latter are not what it reports.
const band = 0.015

// Sample is the AUC, or another metric, of a cell under one seed.
type Sample struct {
	Seed  uint64
	Score float64
}

// Samples returns what there is of a metric of a cell, in the order of seeds, and how many of its runs have no finite number of it.
func Samples(c sweep.Column, r *store.Runs, d source.DataSet, metric, protocol string, seeds []uint64) (all []Sample, lost int) {
	for _, seed := range seeds {
		_, record, ok := r.Shown(c.Jobs(d, protocol, seed))
		if !ok {
			continue
		}
		auc, ok := record.Metrics[MetricKey(metric)]
		if !ok || math.IsNaN(auc) || math.IsInf(auc, 0) {
			lost++
			continue
		}
		all = append(all, Sample{seed, auc})
	}
	return all, lost
}

// gain returns, for each seed of both, how many percent the best of some cells is above another; none while one of them is
// missing altogether.
func gain(cells map[string][]Sample, names []string, over string) []Sample {
	var best []Sample
	most := math.Inf(-1)
	for _, name := range names {
		mean, n := 0.0, len(cells[name])
		if n == 0 {
			return nil
		}
		for _, s := range cells[name] {
			mean += s.Score / float64(n)
		}
		if mean > most {
			best, most = cells[name], mean
		}
	}
	var all []Sample
	for _, s := range best {
		for _, base := range cells[over] {
			if base.Seed == s.Seed && base.Score > 0 {
				all = append(all, Sample{s.Seed, 100 * (s.Score/base.Score - 1)})
			}
		}
	}
	return all
}

// Value returns what a table shows of a cell.
func Value(c sweep.Column, own []Sample, paper results.Cell, protocol string) render.Value {
	v := render.ValueOf(seq.Map(own, func(s Sample) float64 { return s.Score }))
	v.Printed = paper.Printed
	if paper.Numeric {
		v.Paper = &paper.Value
		judged := c.Method.Name == graphs.MethodAsp2vec && c.Over == "" && !c.NotJudged && protocol == "paper" && v.N > 0
		v.Outside = judged && math.Abs(v.Mean-paper.Value) > band
	}
	return v
}

// metricKeys are the names in records of the paper's metrics; others have the names of records.
var metricKeys = map[string]string{"Recall@5": "recall@5", "Recall@10": "recall@10", "F1@5": "f1@5", "F1@10": "f1@10", "AUC": "auc"}

// MetricKey returns the name in records of a metric.
func MetricKey(metric string) string {
	if key, ok := metricKeys[metric]; ok {
		return key
	}
	return metric
}
