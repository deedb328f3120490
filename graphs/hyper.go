package graphs

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/registry"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
)

// Hyperparameter is an option that entries of a registry declare, and that is read where one of them is chosen.
type Hyperparameter struct {
	option.Hyperparameter
	Option string // that names an entry: pair-loss, selection, readout, regularizer or optimizer
}

// choice is a registry, seen from the options.
type choice struct {
	option   string                                   // that names an entry
	names    func() []string                          // of all entries, sorted
	declares func(name string) ([]option.Param, bool) // of an entry, and whether it is there
	declared func() []option.Hyperparameter           // of all entries
	conflict func() error                             // of declarations that differ
	find     func(key string) (option.Param, bool)    // that an entry declares
	chosen   func(o Options) []string                 // names of the entries that the options choose
	learned  func(name string) []option.Learned       // of an entry
}

func choiceOf[E interface{ Declares() []option.Param }](name string, r *registry.Of[E], chosen func(o Options) []string) choice {
	return choice{
		option: name, chosen: chosen,
		declared: func() []option.Hyperparameter { return option.DeclaredBy(r) },
		conflict: func() error { return option.Conflict(name, r) },
		find:     func(key string) (option.Param, bool) { return option.FindIn(r, key) },
		names:    r.Names,
		learned: func(name string) []option.Learned {
			if e, learns := any(r.Get(name)).(interface{ Learns() []option.Learned }); learns {
				return e.Learns()
			}
			return nil
		},
		declares: func(name string) ([]option.Param, bool) {
			return r.Get(name).Declares(), r.Has(name)
		},
	}
}

// registries are what entries with hyperparameters are chosen from; a function, because methods find one another through it.
func registries() []choice {
	return []choice{
		choiceOf("selection", layers.Selections, func(o Options) []string { return []string{o.Selection} }),
		choiceOf("readout", layers.Readouts, func(o Options) []string { return []string{o.Readout} }),
		choiceOf("pair-loss", losses.Pairs, pairLosses),
		choiceOf("regularizer", losses.Regularizers, func(o Options) []string { return []string{o.Regularizer} }),
		choiceOf("optimizer", Optimizers, func(o Options) []string { return []string{o.Optimizer} }),
	}
}

