package experiments

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/internal/yamlnode"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results/render"
)

// readHalving reads {budget, from, to, factor}.
func (s *Sweep) readHalving(n *yaml.Node) error {
	h, from, to := &Halving{Factor: 3}, 0, 0
	if err := yamlnode.Keys(n, "key of halving", map[string]func(*yaml.Node) error{
		"budget": func(n *yaml.Node) error { return yamlnode.Word(n, "budget", &h.Budget, budgets...) },
		"from":   func(n *yaml.Node) error { return yamlnode.Scalar(n, &from) },
		"to":     func(n *yaml.Node) error { return yamlnode.Scalar(n, &to) },
		"factor": func(n *yaml.Node) error { return yamlnode.Scalar(n, &h.Factor) },
	}); err != nil {
		return err
	}
	switch {
	case h.Budget == "":
		return yamlnode.Errorf(n, "halving without a budget: want budget: epochs or pairs-per-vertex")
	case from < 1 || to <= from || to > math.MaxInt32:
		return yamlnode.Errorf(n, "halving from %d to %d %s: want two whole numbers, the lower first, from 1 up", from, to, h.Budget)
	case h.Factor < 2:
		return yamlnode.Errorf(n, "halving by a factor of %d: want 2 or more", h.Factor)
	}
	for budget := from; budget < to; budget *= h.Factor {
		h.Rungs = append(h.Rungs, strconv.AppendInt(nil, int64(budget), 10))
	}
	if h.Rungs = append(h.Rungs, strconv.AppendInt(nil, int64(to), 10)); len(h.Rungs) > maxRungs {
		return yamlnode.Errorf(n, "halving in %d rungs: want at most %d", len(h.Rungs), maxRungs)
	}
	s.Halving = h
	return nil
}

func (s *Sweep) checkHalving(root *yaml.Node) error {
	for _, o := range s.Options {
		if slices.Contains(append(slices.Clone(grid.Incomparable), budgets...), o.Name) {
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
func (s *Sweep) halvingJobs(cells []cell) (jobs []Job) {
	for _, group := range s.contests(cells) {
		j := group[0].search(s, group)
		for number := range s.Halving.Rungs {
			jobs = append(jobs, j.rung(number, true, 0).jobs...)
		}
		for _, seed := range s.Seeds {
			jobs = append(jobs, j.rung(len(s.Halving.Rungs)-1, false, seed).jobs...)
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
func (c cell) search(s *Sweep, group []cell) Job {
	choice := &Choice{Grid: s.Options, Halving: s.Halving}
	for _, other := range group {
		choice.List = append(choice.List, other.values)
	}
	grid, _ := s.Halving.budget(0)
	o, _, err := c.options(c.protocol)
	if err != nil {
		return Job{} // it was checked
	}
	grid.Give(&o)
	return Job{Dataset: c.data.Name, Protocol: c.protocol, Options: o, Own: c.data.Own, Choice: choice}
}

// halvingRows returns a row for each combination on each data set, the farthest first: how far it came, its score there and, of what was
// found, the AUC on test links.
func (s *Sweep) halvingRows(cells []cell, runs *Runs) (rows []SweepRow) {
	for _, group := range s.contests(cells) {
		j := group[0].search(s, group)
		rungs := len(s.Halving.Rungs)
		found, known := runs.alive(j, rungs)
		type placed struct {
			SweepRow
			rung int
		}
		var all []placed
		for i, c := range group {
			row := placed{SweepRow{Dataset: c.data.Name, Seeds: 1, Halved: true}, -1}
			shown := j.rung(0, true, 0).jobs[i]
			for number := range rungs {
				job := j.rung(number, true, 0).jobs[i]
				if record, there := runs.Find(job); there {
					if score, on := ChosenBy(record); on != "" {
						row.Choice, row.ChosenOn, row.rung, shown = render.ValueOf([]float64{score}), on, number, job
					}
				}
			}
			if row.Best = known && slices.Contains(found, i); row.Best {
				var test []float64
				for _, seed := range s.Seeds {
					record, there := runs.Find(j.rung(rungs-1, false, seed).jobs[i])
					if x, ok := testScore(record.Metrics); there && ok {
						test = append(test, x)
					}
				}
				row.AUC, row.Seeds = render.ValueOf(test), len(s.Seeds)
			}
			if row.Values = s.valuesOf(c, shown, true); row.rung < 0 {
				row.Values[len(row.Values)-1] = ""
			}
			all = append(all, row)
		}
		slices.SortStableFunc(all, func(a, b placed) int {
			return cmp.Or(boolsFirst(a.Best, b.Best), cmp.Compare(b.rung, a.rung), cmp.Compare(b.Choice.Mean, a.Choice.Mean))
		})
		for _, row := range all {
			rows = append(rows, row.SweepRow)
		}
	}
	return rows
}
