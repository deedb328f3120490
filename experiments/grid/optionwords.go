package grid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/methods"
)

// FindOption returns the option of a key that a run can be asked for: method and seed are none, they have places of their own.
func FindOption(key string) (option.Param, bool) {
	if key == "seed" {
		return option.Param{}, false
	}
	return option.Find(methods.Declared(), key)
}

// OptionNames are the keys of those.
func OptionNames() (names []string) {
	for _, d := range methods.Declared() {
		if d.Key != "seed" {
			names = append(names, d.Key)
		}
	}
	slices.Sort(names)
	return names
}

// OptionWords returns the method and the options that it reads as words, by name, with every 0 that stands for a default replaced.
func OptionWords(o graphs.Options) map[string]string {
	o = o.Complete()
	words := map[string]string{"method": o.Method.Name}
	for _, key := range o.Written() {
		value, _ := o.Get(key)
		words[key] = Word(value)
	}
	return words
}

// SetWords returns options with the values that settings give, "option=value" each. It returns an error for anything else, for options that the
// method does not read, and for values that they do not take.
func SetWords(o graphs.Options, settings []string) (graphs.Options, error) {
	var g Grid
	var values Combination
	for _, setting := range settings {
		name, word, ok := strings.Cut(setting, "=")
		declared, _ := option.Find(o.Options(), name)
		switch {
		case !ok || name == "method":
			return o, fmt.Errorf("experiments: %q: expected option=value", setting)
		case !o.Method.Reads(name):
			return o, fmt.Errorf("experiments: %s has no option %q: expected one of %s", o.Method, name, strings.Join(o.Method.All(), ", "))
		}
		v, err := declared.Parse(word)
		if err != nil {
			return o, fmt.Errorf("experiments: %w", err)
		}
		g, values = append(g, Option{Name: name}), append(values, v)
	}
	g.Give(&o)
	g.Set(&o, values)
	return o.Resolve()
}
