package grid

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/internal/yamlnode"
)

// Read reads options and their values. It returns an error, with its line, for an unknown option, one given twice, method and seed (which
// stand elsewhere in a sweep), and values that the option does not take.
func (g *Grid) Read(n *yaml.Node) error { return yamlnode.Fields(n, "option", g.readOption) }

func (g *Grid) readOption(key, n *yaml.Node) error {
	declared, ok := FindOption(key.Value)
	switch {
	case key.Value == "method":
		return yamlnode.Errorf(key, "option method: want it next to options, as method: NAME")
	case key.Value == "seed":
		return yamlnode.Errorf(key, "option seed: want it next to options, as seeds: COUNT or seeds: [SEED, ...]")
	case !ok:
		return yamlnode.Error(key, unknown.Name{What: "option", Name: key.Value, Known: OptionNames()})
	}
	o := Option{Name: key.Value, Line: key.Line}
	var err error
	if n.Kind == yaml.MappingNode {
		o.Values, o.Range, err = readRange(n, declared)
	} else {
		o.Values, err = readValues(n, declared)
	}
	*g = append(*g, o)
	return err
}

// readValues reads one value or several.
func readValues(n *yaml.Node, d option.Option) (values []json.RawMessage, err error) {
	list, err := yamlnode.Items(n, "value")
	seen := map[string]bool{}
	for _, item := range list {
		v, err := yamlValue(item, d)
		if err != nil {
			return nil, yamlnode.Error(item, err)
		}
		if seen[string(v)] {
			return nil, yamlnode.Errorf(item, "option %s: %s is given twice", d.Key, yamlnode.Text(item))
		}
		seen[string(v)] = true
		values = append(values, v)
	}
	return values, err
}

// yamlValue returns a YAML value of an option as JSON: a word may look like a number or a truth value, as that of walks-in-memory
// does.
func yamlValue(n *yaml.Node, d option.Option) (json.RawMessage, error) {
	wanted := fmt.Errorf("option %s: %s: want %s", d.Key, yamlnode.Text(n), d.KindName())
	if tag := n.ShortTag(); n.Kind != yaml.ScalarNode || tag == "!!null" || tag == "!!str" && d.Kind != reflect.String {
		return nil, wanted
	}
	if d.Kind == reflect.String {
		return strconv.AppendQuote(nil, n.Value), nil
	}
	v := reflect.New(reflect.TypeOf(d.Default))
	if err := n.Decode(v.Interface()); err != nil || d.Kind == reflect.Int && n.ShortTag() == "!!float" { // which would lose what is behind the point
		return nil, wanted
	}
	text, err := json.Marshal(v.Interface())
	if err != nil {
		return nil, wanted
	}
	return text, nil
}

// ParseValue returns as JSON a value of an option that is written as in YAML: .5, 1e-3, true. The text of an option of words is taken as
// it is, quotes included. It returns an error for a value of another kind than the option's.
func ParseValue(text string, d option.Option) (json.RawMessage, error) {
	n := yaml.Node{Kind: yaml.ScalarNode, Value: text}
	return yamlValue(&n, d)
}

// readRange reads {from, to, steps, scale}: its values or, without steps, the range.
func readRange(n *yaml.Node, d option.Option) ([]json.RawMessage, *Range, error) {
	const none = math.MinInt
	if d.Kind != reflect.Int && d.Kind != reflect.Float64 {
		return nil, nil, yamlnode.Errorf(n, "option %s: a range: want %s, or a list", d.Key, d.KindName())
	}
	from, to, steps, scale := math.NaN(), math.NaN(), none, "linear"
	parts := map[string]any{"from": &from, "to": &to, "steps": &steps, "scale": &scale}
	if err := yamlnode.Fields(n, "key of a range", func(key, value *yaml.Node) error {
		part, ok := parts[key.Value]
		if !ok {
			return yamlnode.Error(key, unknown.Name{What: "key of a range", Name: key.Value, Known: slices.Sorted(maps.Keys(parts))})
		}
		if value.Decode(part) != nil {
			return yamlnode.Errorf(value, "%s of %s: %s: want a number", key.Value, d.Key, yamlnode.Text(value))
		}
		return nil
	}); err != nil {
		return nil, nil, err
	}
	switch {
	case !(from < to) || math.IsInf(to-from, 0):
		return nil, nil, yamlnode.Errorf(n, "option %s: from %v to %v: want two numbers, the lower first", d.Key, from, to)
	case steps != none && (steps < 2 || steps > MaxValues):
		return nil, nil, yamlnode.Errorf(n, "option %s: %d steps: want 2 to %d", d.Key, steps, MaxValues)
	case scale != "linear" && scale != "log":
		return nil, nil, yamlnode.Error(n, unknown.Name{What: "scale of " + d.Key, Name: scale, Known: []string{"linear", "log"}})
	case scale == "log" && from <= 0:
		return nil, nil, yamlnode.Errorf(n, "option %s: from %v with scale log: want a number above 0", d.Key, from)
	}
	if steps == none {
		r := &Range{from, to, scale == "log", d.Kind == reflect.Int}
		if r.count() < 1 {
			return nil, nil, yamlnode.Errorf(n, "option %s: no whole number from %v to %v", d.Key, from, to)
		}
		return nil, r, nil
	}
	var values []json.RawMessage
	for i := range steps {
		x := from + (to-from)*float64(i)/float64(steps-1)
		if scale == "log" {
			x = from * math.Pow(to/from, float64(i)/float64(steps-1))
		}
		text := strconv.FormatFloat(x, 'g', 12, 64)
		if d.Kind == reflect.Int {
			text = strconv.FormatFloat(math.Round(x), 'f', 0, 64)
		}
		// Twelve digits hide that .001 * 100^.5 is not quite .01, which would be a run of its own.
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, nil, yamlnode.Errorf(n, "option %s: %w", d.Key, err)
		}
		v, err := json.Marshal(x)
		if err != nil {
			return nil, nil, yamlnode.Errorf(n, "option %s: %w", d.Key, err)
		}
		if len(values) == 0 || !bytes.Equal(v, values[len(values)-1]) {
			values = append(values, v)
		}
	}
	return values, nil, nil
}

// MaxValues of one option, far above any use: a typing error must not ask for all memory.
const MaxValues = 1_000_000
