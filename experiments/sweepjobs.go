package experiments

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
)

// Count returns how many runs the sweep expands to at most (see Jobs), +Inf for more than a float64 holds.
func (s *Sweep) Count() float64 {
	n := s.combinations()
	if s.Random > 0 {
		n = float64(s.Random)
	}
	for _, k := range []int{len(s.Datasets), len(s.Protocols), len(s.Methods), len(s.Seeds)} {
		n *= float64(k)
	}
	return n
}

// combinations returns how many combinations of options' values there are.
func (s *Sweep) combinations() float64 {
	n := 1.0
	for _, o := range s.Options {
		n *= float64(len(o.Values))
	}
	return n
}

// Jobs returns the runs of the sweep: for each data set, protocol and method, in their order, each combination of options
// under each seed. A random search draws its combinations without the rest, so that each is run on every data set under
// every seed; a longer one begins with the combinations of a shorter one. Where several entries of a registry are swept with a
// hyperparameter that only some of them read, the others have one run for all its values. It returns an error for a sweep of no runs or of
// more than limit, for a method that cannot learn from a data set, for more random combinations than there are, for a run whose options are not valid, which it names, and
// for two combinations that are one.
func (s *Sweep) Jobs(limit int) ([]Job, error) {
	switch n := s.Count(); {
	case n == 0:
		return nil, fmt.Errorf("experiments: %s: expands to 0 runs: want one at least", s.File)
	case s.Random > 0 && float64(s.Random) > s.combinations():
		return nil, fmt.Errorf("experiments: %s: %d random combinations of %.0f: want fewer, or search: grid", s.File, s.Random, s.combinations())
	case n > float64(limit):
		return nil, fmt.Errorf("experiments: %s: expands to %.0f runs: want at most %d", s.File, n, limit)
	}
	combinations := s.all()
	if s.Random > 0 {
		combinations = s.draw()
	}
	var jobs []Job
	seen := map[string]Job{}
	for _, dataset := range s.Datasets {
		for _, protocol := range s.Protocols {
			for _, method := range s.Methods {
				if err := learnable(method, dataset); err != nil {
					return nil, fmt.Errorf("experiments: %s: %w", s.File, err)
				}
				for _, c := range combinations {
					o, unread, err := s.options(method, protocol, c)
					if err != nil {
						return nil, err
					}
					j := Job{dataset, protocol, o}
					group := j.Group()
					if twin, twice := seen[group]; twice && unread {
						continue // of what another combination reads
					} else if twice {
						return nil, fmt.Errorf("experiments: %s: %s and %s are one: want values that differ", s.File, s.Name(twin), s.Name(j))
					}
					seen[group] = j
					for _, seed := range s.Seeds {
						j.Options.Seed = seed
						jobs = append(jobs, j)
					}
				}
			}
		}
	}
	return jobs, nil
}

// learnable returns an error for a method that cannot learn from a registered data set.
func learnable(method, dataset string) error {
	m, err := methods.Find(method)
	if err != nil {
		return err
	}
	d, err := network.Lookup(dataset)
	if err != nil || methods.Learn(m, d) {
		return err
	}
	var names []string
	for _, other := range methods.All() {
		if methods.Learn(other, d) {
			names = append(names, other.Name)
		}
	}
	return fmt.Errorf("method %s cannot learn from data set %s: want %s", method, d.Name, strings.Join(names, ", "))
}

// all returns every combination, as the number of each option's value; the last option's changes fastest.
func (s *Sweep) all() [][]int {
	list := [][]int{{}}
	for _, o := range s.Options {
		var longer [][]int
		for _, c := range list {
			for i := range o.Values {
				longer = append(longer, append(slices.Clone(c), i))
			}
		}
		list = longer
	}
	return list
}

// draw returns distinct combinations at random.
func (s *Sweep) draw() (list [][]int) {
	stream := rng.New(s.Seed, "sweep")
	seen := map[string]bool{}
	for len(list) < s.Random {
		c := make([]int, len(s.Options))
		for i, o := range s.Options {
			c[i] = stream.Intn(len(o.Values))
		}
		if name := fmt.Sprint(c); !seen[name] {
			seen[name] = true
			list = append(list, c)
		}
	}
	return list
}

// options returns the options of a combination, and whether it has a hyperparameter that is not read by the entries it chooses,
// but by others of the sweep: that is at its default then.
func (s *Sweep) options(method, protocol string, combination []int) (o graphs.Options, unread bool, err error) {
	if o, err = methods.Options(method, Protocols[protocol]); err != nil {
		return o, false, err
	}
	for _, option := range s.Options { // all of them before any is set: what is given takes nothing back of what is given beside it
		o.Give(option.Name)
	}
	var given []string
	for i, option := range s.Options {
		v := option.Values[combination[i]]
		if err := setOption(&o, option.Name, v); err != nil {
			return o, false, fmt.Errorf("experiments: %s:%d: option %s = %s: %w", s.File, option.Line, option.Name, v, err)
		}
		given = append(given, fmt.Sprintf("%s=%s", option.Name, strings.Trim(string(v), `"`)))
	}
	for _, option := range s.Options {
		if h, ok := graphs.FindHyperparameter(option.Name); ok && !o.ReadsHyperparameter(h) && s.reads(h) {
			o.SetHyperparameter(h.Key, h.Default)
			unread = true
		}
	}
	if _, err := o.Resolve(); err != nil {
		return o, false, fmt.Errorf("experiments: %s: run %s under protocol %s with %s: %w", s.File, method, protocol, strings.Join(given, " "), err)
	}
	return o, unread, nil
}

// reads says whether an entry that the sweep names reads a hyperparameter.
func (s *Sweep) reads(h graphs.Hyperparameter) bool {
	for _, o := range s.Options {
		for _, v := range o.Values {
			if (o.Name == h.Option || o.Name == "warm-up-"+h.Option) && slices.Contains(h.Readers, strings.Trim(string(v), `"`)) {
				return true
			}
		}
	}
	return false
}

// Varied returns what differs between the runs of a sweep beside data set and seed: "protocol", "method" and options.
func (s *Sweep) Varied() (names []string) {
	if len(s.Protocols) > 1 {
		names = append(names, "protocol")
	}
	if len(s.Methods) > 1 {
		names = append(names, "method")
	}
	for _, o := range s.Options {
		if len(o.Values) > 1 {
			names = append(names, o.Name)
		}
	}
	return names
}

// Values returns what a run of the sweep has for Varied.
func (s *Sweep) Values(j Job) []string {
	words, err := optionWords(j.Options)
	var values []string
	for _, name := range s.Varied() {
		v := words[name]
		if name == "protocol" {
			v = j.Protocol
		} else if err != nil {
			v = err.Error()
		}
		values = append(values, v)
	}
	return values
}

// Name returns what tells a run from the others of the sweep: data set, Varied and seed.
func (s *Sweep) Name(j Job) string {
	name := j.Dataset
	for i, v := range s.Values(j) {
		name += " " + s.Varied()[i] + "=" + v
	}
	return fmt.Sprintf("%s seed=%d", name, j.Options.Seed)
}
