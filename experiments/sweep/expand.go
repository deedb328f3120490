package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/methods"
)

// Count returns how many runs the sweep expands to at most (see Jobs), +Inf for more than a float64 holds.
func (s *File) Count() float64 {
	settings := 0.0
	for _, x := range s.settings() {
		n := x.Options.Count()
		if s.Random > 0 {
			n = float64(s.Random)
		}
		if x.Over == "" {
			protocols := len(x.Protocols)
			if protocols == 0 {
				protocols = max(1, len(s.Protocols))
			}
			settings += n * x.runs() * float64(protocols)
		}
	}
	for _, k := range []int{len(s.Datasets), len(s.Seeds)} {
		settings *= float64(max(1, k))
	}
	return settings * float64(max(1, len(s.Sizes)))
}

// runs returns how many runs one combination of the setting's options may take under a seed.
func (s Setting) runs() float64 {
	if len(s.Choose) > 0 {
		return 2 * s.Choose.Count()
	}
	return 1
}

// columns returns every setting of the file, at each of some sizes where the table has sizes, with those that only some methods have
// where these are asked for.
func (s *File) columns(sizes []int, methodsAsked []string) (all []Column) {
	own := s.Sizes
	if len(own) == 0 {
		sizes = []int{0}
	}
	for _, size := range slices.Compact(slices.Sorted(slices.Values(sizes))) {
		for _, x := range s.settings() {
			switch isOwn := slices.Contains(own, size); {
			case x.Sizes.Value == sizesOwn && !isOwn && !slices.Contains(methodsAsked, x.Method.Value), x.Sizes.Value == sizesOthers && isOwn:
				continue
			}
			if x.Name == "" {
				x.Name = s.plainName(x.Method.Value)
			}
			for _, name := range []*string{&x.Name, &x.InPaper} {
				*name = strings.ReplaceAll(*name, "{size}", fmt.Sprint(size))
			}
			for _, c := range x.columns(s.Random, s.Seed) {
				c.Name, c.size = strings.TrimSpace(c.Name), size
				all = append(all, c)
			}
		}
	}
	return all
}

// plainName is how a setting without a name is called, but for what varies in its options.
func (s *File) plainName(method string) string {
	m, err := methods.Find(method)
	if err != nil || len(s.Methods) < 2 && slices.ContainsFunc(s.Options, func(o grid.Option) bool { return o.Varies() }) {
		return ""
	}
	return m.Title
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
	columns := s.columns(s.Sizes, nil)
	seen := map[string]store.Job{}
	for _, dataset := range s.Datasets {
		for _, protocol := range s.Protocols {
			for _, c := range columns {
				if c.Over != "" || !c.Under(protocol) {
					continue // has no runs
				}
				if err := learnable(c.Method, dataset); err != nil {
					return nil, fmt.Errorf("experiments: %s: %w", s.Path, err)
				}
				unread, err := s.checkCell(c, protocol)
				if err != nil {
					return nil, err
				}
				if !c.Chooses(protocol) {
					j := c.Jobs(dataset, protocol, 0)[0]
					group := j.Group() + " " + j.Options.Scorer() // a training may be scored in several ways
					if twin, twice := seen[group]; twice && unread {
						continue // of what another combination reads
					} else if twice && len(s.Settings) == 0 {
						return nil, fmt.Errorf("experiments: %s: %s and %s are one: expected values that differ", s.Path, s.nameOf(twin), s.nameOf(j))
					}
					seen[group] = j
				}
				all = append(all, Cell{dataset, protocol, c})
			}
		}
	}
	return all, nil
}

// checkCell returns an error for options that are not valid, and whether some are not read.
func (s *File) checkCell(c Column, protocol string) (unread bool, err error) {
	_, unread, err = c.under(protocol)
	if err == nil {
		err = c.check(protocol)
	}
	if err != nil {
		return false, fmt.Errorf("experiments: %s: run %s under protocol %s with %s: %w", s.Path, c.Method, protocol, c.Options.Name(c.values), err)
	}
	if m, err := methods.Find(c.Method); c.Chooses(protocol) && err == nil && m.Typed && protocol == run.StandardProtocol {
		return false, fmt.Errorf("experiments: %s: a choice on papers under protocol %s, where nothing is held out to choose by: expected protocol: validated", s.Path, protocol)
	}
	return unread, nil
}

// Jobs returns the runs of the sweep: of each data set, protocol and setting those of every seed, and those that choose among them. A random
// search draws its combinations without the rest, so that each is run on every data set under
// every seed; a longer one begins with the combinations of a shorter one. It returns an error for a sweep of no runs or of
// more than limit, for a method that cannot learn from a data set, for more random combinations than there are, for a run whose options are not valid, which it names, and
// for two combinations that are one.
func (s *File) Jobs(limit int) ([]store.Job, error) {
	switch n := s.Count(); {
	case n == 0 || len(s.Datasets) == 0:
		return nil, fmt.Errorf("experiments: %s: expands to 0 runs: expected one at least", s.Path)
	case s.tooRandom() != nil:
		return nil, fmt.Errorf("experiments: %s: %w", s.Path, s.tooRandom())
	case n > float64(limit):
		return nil, fmt.Errorf("experiments: %s: expands to %.0f runs: expected at most %d", s.Path, n, limit)
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
func learnable(method string, d source.DataSet) error {
	m, err := methods.Find(method)
	if err != nil || methods.Learn(m, d.Dataset) {
		return err
	}
	var names []string
	for _, other := range methods.All() {
		if methods.Learn(other, d.Dataset) {
			names = append(names, other.Name)
		}
	}
	return fmt.Errorf("method %s cannot learn from data set %s: expected %s", method, d.Name, strings.Join(names, ", "))
}

// tooRandom returns an error for more random combinations than there are.
func (s *File) tooRandom() error {
	if n := s.Options.Count(); s.Random > 0 && float64(s.Random) > n {
		return fmt.Errorf("%d random combinations of %.0f: expected fewer, or search: grid", s.Random, n)
	}
	return nil
}
