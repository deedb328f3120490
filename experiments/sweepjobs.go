package experiments

import (
	"errors"
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
func (s *Sweep) Count() float64 {
	settings := 0.0
	for _, x := range s.settings() {
		n := x.Options.Count()
		if s.Random > 0 {
			n = float64(s.Random)
		}
		if s.Halving != nil {
			n = s.Halving.Count(n, len(s.Seeds)) / float64(max(1, len(s.Seeds)))
		}
		if x.Over == "" {
			protocols := s.Protocols
			if len(x.Protocols) > 0 {
				protocols = x.Protocols
			}
			settings += n * x.runs() * float64(max(1, len(protocols)))
		}
	}
	for _, k := range []int{len(s.Datasets), len(s.Seeds)} {
		settings *= float64(max(1, k))
	}
	return settings * float64(max(1, len(s.view.sizes)))
}

// runs returns how many runs one combination of the setting's options may take under a seed.
func (s Setting) runs() float64 {
	if len(s.Choose) > 0 {
		return 2 * s.Choose.Count()
	}
	return 1
}

// cell is a setting on a data set under a protocol.
type cell struct {
	data     source.DataSet
	protocol string
	column
}

// cells returns what the sweep compares: for each data set and protocol, in their order, each setting. Where several entries of a
// registry are swept with a hyperparameter that only some of them read, the others have one cell for all its values.
func (s *Sweep) cells() (all []cell, err error) {
	columns := s.columns(s.view.sizes, nil)
	seen := map[string]store.Job{}
	for _, dataset := range s.Datasets {
		for _, protocol := range s.Protocols {
			for _, c := range columns {
				if c.over != "" || !c.under(protocol) {
					continue // has no runs
				}
				if err := learnable(c.method, dataset); err != nil {
					return nil, fmt.Errorf("experiments: %s: %w", s.File, err)
				}
				unread, err := s.checkCell(c, protocol)
				if err != nil {
					return nil, err
				}
				if c.choice == nil {
					j := c.jobs(dataset, protocol, 0)[0]
					group := j.Group()
					if twin, twice := seen[group]; twice && unread {
						continue // of what another combination reads
					} else if twice && len(s.Settings) == 0 {
						return nil, fmt.Errorf("experiments: %s: %s and %s are one: want values that differ", s.File, s.nameOf(twin), s.nameOf(j))
					}
					seen[group] = j
				}
				all = append(all, cell{dataset, protocol, c})
			}
		}
	}
	return all, nil
}

// checkCell returns an error for options that are not valid, and whether some are not read.
func (s *Sweep) checkCell(c column, protocol string) (unread bool, err error) {
	_, unread, err = c.options(protocol)
	var of grid.Error
	if errors.As(err, &of) {
		return false, fmt.Errorf("experiments: %s:%d: %w", s.File, of.Option.Line, err)
	}
	if err == nil {
		err = c.check(protocol)
	}
	if err != nil {
		return false, fmt.Errorf("experiments: %s: run %s under protocol %s with %s: %w", s.File, c.method, protocol, c.grid.Name(c.values), err)
	}
	if m, err := methods.Find(c.method); (c.choice != nil || s.Halving != nil) && err == nil && m.Typed && protocol == run.StandardProtocol {
		return false, fmt.Errorf("experiments: %s: a choice on papers under protocol %s, where nothing is held out to choose by: want protocol: validated", s.File, protocol)
	}
	return unread, nil
}

// Jobs returns the runs of the sweep: of each data set, protocol and setting those of every seed, and those that choose among them. A random
// search draws its combinations without the rest, so that each is run on every data set under
// every seed; a longer one begins with the combinations of a shorter one. It returns an error for a sweep of no runs or of
// more than limit, for a method that cannot learn from a data set, for more random combinations than there are, for a run whose options are not valid, which it names, and
// for two combinations that are one.
func (s *Sweep) Jobs(limit int) ([]store.Job, error) {
	switch n := s.Count(); {
	case n == 0 || len(s.Datasets) == 0:
		return nil, fmt.Errorf("experiments: %s: expands to 0 runs: want one at least", s.File)
	case s.tooRandom() != nil:
		return nil, fmt.Errorf("experiments: %s: %w", s.File, s.tooRandom())
	case n > float64(limit):
		return nil, fmt.Errorf("experiments: %s: expands to %.0f runs: want at most %d", s.File, n, limit)
	}
	cells, err := s.cells()
	if err != nil {
		return nil, err
	}
	var jobs []store.Job
	if s.Halving != nil {
		jobs, cells = s.halvingJobs(cells), nil
	}
	for _, c := range cells {
		for i, seed := range s.Seeds {
			jobs = append(jobs, c.needed(c.data, c.protocol, seed, i == 0)...)
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
	return fmt.Errorf("method %s cannot learn from data set %s: want %s", method, d.Name, strings.Join(names, ", "))
}

// Varied returns what differs between the rows of a sweep beside the data set: "protocol", "method" or "setting", options and, of those that
// are chosen, what was chosen.
func (s *Sweep) Varied() (names []string) {
	if len(s.Protocols) > 1 {
		names = append(names, varyProtocol)
	}
	chosen := s.Choose
	if len(s.Settings) > 0 {
		names = append(names, varySetting)
		for _, x := range s.Settings {
			chosen = append(chosen[:len(chosen):len(chosen)], x.Choose...)
		}
	} else {
		if len(s.Methods) > 1 {
			names = append(names, varyMethod)
		}
		for _, o := range s.Options {
			if o.Varies() {
				names = append(names, o.Name)
			}
		}
	}
	if s.Halving != nil {
		names = append(names, s.Halving.Budget)
	}
	for _, o := range chosen {
		if !slices.Contains(names, o.Name) {
			names = append(names, o.Name)
		}
	}
	return names
}

// What varies beside options.
const varyProtocol, varyMethod, varySetting = "protocol", "method", "setting"

// valuesOf returns what a row of a sweep has for Varied: that of the run that it shows. Of a choice that is not made yet, and of an
// option that the setting leaves to others, "".
func (s *Sweep) valuesOf(c cell, j store.Job, chosen bool) (values []string) {
	words, err := grid.OptionWords(j.Options)
	for _, name := range s.Varied() {
		v := words[name]
		_, own := c.grid.Option(name)
		if c.choice != nil && !own {
			if _, own = c.choice.Grid.Option(name); own && !chosen {
				v = ""
			}
		}
		switch {
		case name == varyProtocol:
			v = j.Protocol
		case name == varySetting:
			v = c.name
		case name == varyMethod:
			v = c.method
		case err != nil:
			v = err.Error()
		case !own && (s.Halving == nil || name != s.Halving.Budget):
			v = ""
		}
		values = append(values, v)
	}
	return values
}

// nameOf returns what tells a run of a sweep without settings from the others.
func (s *Sweep) nameOf(j store.Job) string {
	name := j.Dataset
	for i, v := range s.valuesOf(cell{column: column{method: j.Options.Method.Name, grid: s.Options}}, j, true) {
		name += " " + s.Varied()[i] + "=" + v
	}
	return name
}

// tooRandom returns an error for more random combinations than there are.
func (s *Sweep) tooRandom() error {
	if n := s.Options.Count(); s.Random > 0 && float64(s.Random) > n {
		return fmt.Errorf("%d random combinations of %.0f: want fewer, or search: grid", s.Random, n)
	}
	return nil
}
