package grid

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/goccy/go-yaml/ast"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/internal/yamlfile"
)

// given is what a file gives an option: a value, several, or a range.
type given struct {
	list  yamlfile.List[yamlfile.Scalar]
	limit *rangeKeys
}

// UnmarshalYAML reads it.
func (g *given) UnmarshalYAML(n ast.Node) error {
	if _, ranged := n.(ast.MapNode); ranged {
		g.limit = &rangeKeys{}
		return cmp.Or(yamlfile.Decode(n, g.limit), yamlfile.OneOf(g.limit.Scale, "scale", "linear", "log"))
	}
	return g.list.UnmarshalYAML(n)
}

// UnmarshalYAML reads options and their values. It returns an error, with its line, for an unknown option, method and seed (which
// stand elsewhere in a sweep), and values that the option does not take.
func (g *Grid) UnmarshalYAML(n ast.Node) error {
	var all yamlfile.Map[given]
	if err := all.UnmarshalYAML(n); err != nil {
		return err
	}
	for _, e := range all {
		o := Option{Name: e.Name, Line: e.Line}
		if err := o.read(e.Value); err != nil {
			return fmt.Errorf("%d: %w", o.Line, err)
		}
		*g = append(*g, o)
	}
	return nil
}

func (o *Option) read(from given) (err error) {
	declared, ok := FindOption(o.Name)
	switch {
	case o.Name == "method":
		return errors.New("option method: expected it next to options, as method: NAME")
	case o.Name == "seed":
		return errors.New("option seed: expected it next to options, as seeds: COUNT or seeds: [SEED, ...]")
	case !ok:
		return unknown.Name{What: "option", Name: o.Name, Known: OptionNames()}
	case from.limit != nil:
		return o.between(*from.limit, declared)
	}
	for _, item := range from.list.Values() {
		v, err := declared.Parse(item.Text)
		switch {
		case err != nil:
			return err
		case item.Quoted && declared.Kind() != reflect.String: // a word may look like a number, but a number may not stand in quotes
			return declared.Not(item.Text)
		case slices.Contains(o.Values, v):
			return fmt.Errorf("option %s: %s is given twice", o.Name, item.Text)
		}
		o.Values = append(o.Values, v)
	}
	if len(o.Values) == 0 {
		return declared.Not("")
	}
	return nil
}

// rangeKeys are those of a range.
type rangeKeys struct {
	From  *float64            `yaml:"from"`
	To    *float64            `yaml:"to"`
	Steps *yamlfile.Whole     `yaml:"steps"`
	Scale yamlfile.At[string] `yaml:"scale"`
}

// between gives the option the values of a range or, without steps, the range.
func (o *Option) between(k rangeKeys, d option.Param) error {
	log, whole := k.Scale.Value == "log", d.Kind() == reflect.Int
	switch {
	case !whole && d.Kind() != reflect.Float64:
		return fmt.Errorf("option %s: a range: expected %s, or a list", o.Name, d.KindName())
	case k.From == nil || k.To == nil || !(*k.From < *k.To) || math.IsInf(*k.To-*k.From, 0):
		return fmt.Errorf("option %s: a range: expected from and to, two numbers, the lower first", o.Name)
	case k.Steps != nil && (*k.Steps < 2 || *k.Steps > MaxValues):
		return fmt.Errorf("option %s: %d steps: expected 2 to %d", o.Name, *k.Steps, MaxValues)
	case log && *k.From <= 0:
		return fmt.Errorf("option %s: from %v with scale log: expected a number above 0", o.Name, *k.From)
	}
	r := Range{*k.From, *k.To, log, whole}
	if k.Steps == nil {
		if o.Range = &r; r.count() < 1 {
			return fmt.Errorf("option %s: no whole number from %v to %v", o.Name, r.From, r.To)
		}
		return nil
	}
	for i := range int(*k.Steps) {
		at, end := float64(i), float64(*k.Steps-1)
		x := r.From + (r.To-r.From)*at/end
		if log {
			x = r.From * math.Pow(r.To/r.From, at/end)
		}
		// Twelve digits hide that .001 * 100^.5 is not quite .01, which would be a run of its own.
		var v any = rounded(x, 12)
		if whole {
			v = int(math.Round(x))
		}
		if len(o.Values) == 0 || v != o.Values[len(o.Values)-1] {
			o.Values = append(o.Values, v)
		}
	}
	return nil
}

// MaxValues of one option, far above any use: a typing error must not ask for all memory.
const MaxValues = 1_000_000
