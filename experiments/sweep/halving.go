package sweep

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/yamlnode"
	"github.com/asp2vec/asp2vec/methods"
)

func (s *File) checkHalving(root *yaml.Node) error {
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
func (s *File) halvingJobs(cells []Cell) (jobs []store.Job) {
	for _, c := range s.Contests(cells) {
		for number := range s.Halving.Rungs {
			all := c.Rung(number, true, 0).Jobs
			for _, i := range s.Halving.Order(len(all)) {
				jobs = append(jobs, all[i])
			}
		}
		for _, seed := range s.Seeds {
			jobs = append(jobs, c.Rung(len(s.Halving.Rungs)-1, false, seed).Jobs...)
		}
	}
	return jobs
}

// Contest is cells of which halving finds the best: those of one data set, protocol and method. Its job is one of the runs of the search,
// which knows the rungs of all.
type Contest struct {
	Cells []Cell
	store.Job
}

// Contests parts cells by what their combinations are tried on.
func (s *File) Contests(cells []Cell) (all []Contest) {
	type place struct{ data, protocol, method string }
	of := func(c Cell) place { return place{c.Data.Name, c.Protocol, c.Method} }
	for first := 0; first < len(cells); {
		last := first
		for last < len(cells) && of(cells[last]) == of(cells[first]) {
			last++
		}
		all = append(all, Contest{cells[first:last], s.search(cells[first:last])})
		first = last
	}
	return all
}

// search returns a run of the search among cells.
func (s *File) search(cells []Cell) store.Job {
	choice := &store.Choice{Grid: s.Options, Halving: s.Halving}
	choice.List = seq.Map(cells, func(c Cell) grid.Combination { return c.values })
	c := cells[0]
	budget, _ := s.Halving.BudgetOf(0)
	o, _, err := c.options(c.Protocol)
	if err != nil {
		return store.Job{} // it was checked
	}
	budget.Give(&o)
	return store.Job{Dataset: c.Data.Name, Protocol: c.Protocol, Options: o, Own: c.Data.Own, Choice: choice}
}
