// Package entry says of an entry of a registry which hyperparameters it reads: the flags, sweeps, records and checks of all of
// them are made from what stands there.
package entry

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Parameter is a hyperparameter, a number. Entries that declare one of the same key share the option, and declare it alike.
type Parameter struct {
	Key     string // of the option: that of the registry and a word, as in pair-loss-margin
	Help    string
	Default float64
	Min     float64
	Max     float64 // +Inf for none
	OpenMin bool    // Min itself is out of range
}

// Check returns an error for a value out of range, which no NaN is in.
func (p Parameter) Check(v float64) error {
	if !(v >= p.Min && v <= p.Max && !(p.OpenMin && v == p.Min)) || math.IsInf(v, 0) {
		return fmt.Errorf("%s = %v: want %s", p.Key, v, p.Range())
	}
	return nil
}

// Range says in words which values there are.
func (p Parameter) Range() string {
	switch {
	case math.IsInf(p.Max, 1) && p.OpenMin:
		return fmt.Sprintf("a number above %v", p.Min)
	case math.IsInf(p.Max, 1):
		return fmt.Sprintf("a number, at least %v", p.Min)
	case p.OpenMin:
		return fmt.Sprintf("a number above %v, at most %v", p.Min, p.Max)
	}
	return fmt.Sprintf("a number from %v to %v", p.Min, p.Max)
}

// Values are the hyperparameters that an entry gets: those that it declares, by key.
type Values map[string]float64

// Of returns a value. Of a key that was not declared it is NaN, which no function and no check takes: a bug does not train.
func (v Values) Of(key string) float64 {
	if x, ok := v[key]; ok {
		return x
	}
	return math.NaN()
}

// Defaults returns the values of parameters where none were given.
func Defaults(ps []Parameter) Values {
	v := Values{}
	for _, p := range ps {
		v[p.Key] = p.Default
	}
	return v
}

// Entry is an entry of a registry.
type Entry interface{ Declares() []Parameter }

// Readers returns the names of the entries that declare a key, sorted.
func Readers[E Entry](registry map[string]E, key string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(registry)) {
		if slices.ContainsFunc(registry[name].Declares(), func(p Parameter) bool { return p.Key == key }) {
			names = append(names, name)
		}
	}
	return names
}

// Find returns the hyperparameter of a key, and whether an entry declares it.
func Find[E Entry](registry map[string]E, key string) (Parameter, bool) {
	for _, e := range registry { // in any order: all declare it alike
		for _, p := range e.Declares() {
			if p.Key == key {
				return p, true
			}
		}
	}
	return Parameter{}, false
}

// All returns the hyperparameters of a registry, each once, sorted by key.
func All[E Entry](registry map[string]E) (all []Parameter) {
	for _, name := range slices.Sorted(maps.Keys(registry)) {
		for _, p := range registry[name].Declares() {
			if !slices.ContainsFunc(all, func(q Parameter) bool { return q.Key == p.Key }) {
				all = append(all, p)
			}
		}
	}
	slices.SortFunc(all, func(p, q Parameter) int {
		if p.Key < q.Key {
			return -1
		}
		return 1
	})
	return all
}
