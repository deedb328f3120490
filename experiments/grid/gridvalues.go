package grid

import (
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
		return yamlfile.Decode(n, g.limit)
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
		if o.Values, o.Range, err = from.limit.read(declared); err != nil {
			err = fmt.Errorf("option %s: %w", o.Name, err)
		}
		return err
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

// read returns the values of a range or, without steps, the range.
func (k rangeKeys) read(d option.Param) (values []any, limits *Range, err error) {
	switch {
	case d.Kind() != reflect.Int && d.Kind() != reflect.Float64:
		return nil, nil, fmt.Errorf("a range: expected %s, or a list", d.KindName())
	case k.From == nil || k.To == nil || !(*k.From < *k.To) || math.IsInf(*k.To-*k.From, 0):
		return nil, nil, errors.New("a range: expected from and to, two numbers, the lower first")
	case k.Scale.Line > 0 && k.Scale.Value != "log" && k.Scale.Value != "linear":
		return nil, nil, unknown.Name{What: "scale", Name: k.Scale.Value, Known: []string{"linear", "log"}}
	}
	from, to, log := *k.From, *k.To, k.Scale.Value == "log"
	switch {
	case k.Steps != nil && (*k.Steps < 2 || *k.Steps > MaxValues):
		return nil, nil, fmt.Errorf("%d steps: expected 2 to %d", *k.Steps, MaxValues)
	case log && from <= 0:
		return nil, nil, fmt.Errorf("from %v with scale log: expected a number above 0", from)
	}
	if k.Steps == nil {
		r := &Range{from, to, log, d.Kind() == reflect.Int}
		if r.count() < 1 {
			return nil, nil, fmt.Errorf("no whole number from %v to %v", from, to)
		}
		return nil, r, nil
	}
	steps := int(*k.Steps)
	for i := range steps {
		x := from + (to-from)*float64(i)/float64(steps-1)
		if log {
			x = from * math.Pow(to/from, float64(i)/float64(steps-1))
		}
		// Twelve digits hide that .001 * 100^.5 is not quite .01, which would be a run of its own.
		var v any = rounded(x, 12)
		if d.Kind() == reflect.Int {
			v = int(math.Round(x))
		}
		if len(values) == 0 || v != values[len(values)-1] {
			values = append(values, v)
		}
	}
	return values, nil, nil
}

// MaxValues of one option, far above any use: a typing error must not ask for all memory.
const MaxValues = 1_000_000
