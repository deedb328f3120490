package graphs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

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

// isHyper says whether a key is that of a hyperparameter that is no field of Options, declared or not: a record may be
// of a program that had more entries.
func isHyper(key string) bool {
	return slices.ContainsFunc((Options{}).choices(), func(c choice) bool { return strings.HasPrefix(key, c.option+"-") })
}

// Reads says whether the method reads an option and, of a hyperparameter, whether an entry that the options choose does.
func (o Options) Reads(p option.Param) bool {
	return o.Method.lists(cmp.Or(p.Option, p.Key)) && (p.Option == "" || slices.ContainsFunc(o.choices(), func(c choice) bool {
		return c.option == p.Option && slices.ContainsFunc(c.chosen, func(name string) bool { return slices.Contains(p.Readers, name) })
	}))
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

// checkHyperparameters returns an error for each hyperparameter that no entry declares, and for each that is not at its default
// while no chosen entry reads it. A default is never refused: what tables and sweeps set for several entries at once is read by
// those that declare it.
func (o Options) checkHyperparameters() (errs []error) {
	declared := Hyperparameters()
	for _, c := range o.choices() {
		for _, p := range declared {
			v, _ := o.Get(p.Key)
			unread := p.Option == c.option && o.Method.lists(c.option) && !o.Reads(p) && !slices.ContainsFunc(c.chosen, func(name string) bool { return !c.entries.Has(name) })
			if unread && v != p.Default && p.Check(v) == nil {
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
