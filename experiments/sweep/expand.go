package sweep

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
)

// Count returns how many runs the sweep expands to at most (see Jobs), +Inf for more than a float64 holds.
func (s *File) Count() float64 {
	all := 0.0
	for _, x := range s.settings() {
		n := x.Options.Count()
		if s.Random > 0 {
			n = float64(s.Random)
		}
		if len(x.Choose) > 0 {
			n *= 2 * x.Choose.Count()
		}
		if protocols := cmp.Or(len(x.Protocols), len(s.Protocols), 1); x.Over == "" {
			all += n * float64(protocols)
		}
	}
	for _, k := range []int{len(s.Datasets), len(s.Seeds), len(s.Sizes)} {
		all *= float64(max(1, k))
	}
	return all
}

// Cell is a setting on a data set under a protocol.
type Cell struct {
	Data     source.DataSet
	Protocol string
	Column
}

// Cells returns what the sweep compares: for each data set and protocol, in their order, each setting. Where several entries of a
// registry are swept with a hyperparameter that only some of them read, the others have one cell for all its values. It returns an
// error for a method that cannot learn a data set, options that are not valid, and two settings that are the same.
func (s *File) Cells() (all []Cell, err error) {
	columns := s.columns(Scope{})
	seen := map[string]string{} // by what is run, how it is called
	for _, dataset := range s.Datasets {
		for _, protocol := range s.Protocols {
			for _, c := range columns {
				if c.Over != "" || !c.Under(protocol) {
					continue // has no runs
				}
				if err := learnable(c.Method, dataset); err != nil {
					return nil, fmt.Errorf("experiments: %s: %w", s.Path, err)
				}
				name := fmt.Sprintf("%s under protocol %s with %s", c.Method, protocol, c.Options.Name(c.values))
				if err := c.check(protocol); err != nil {
					return nil, fmt.Errorf("experiments: %s: run %s: %w", s.Path, name, err)
				}
				if !c.Chooses() {
					j := c.Jobs(dataset, protocol, 0)[0]
					group := j.Group() + " " + j.Options.Scorer() // a training may be scored in several ways
					twin, twice := seen[group]
					if _, unread := c.under(protocol); twice && unread {
						continue // of what another combination reads
					}
					if twice && len(s.Settings) == 0 {
						return nil, fmt.Errorf("experiments: %s: runs on %s of %s, and of %s are one: expected values that differ", s.Path, j.Dataset, twin, name)
					}
					seen[group] = name
				}
				all = append(all, Cell{dataset, protocol, c})
			}
		}
	}
	return all, nil
}

// Jobs returns the runs of the sweep: of each data set, protocol and setting those of every seed, and those that choose among them. A random
// search draws its combinations without the rest, so that each is run on every data set under
// every seed; a longer one begins with the combinations of a shorter one. It returns an error for a sweep of no runs or of
// more than limit, for a method that cannot learn from a data set, for more random combinations than there are, for a run whose options are not valid, which it names, and
// for two combinations that are one.
func (s *File) Jobs(limit int) ([]store.Job, error) {
	if s.Count() == 0 || len(s.Datasets) == 0 {
		return nil, fmt.Errorf("experiments: %s: expands to 0 runs: expected one at least", s.Path)
	}
	if err := s.tooMany(limit); err != nil {
		return nil, fmt.Errorf("experiments: %s: %w", s.Path, err)
	}
	cells, err := s.Cells()
	if err != nil {
		return nil, err
	}
	var jobs []store.Job
	for _, c := range cells {
		for i, seed := range s.Seeds {
			jobs = append(jobs, c.Needed(c.Data, c.Protocol, seed, i == 0)...)
		}
	}
	jobs, _ = store.Merged(jobs)
	return jobs, nil
}

// learnable returns an error for a method that cannot learn from a data set.
func learnable(m *graphs.Method, d source.DataSet) error {
	if methods.Learn(m, d.Dataset) {
		return nil
	}
	can := seq.Filter(methods.All(), func(other *graphs.Method) bool { return methods.Learn(other, d.Dataset) })
	return fmt.Errorf("method %s cannot learn from data set %s: expected %s", m, d.Name, strings.Join(seq.Map(can, (*graphs.Method).String), ", "))
}

// tooMany returns an error for more runs than a limit, and for more random combinations than there are.
func (s *File) tooMany(limit int) error {
	if n := s.Options.Count(); s.Random > 0 && float64(s.Random) > n {
		return fmt.Errorf("%d random combinations of %.0f: expected fewer, or search: grid", s.Random, n)
	}
	if n := s.Count(); n > float64(limit) {
		return fmt.Errorf("expands to %.0f runs: expected at most %d", n, limit)
	}
	return nil
}
