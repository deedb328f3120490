package experiments

import (
	"cmp"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/yamlnode"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results/render"
)

func (s *Sweep) checkHalving(root *yaml.Node) error {
	for _, o := range s.Options {
		if slices.Contains(append(slices.Clone(grid.Incomparable), store.Budgets...), o.Name) {
			return fmt.Errorf("%d: option %s with halving, which gives each run its own: want it left out", o.Line, o.Name)
		}
	}
	for _, name := range s.Methods {
		if m, err := methods.Find(name); err == nil && !m.Reads(s.Halving.Budget) {
			return yamlnode.Errorf(root, "halving by %s: %s does not read it", s.Halving.Budget, name)
		}
	}
	s.Halving.Seed = 1
	if len(s.Seeds) > 0 {
		s.Halving.Seed = s.Seeds[0]
	}
	return nil
}

// halvingJobs returns the runs of a search: of each data set, protocol and method those of all rungs, and then those that are shown of the
// best.
func (s *Sweep) halvingJobs(cells []cell) (jobs []store.Job) {
	for _, group := range s.contests(cells) {
		j := group[0].search(s, group)
		for number := range s.Halving.Rungs {
			jobs = append(jobs, j.Rung(number, true, 0).Jobs...)
		}
		for _, seed := range s.Seeds {
			jobs = append(jobs, j.Rung(len(s.Halving.Rungs)-1, false, seed).Jobs...)
		}
	}
	return jobs
}

// contests parts cells by what their combinations are tried on.
func (s *Sweep) contests(cells []cell) (all [][]cell) {
	for first := 0; first < len(cells); {
		last := first
		for last < len(cells) && cells[last].data.Name == cells[first].data.Name && cells[last].protocol == cells[first].protocol && cells[last].method == cells[first].method {
			last++
		}
		all = append(all, cells[first:last])
		first = last
	}
	return all
}

// search returns a run of the search among cells.
func (c cell) search(s *Sweep, group []cell) store.Job {
	choice := &store.Choice{Grid: s.Options, Halving: s.Halving}
	for _, other := range group {
		choice.List = append(choice.List, other.values)
	}
	grid, _ := s.Halving.BudgetOf(0)
	o, _, err := c.options(c.protocol)
	if err != nil {
		return store.Job{} // it was checked
	}
	grid.Give(&o)
	return store.Job{Dataset: c.data.Name, Protocol: c.protocol, Options: o, Own: c.data.Own, Choice: choice}
}

// halvingRows returns a row for each combination on each data set, the farthest first: how far it came, its score there and, of what was
// found, the AUC on test links.
func (s *Sweep) halvingRows(cells []cell, runs *store.Runs) (rows []SweepRow) {
	for _, group := range s.contests(cells) {
		j := group[0].search(s, group)
		rungs := len(s.Halving.Rungs)
		found, known := runs.Alive(j, rungs)
		type placed struct {
			SweepRow
			rung int
		}
		var all []placed
		for i, c := range group {
			row := placed{SweepRow{Dataset: c.data.Name, Seeds: 1, Halved: true}, -1}
			shown := j.Rung(0, true, 0).Jobs[i]
			for number := range rungs {
				job := j.Rung(number, true, 0).Jobs[i]
				if record, there := runs.Find(job); there {
					if score, on := store.ChosenBy(record); on != "" {
						row.Choice, row.ChosenOn, row.rung, shown = render.ValueOf([]float64{score}), on, number, job
					}
				}
			}
			if row.Best = known && slices.Contains(found, i); row.Best {
				var test []float64
				for _, seed := range s.Seeds {
					record, there := runs.Find(j.Rung(rungs-1, false, seed).Jobs[i])
					if x, ok := store.TestScore(record.Metrics); there && ok {
						test = append(test, x)
					}
				}
				row.AUC, row.Seeds, row.rung = render.ValueOf(test), len(s.Seeds), rungs
			}
			if row.Values = s.valuesOf(c, shown, true); row.rung < 0 {
				row.Values[len(row.Values)-1] = ""
			}
			all = append(all, row)
		}
		slices.SortStableFunc(all, func(a, b placed) int {
			return cmp.Or(cmp.Compare(b.rung, a.rung), cmp.Compare(b.Choice.Mean, a.Choice.Mean))
		})
		for _, row := range all {
			rows = append(rows, row.SweepRow)
		}
	}
	return rows
}
