package experiments

import (
	"math"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
	"gonum.org/v1/gonum/stat"
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
func (c column) samples(r *Runs, dataset, metric, protocol string, seeds uint64) (all []sample, lost int) {
	for seed := uint64(1); seed <= seeds; seed++ {
		j, ok := r.pick(c.jobs(dataset, protocol, seed), c.jobs(dataset, protocol, firstSeed))
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

// firstSeed is the one under which a choice of options is made that the other seeds follow.
const firstSeed = 1

// pick returns the job that a cell shows, of which there is a record: the only one, or the best of several under their own
// seed, or else that one of them which is the best under the first seed.
func (r *Runs) pick(jobs, first []Job) (Job, bool) {
	i := 0
	if len(jobs) > 1 {
		var ok bool
		if i, ok = r.best(jobs); !ok {
			i, ok = r.best(first)
		}
		if !ok {
			return Job{}, false
		}
	}
	if len(jobs) == 0 {
		return Job{}, false
	}
	_, there := r.Find(jobs[i])
	return jobs[i], there
}

// best returns the index of the best of several jobs by the score that chose their epochs: only if all were tried, of which
// some may have failed, or if the choice was made when they ran. Where no links choose epochs it is by links held out under the
// first seed, for the jobs of that seed: of the jobs themselves there may be no record then.
func (r *Runs) best(jobs []Job) (best int, ok bool) {
	for i, j := range jobs {
		if record, found := r.Find(j); found && choseFrom(record, jobs) {
			return i, true
		}
	}
	if len(jobs) > 0 && jobs[0].Options.Select == graphs.SelectLast && jobs[0].Options.Seed != firstSeed {
		return 0, false
	}
	tried, most := 0, math.Inf(-1)
	for i, j := range trials(jobs) {
		record, found := r.Find(j)
		if !found {
			if _, failed := r.Failure(j); failed {
				tried++
			}
			continue
		}
		tried++
		if score := choosing(record); score > most {
			best, most = i, score
		}
	}
	return best, tried == len(jobs) && !math.IsInf(most, -1)
}

// choosing returns the score that chose the reported epoch of a run, or that of the links held out from it; -∞ if there was
// none.
func choosing(r results.Record) float64 {
	if score, ok := r.Metrics[validationAUC]; ok {
		return score
	}
	for _, e := range r.Epochs {
		switch {
		case e.Stage != r.BestStage || e.Epoch != r.BestEpoch:
		case e.ValidationAUC != nil:
			return *e.ValidationAUC
		case e.TestAUC != nil:
			return *e.TestAUC
		}
	}
	return math.Inf(-1)
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
func (c column) value(own []sample, paper results.Cell, protocol string) results.Value {
	v := results.Value{N: len(own), Printed: paper.Printed}
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
		judged := c.method == graphs.MethodAsp2vec && c.over == "" && !c.stray && protocol == "paper" && v.N > 0
		v.Outside = judged && math.Abs(v.Mean-paper.Value) > band
	}
	return v
}