// Conflict returns an error where two entries of a registry, or two methods, have one name, where two entries declare a hyperparameter with another default or range,
// and where a method declares an option that all have: no run is right then.
func Conflict() error {
	errs := []error{option.Conflict("score", eval.Scorers), eval.Metrics.Err(), eval.NegativesKinds.Err()}
	for _, r := range registries() {
		errs = append(errs, r.conflict())
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
	if m.Own == nil {
		return nil
	}
	for _, p := range option.Of(reflect.TypeOf(m.Own)) {
		_, common := option.Find(option.Of(reflect.TypeFor[Options]()), p.Key)
		if _, entry := FindHyperparameter(p.Key); common || entry {
			return fmt.Errorf("method %s (%T) declares the option %s, which all methods have: expected another key", m.Name, m.Own, p.Key)
		}
	}
	return nil
}

// pairLosses are the losses of pairs that a run trains: the warm-up may have its own.
func pairLosses(o Options) []string {
	if o.WarmUpPairLoss != "" && o.warmsUpAlone() {
		return []string{o.PairLoss, o.WarmUpPairLoss}
	}
	return []string{o.PairLoss}
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

// Hyperparameters returns those of all registries, in the order of selections, readouts, losses of pairs and regularizers.
func Hyperparameters() (all []Hyperparameter) {
	for _, r := range registries() {
		for _, h := range r.declared() {
			all = append(all, Hyperparameter{h, r.option})
		}
	}
	return all
}

// FindHyperparameter returns the hyperparameter of a key, and whether an entry declares it.
func FindHyperparameter(key string) (Hyperparameter, bool) {
	for _, r := range registries() {
		if _, ok := r.find(key); ok {
			all := r.declared()
			return Hyperparameter{all[slices.IndexFunc(all, func(h option.Hyperparameter) bool { return h.Key == key })], r.option}, true
		}
	}
	return Hyperparameter{}, false
}

// declaredDefault is the default of an option that entries declare; 0 where none does.
func declaredDefault(key string) float64 {
	for _, r := range registries() {
		if p, ok := r.find(key); ok {
			return p.Default.(float64)
		}
	}
	return 0
}

// field returns the field of an option that entries declare and that has one; nil for those that are in Hyper.
func (o *Options) field(key string) *float64 {
	switch key {
	case "tau":
		return &o.Tau
	case "epsilon":
		return &o.Epsilon
	}
	return nil
}

// IsHyperparameter says whether a key is that of a hyperparameter that is no field of Options, declared or not: a record may be
// of a program that had more entries.
func IsHyperparameter(key string) bool {
	return slices.ContainsFunc(registries(), func(r choice) bool { return strings.HasPrefix(key, r.option+"-") })
}

// Hyperparameter returns the value of a hyperparameter: the default of its declaration where none was given, and 0 for a key
// that no entry declares.
func (o Options) Hyperparameter(key string) float64 {
	if f := o.field(key); f != nil {
		return *f
	}
	if v, ok := o.Hyper[key]; ok {
		return v
	}
	return declaredDefault(key)
}

// SetHyperparameter sets a hyperparameter by its key.
func (o *Options) SetHyperparameter(key string, v float64) {
	if f := o.field(key); f != nil {
		*f = v
		return
	}
	o.Hyper = o.Hyper.without(func(k string) bool { return k == key })
	if _, declared := FindHyperparameter(key); !declared || declaredDefault(key) != v {
		o.Hyper = o.Hyper.with(key, v)
	}
}

// Hyper are hyperparameters that have no field and are not at their defaults, by key; nil for none. Options that are copied share them: they
// do not change.
type Hyper option.Values

func (h Hyper) with(key string, v float64) Hyper {
	all := Hyper{key: v}
	maps.Copy(all, h)
	return all
}

func (h Hyper) without(leave func(key string) bool) (kept Hyper) {
	for key, v := range h {
		if !leave(key) {
			kept = kept.with(key, v)
		}
	}
	return kept
}

// values returns what an entry gets of the options.
func (o Options) values(ps []option.Param) option.Values {
	v := option.Values{}
	for _, p := range ps {
		v[p.Key] = o.Hyperparameter(p.Key)
	}
	return v
}

// ReadsHyperparameter says whether an entry that the options choose reads a hyperparameter.
func (o Options) ReadsHyperparameter(h Hyperparameter) bool {
	_, reads := o.read()[h.Key]
	return reads
}

// read returns the hyperparameters that the entries which the options choose declare, of registries that the method reads, by key.
func (o Options) read() map[string]option.Param {
	all := map[string]option.Param{}
	for _, r := range registries() {
		if !o.Method.lists(r.option) {
			continue
		}
		for _, name := range r.chosen(o) {
			ps, _ := r.declares(name)
			for _, p := range ps {
				all[p.Key] = p
			}
		}
	}
	return all
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
	read := o.read()
	for _, key := range []string{"tau", "epsilon"} {
		if _, reads := read[key]; !reads {
			*o.field(key) = declaredDefault(key)
		}
	}
	o.Hyper = o.Hyper.without(func(key string) bool { _, reads := read[key]; return !reads })
	return o
}

// checkHyperparameters returns an error for each hyperparameter that is out of range, and for each that is not at its default
// while no chosen entry reads it. A default is never refused: what tables and sweeps set for several entries at once is read by
// those that declare it.
func (o Options) checkHyperparameters() (errs []error) {
	var known []string
	for _, h := range Hyperparameters() {
		known = append(known, h.Key)
		v := o.Hyperparameter(h.Key)
		chosen, there := o.chosen(h.Option)
		if o.field(h.Key) == nil && !strings.HasPrefix(h.Key, h.Option+"-") {
			errs = append(errs, fmt.Errorf("hyperparameter %s of %s: expected a key that starts with %s-", h.Key, strings.Join(h.Readers, ", "), h.Option))
		} else if err := h.Check(v); err != nil {
			errs = append(errs, err)
		} else if v != h.Usual() && o.Method.lists(h.Option) && !o.ReadsHyperparameter(h) && there {
			errs = append(errs, fmt.Errorf("%s = %v: %s %s does not read it: expected one of %s", h.Key, v, h.Option, strings.Join(chosen, " or "), strings.Join(h.Readers, ", ")))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(o.Hyper)) {
		if !slices.Contains(known, key) {
			errs = append(errs, fmt.Errorf("%s = %v: no entry declares it: expected one of %s", key, o.Hyper[key], strings.Join(known, ", ")))
		}
	}
	return errs
}

// chosen returns the entries of a registry that the options choose, and whether all of them are there.
func (o Options) chosen(option string) (names []string, known bool) {
	for _, r := range registries() {
		if r.option == option {
			names, known = r.chosen(o), true
			for _, name := range names {
				_, there := r.declares(name)
				known = known && there
			}
		}
	}
	return names, known
}

// written returns the hyperparameters without a field that a record has: those that are read, and those that were given.
// Records of entries without any are what they were before there were any.
func (o Options) written() option.Values {
	all := option.Values{}
	for key, v := range o.Hyper {
		if h, declared := FindHyperparameter(key); !declared || o.Method.lists(h.Option) {
			all[key] = v
		}
	}
	for key := range o.read() {
		if o.field(key) == nil {
			all[key] = o.Hyperparameter(key)
		}
	}
	return all
}

// Entries returns the names that an option can have which names an entry of a registry, sorted; nil for another option.
func Entries(option string) []string {
	for _, r := range registries() {
		if r.option == option {
			return r.names()
		}
	}
	return nil
}
