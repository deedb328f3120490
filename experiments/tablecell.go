package experiments

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// band is how far from the paper's AUC a mean of asp2vec may be and still counts as reproduced, under the paper's protocol.
// An independent run of the authors' code was off by up to .012. Other methods and protocols have no band: what the paper did
// for the former is inferred, and the latter are not what it reports.
const band = 0.015

// sample is the AUC, or another metric, of a cell under one seed.
type sample struct {
	seed uint64
	auc  float64
}

// samples returns what there is of a metric of a cell, in the order of seeds, and how many of its runs have no finite number of it.
func (c column) samples(r *store.Runs, d source.DataSet, metric, protocol string, seeds []uint64) (all []sample, lost int) {
	for _, seed := range seeds {
		j, ok := r.Pick(c.jobs(d, protocol, seed), c.jobs(d, protocol, store.FirstSeed))
		if !ok {
			continue
		}
		record, _ := r.Find(j)
		auc, ok := record.Metrics[metric]
		if !ok || math.IsNaN(auc) || math.IsInf(auc, 0) {
			lost++
			continue
		}
		all = append(all, sample{seed, auc})
	}
	return all, lost
}

// gain returns, for each seed of both, how many percent the best of some cells is above another; none while one of them is
// missing altogether.
func gain(cells map[string][]sample, names []string, over string) []sample {
	var best []sample
	most := math.Inf(-1)
	for _, name := range names {
		mean, n := 0.0, len(cells[name])
		if n == 0 {
			return nil
		}
		for _, s := range cells[name] {
			mean += s.auc / float64(n)
		}
		if mean > most {
			best, most = cells[name], mean
		}
	}
	var all []sample
	for _, s := range best {
		for _, base := range cells[over] {
			if base.seed == s.seed && base.auc > 0 {
				all = append(all, sample{s.seed, 100 * (s.auc/base.auc - 1)})
			}
		}
	}
	return all
}

// value returns what a table shows of a cell.
func (c column) value(own []sample, paper results.Cell, protocol string) render.Value {
	v := render.Value{N: len(own), Printed: paper.Printed}
	numbers := make([]float64, len(own))
	for i, s := range own {
		numbers[i] = s.auc
	}
	switch len(numbers) {
	case 0:
	case 1:
		v.Mean = numbers[0]
	default:
		v.Mean, v.SD = stat.MeanStdDev(numbers, nil)
	}
	if paper.Numeric {
		v.Paper = &paper.Value
		judged := c.method == graphs.MethodAsp2vec && c.over == "" && !c.notJudged && protocol == "paper" && v.N > 0
		v.Outside = judged && math.Abs(v.Mean-paper.Value) > band
	}
	return v
}
