package graphs

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
)

// choice is an option that names an entry of a registry.
type choice struct {
	option  string
	entries option.Entries
	chosen  []string // names of the entries that options choose
}

// choices are those of the options.
func (o Options) choices() []choice {
	pairs := []string{o.PairLoss}
	if o.WarmUpPairLoss != "" && o.warmsUpAlone() { // the warm-up may have its own
		pairs = append(pairs, o.WarmUpPairLoss)
	}
	return []choice{
		{"selection", layers.Selections, []string{o.Selection}},
		{"readout", layers.Readouts, []string{o.Readout}},
		{"pair-loss", losses.Pairs, pairs},
		{"regularizer", losses.Regularizers, []string{o.Regularizer}},
		{"optimizer", Optimizers, []string{o.Optimizer}},
	}
}

// choice returns that of an option's name; the zero value of one that names no entry.
func (o Options) choice(option string) choice {
	all := o.choices()
	if i := slices.IndexFunc(all, func(c choice) bool { return c.option == option }); i >= 0 {
		return all[i]
	}
	return choice{}
}

// Entries returns the names that an option can have which names an entry of a registry, sorted; nil for another option.
func Entries(option string) []string {
	if c := (Options{}).choice(option); c.entries != nil {
		return c.entries.Names()
	}
	return nil
}

// Conflict returns an error where two entries of a registry, or two methods, have one name, where two entries declare a hyperparameter with another default or range,
// where its key does not begin with the registry's option, and where a method declares an option that all have: no run is right then.
func Conflict() error {
	errs := []error{eval.Metrics.Err(), eval.NegativesKinds.Err()}
	for _, c := range append((Options{}).choices(), choice{option: "score", entries: eval.Scorers}) {
		declared, err := option.Declared(c.option, c.entries)
		errs = append(errs, err)
		for _, p := range declared {
			if _, field := option.Find(fields(), p.Key); !field && !strings.HasPrefix(p.Key, c.option+"-") {
				errs = append(errs, fmt.Errorf("hyperparameter %s of %s: expected a key that starts with %s-", p.Key, strings.Join(p.Readers, ", "), c.option))
			}
		}
	}
	names := map[string]bool{}
	for _, m := range Methods() {
		if names[m.Name] {
			errs = append(errs, fmt.Errorf("method %s: there are two of that name: expected another one", m.Name))
		}
		names[m.Name] = true
		errs = append(errs, ConflictOf(m))
	}
	return errors.Join(errs...)
}

// ConflictOf returns an error for a method that declares an option of its own by the key of one that all have, which would be read in its place.
func ConflictOf(m *Method) error {
	common := (Options{}).Options()
	for _, p := range (Options{Own: m.Own}).own() {
		if _, there := option.Find(common, p.Key); there {
			return fmt.Errorf("method %s (%T) declares the option %s, which all methods have: expected another key", m.Name, m.Own, p.Key)
		}
	}
	return nil
}

// warmsUpAlone says whether the run has a warm-up whose loss of pairs can be another one.
func (o Options) warmsUpAlone() bool {
	return o.WarmUp && o.Method.lists("warm-up-pair-loss")
}

// WarmsUp says whether a run has a stage before its main one.
func WarmsUp(o Options) bool {
	return o.Method.Reads("warm-up-epochs") && (o.WarmUp || !o.Method.Reads("warm-up"))
}

// AlsoWarmsUp says whether a loss of pairs that is not the default one also trains the run's warm-up.
func AlsoWarmsUp(o Options) bool {
	return o.Method.lists("pair-loss") && o.PairLoss != Default().PairLoss && WarmsUp(o) && o.WarmUpPairLoss == ""
}

// isHyper says whether a key is that of a hyperparameter that is no field of Options, declared or not: a record may be
// of a program that had more entries.
func isHyper(key string) bool {
	return slices.ContainsFunc((Options{}).choices(), func(c choice) bool { return strings.HasPrefix(key, c.option+"-") })
}

// Reads says whether the method reads an option and, of a hyperparameter, whether an entry that the options choose does.
func (o Options) Reads(p option.Param) bool {
	return o.Method.lists(cmp.Or(p.Option, p.Key)) && (p.Option == "" || slices.ContainsFunc(o.choice(p.Option).chosen, func(name string) bool { return slices.Contains(p.Readers, name) }))
}

// values returns what an entry gets of the options.
func (o Options) values(ps []option.Param) option.Values {
	v := option.Values{}
	for _, p := range ps {
		x, _ := o.Get(p.Key)
		v[p.Key] = x.(float64)
	}
	return v
}

// normal returns the options with the defaults of those hyperparameters that nothing reads: runs that differ in them alone are
// one run.
func (o Options) normal() Options {
	if o.Method == nil {
		return o
	}
	if !o.warmsUpAlone() || o.WarmUpPairLoss == o.PairLoss {
		o.WarmUpPairLoss = ""
	}
	given := o
	o.Hyper = nil
	for _, p := range Hyperparameters() {
		value := p.Default
		if given.Reads(p) {
			value, _ = given.Get(p.Key)
		}
		_ = o.Set(p.Key, value) // a number, as it should be
	}
	return o
}

// checkEntries returns an error for each entry that there is not, for each hyperparameter that no entry declares, and for each that is not at its default
// while no chosen entry reads it. A default is never refused: what tables and sweeps set for several entries at once is read by
// those that declare it.
func (o Options) checkEntries() (errs []error) {
	declared := Hyperparameters()
	for _, c := range o.choices() {
		known := true
		for i, name := range c.chosen {
			if !c.entries.Has(name) { // the second is that of the warm-up
				known = false
				errs = append(errs, fmt.Errorf("%s%s = %q: expected one of %s", strings.Repeat("warm-up-", i), c.option, name, strings.Join(c.entries.Names(), ", ")))
			}
		}
		for _, p := range declared {
			if v, _ := o.Get(p.Key); known && p.Option == c.option && v != p.Default && p.Check(v) == nil && o.Method.lists(c.option) && !o.Reads(p) {
				errs = append(errs, fmt.Errorf("%s = %v: %s %s does not read it: expected one of %s", p.Key, v, c.option, strings.Join(c.chosen, " or "), strings.Join(p.Readers, ", ")))
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(o.Hyper)) {
		if _, known := option.Find(declared, key); !known {
			errs = append(errs, fmt.Errorf("%s = %v: no entry declares it: expected one of %s", key, o.Hyper[key], strings.Join(seq.Map(declared, func(p option.Param) string { return p.Key }), ", ")))
		}
	}
	return errs
}
