package graphs

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/entry"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
)

// Hyperparameter is an option that entries of a registry declare, and that is read where one of them is chosen.
type Hyperparameter struct {
	entry.Parameter
	Option  string   // that names an entry: pair-loss, selection, readout or regularizer
	Readers []string // the entries that declare it, sorted
}

// choice is a registry, seen from the options.
type choice struct {
	option   string                                      // that names an entry
	names    func() []string                             // of all entries, sorted
	declares func(name string) ([]entry.Parameter, bool) // of an entry, and whether it is there
	declared func() []entry.Parameter                    // of all entries
	find     func(key string) (entry.Parameter, bool)    // that an entry declares
	readers  func(key string) []string
	chosen   func(o Options) []string // names of the entries that the options choose
}

func choiceOf[E entry.Entry](option string, registry map[string]E, chosen func(o Options) []string) choice {
	return choice{
		option: option,
		names:  func() []string { return slices.Sorted(maps.Keys(registry)) },
		declares: func(name string) ([]entry.Parameter, bool) {
			e, ok := registry[name]
			if !ok {
				return nil, false
			}
			return e.Declares(), true
		},
		declared: func() []entry.Parameter { return entry.All(registry) },
		find:     func(key string) (entry.Parameter, bool) { return entry.Find(registry, key) },
		readers:  func(key string) []string { return entry.Readers(registry, key) },
		chosen:   chosen,
	}
}

// registries are what entries with hyperparameters are chosen from; a function, because methods find one another through it.
func registries() []choice {
	return []choice{
		choiceOf("selection", layers.Selections, func(o Options) []string { return []string{o.Selection} }),
		choiceOf("readout", layers.Readouts, func(o Options) []string { return []string{o.Readout} }),
		choiceOf("pair-loss", losses.Pairs, pairLosses),
		choiceOf("regularizer", losses.Regularizers, func(o Options) []string { return []string{o.Regularizer} }),
	}
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

// AlsoWarmsUp says whether a loss of pairs that is not the default one also trains the run's warm-up.
func AlsoWarmsUp(o Options) bool {
	return o.Method.lists("pair-loss") && o.PairLoss != Default().PairLoss && WarmsUp(o) && o.WarmUpPairLoss == ""
}

// Hyperparameters returns those of all registries, in the order of selections, readouts, losses of pairs and regularizers.
func Hyperparameters() (all []Hyperparameter) {
	for _, r := range registries() {
		for _, p := range r.declared() {
			all = append(all, Hyperparameter{p, r.option, r.readers(p.Key)})
		}
	}
	return all
}

// FindHyperparameter returns the hyperparameter of a key, and whether an entry declares it.
func FindHyperparameter(key string) (Hyperparameter, bool) {
	if r, p, ok := declaring(key); ok {
		return Hyperparameter{p, r.option, r.readers(key)}, true
	}
	return Hyperparameter{}, false
}

// declaring returns the registry an entry of which declares a key.
func declaring(key string) (choice, entry.Parameter, bool) {
	for _, r := range registries() {
		if p, ok := r.find(key); ok {
			return r, p, true
		}
	}
	return choice{}, entry.Parameter{}, false
}

// declaredDefault is the default of an option that entries declare.
func declaredDefault(key string) float64 {
	_, p, _ := declaring(key)
	return p.Default
}

// Usage says what the hyperparameter is, its range, and where it is read, for help.
func (h Hyperparameter) Usage() string {
	return fmt.Sprintf("%s: %s, %s", strings.Join(h.Readers, ", "), h.Help, h.Range())
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

// prefixes of the keys of hyperparameters without a field.
var prefixes = []string{"selection-", "readout-", "pair-loss-", "regularizer-"}

// IsHyperparameter says whether a key is that of a hyperparameter that is no field of Options, declared or not: a record may be
// of a program that had more entries.
func IsHyperparameter(key string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(key, p) })
}

// Hyper holds the hyperparameters that have no field and are not at their defaults, as text, so that Options compare with ==:
// "key=value key=value", sorted by key.
type Hyper string

func (h Hyper) values() map[string]float64 {
	m := map[string]float64{}
	for _, word := range strings.Fields(string(h)) {
		key, text, _ := strings.Cut(word, "=")
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			m[key] = v
		}
	}
	return m
}

func hyperOf(m map[string]float64) Hyper {
	var words []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		words = append(words, key+"="+strconv.FormatFloat(m[key], 'g', -1, 64))
	}
	return Hyper(strings.Join(words, " "))
}

// Hyperparameter returns the value of a hyperparameter: the default of its declaration where none was given, and 0 for a key
// that no entry declares.
func (o Options) Hyperparameter(key string) float64 {
	if f := o.field(key); f != nil {
		return *f
	}
	if v, ok := o.Hyper.values()[key]; ok {
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
	m := o.Hyper.values()
	if h, ok := FindHyperparameter(key); ok && h.Default == v {
		delete(m, key)
	} else {
		m[key] = v
	}
	o.Hyper = hyperOf(m)
}

// values returns what an entry gets of the options.
func (o Options) values(ps []entry.Parameter) entry.Values {
	v := entry.Values{}
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
func (o Options) read() map[string]entry.Parameter {
	all := map[string]entry.Parameter{}
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

// Normal returns the options with the defaults of those hyperparameters that nothing reads: runs that differ in them alone are
// one run.
func (o Options) Normal() Options {
	if !o.warmsUpAlone() || o.WarmUpPairLoss == o.PairLoss {
		o.WarmUpPairLoss = ""
	}
	read := o.read()
	for _, key := range []string{"tau", "epsilon"} {
		if _, reads := read[key]; !reads {
			*o.field(key) = declaredDefault(key)
		}
	}
	given := o.Hyper.values()
	for key := range given {
		if _, reads := read[key]; !reads {
			delete(given, key)
		}
	}
	o.Hyper = hyperOf(given)
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
			errs = append(errs, fmt.Errorf("hyperparameter %s of %s: want a key that starts with %s-", h.Key, strings.Join(h.Readers, ", "), h.Option))
		} else if err := h.Check(v); err != nil {
			errs = append(errs, err)
		} else if v != h.Default && o.Method.lists(h.Option) && !o.ReadsHyperparameter(h) && there {
			errs = append(errs, fmt.Errorf("%s = %v: %s %s does not read it: want one of %s", h.Key, v, h.Option, strings.Join(chosen, " or "), strings.Join(h.Readers, ", ")))
		}
	}
	given := o.Hyper.values()
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(known, key) {
			errs = append(errs, fmt.Errorf("%s = %v: no entry declares it: want one of %s", key, given[key], strings.Join(known, ", ")))
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
func (o Options) written() map[string]float64 {
	all := o.Hyper.values()
	for key := range all {
		if h, declared := FindHyperparameter(key); declared && !o.Method.lists(h.Option) {
			delete(all, key)
		}
	}
	for key, p := range o.read() {
		if _, given := all[key]; !given && o.field(key) == nil {
			all[key] = p.Default
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
