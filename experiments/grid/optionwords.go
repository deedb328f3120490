package grid

import (
	"encoding/json"
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

// OptionWords returns the options that the method reads as words, by name, with every 0 that stands for a default
// replaced. It returns an error for numbers that JSON does not hold.
func OptionWords(o graphs.Options) (map[string]string, error) {
	text, err := json.Marshal(o.Complete())
	if err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	words := make(map[string]string, len(raw))
	for name, v := range raw {
		var word string
		if json.Unmarshal(v, &word) != nil {
			word = string(v)
		}
		words[name] = word
	}
	return words, nil
}

// SetWords returns options with the values that settings give, "option=value" each. It returns an error for anything else, for options that the
// method does not read, and for values that they do not take.
func SetWords(o graphs.Options, settings []string) (graphs.Options, error) {
	var g Grid
	var values Combination
	for _, setting := range settings {
		name, word, ok := strings.Cut(setting, "=")
		declared, known := FindOption(name)
		switch {
		case !ok || name == "method":
			return o, fmt.Errorf("experiments: %q: expected option=value", setting)
		case !known || !o.Method.Reads(name):
			return o, fmt.Errorf("experiments: %s has no option %q: expected one of %s", o.Method.Name, name, strings.Join(o.Method.All(), ", "))
		}
		v, err := declared.Parse(word)
		if err != nil {
			return o, fmt.Errorf("experiments: %w", err)
		}
		g, values = append(g, Option{Name: name}), append(values, v)
	}
	g.Give(&o)
	if _, err := g.Set(&o, values); err != nil {
		return o, fmt.Errorf("experiments: %w", err)
	}
	return o.Resolve()
}
