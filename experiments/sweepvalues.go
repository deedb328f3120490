package experiments

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"gopkg.in/yaml.v3"
)

// sortedNames returns the names of a map, sorted.
func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// readersOf returns the methods that read an option.
func readersOf(option string) (methods []string) {
	for _, m := range graphs.Methods() {
		if m.Reads(option) {
			methods = append(methods, m.Name)
		}
	}
	return methods
}

// optionKinds are the options that a run can be asked for, and the kinds of their values. Method and seed are no part of
// them: they have places of their own.
func optionKinds() map[string]reflect.Kind {
	kinds := map[string]reflect.Kind{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[graphs.Options]()) {
		kinds[f.Tag.Get("json")] = f.Type.Kind()
	}
	for _, h := range graphs.Hyperparameters() {
		kinds[h.Key] = reflect.Float64
	}
	delete(kinds, "-")
	delete(kinds, "method")
	delete(kinds, "seed")
	return kinds
}

// kindName says what the values of an option are.
func kindName(k reflect.Kind) string {
	switch k {
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Bool:
		return "true or false"
	}
	return "a word"
}

func (s *Sweep) readOption(key, n *yaml.Node) error {
	kinds := optionKinds()
	kind, ok := kinds[key.Value]
	switch {
	case key.Value == "method":
		return lineErrorf(key, "option method: want it beside options, as method: NAME")
	case key.Value == "seed":
		return lineErrorf(key, "option seed: want it beside options, as seeds: COUNT or seeds: [SEED, ...]")
	case !ok:
		return lineError(key, UnknownName{"option", key.Value, sortedNames(kinds)})
	}
	o := SweepOption{Name: key.Value, Line: key.Line}
	var err error
	if n.Kind == yaml.MappingNode {
		o.Values, err = readRange(n, key.Value, kind)
	} else {
		o.Values, err = readValues(n, key.Value)
	}
	s.Options = append(s.Options, o)
	return err
}

// readValues reads one value or several.
func readValues(n *yaml.Node, option string) (values []json.RawMessage, err error) {
	list, err := itemsOf(n, "value")
	seen := map[string]bool{}
	for _, item := range list {
		v, err := yamlValue(item, option)
		if err != nil {
			return nil, lineError(item, err)
		}
		if seen[string(v)] {
			return nil, lineErrorf(item, "option %s: %s is given twice", option, yamlText(item))
		}
		seen[string(v)] = true
		values = append(values, v)
	}
	return values, err
}

// yamlValue returns a YAML value of an option as JSON.
func yamlValue(n *yaml.Node, option string) (json.RawMessage, error) {
	var v any = n.Value
	if tag := n.ShortTag(); tag == "!!int" || tag == "!!float" || tag == "!!bool" {
		if err := n.Decode(&v); err != nil {
			return nil, fmt.Errorf("option %s: %w", option, err)
		}
	} else if n.Kind != yaml.ScalarNode || tag == "!!null" {
		return nil, fmt.Errorf("option %s: %s: want %s", option, yamlText(n), kindName(optionKinds()[option]))
	}
	text, err := json.Marshal(v)
	if err == nil {
		text, err = setOption(new(graphs.Options), option, text)
	}
	if err != nil {
		return nil, fmt.Errorf("option %s: %s: want %s", option, yamlText(n), kindName(optionKinds()[option]))
	}
	return text, nil
}

// parseValue returns a value of an option, as YAML would have it after a colon, as JSON.
func parseValue(text, option string) (json.RawMessage, error) {
	n := yaml.Node{Kind: yaml.ScalarNode, Value: text}
	return yamlValue(&n, option)
}

// setOption sets an option from JSON, and returns the value as it was taken: a word may look like a number or a truth value,
// as that of walks-in-memory does.
func setOption(o *graphs.Options, option string, value json.RawMessage) (json.RawMessage, error) {
	err := json.Unmarshal(fmt.Appendf(nil, "{%q:%s}", option, value), o)
	if err == nil || bytes.HasPrefix(value, []byte(`"`)) {
		return value, err
	}
	value = strconv.AppendQuote(nil, string(value))
	return value, json.Unmarshal(fmt.Appendf(nil, "{%q:%s}", option, value), o)
}

// readRange reads {from, to, steps, scale}.
func readRange(n *yaml.Node, option string, kind reflect.Kind) ([]json.RawMessage, error) {
	if kind != reflect.Int && kind != reflect.Float64 {
		return nil, lineErrorf(n, "option %s: a range: want %s, or a list", option, kindName(kind))
	}
	from, to, steps, scale := math.NaN(), math.NaN(), 0, "linear"
	parts := map[string]any{"from": &from, "to": &to, "steps": &steps, "scale": &scale}
	if err := eachField(n, "key of a range", func(key, value *yaml.Node) error {
		part, ok := parts[key.Value]
		if !ok {
			return lineError(key, UnknownName{"key of a range", key.Value, sortedNames(parts)})
		}
		if value.Decode(part) != nil {
			return lineErrorf(value, "%s of %s: %s: want a number", key.Value, option, yamlText(value))
		}
		return nil
	}); err != nil {
		return nil, err
	}
	switch {
	case !(from < to) || math.IsInf(to-from, 0):
		return nil, lineErrorf(n, "option %s: from %v to %v: want two numbers, the lower first", option, from, to)
	case steps < 2 || steps > maxValues:
		return nil, lineErrorf(n, "option %s: %d steps: want 2 to %d", option, steps, maxValues)
	case scale != "linear" && scale != "log":
		return nil, lineError(n, UnknownName{"scale of " + option, scale, []string{"linear", "log"}})
	case scale == "log" && from <= 0:
		return nil, lineErrorf(n, "option %s: from %v with scale log: want a number above 0", option, from)
	}
	var values []json.RawMessage
	for i := range steps {
		x := from + (to-from)*float64(i)/float64(steps-1)
		if scale == "log" {
			x = from * math.Pow(to/from, float64(i)/float64(steps-1))
		}
		text := strconv.FormatFloat(x, 'g', 12, 64)
		if kind == reflect.Int {
			text = strconv.FormatFloat(math.Round(x), 'f', 0, 64)
		}
		// Twelve digits hide that .001 * 100^.5 is not quite .01, which would be a run of its own.
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, lineErrorf(n, "option %s: %w", option, err)
		}
		v, err := json.Marshal(x)
		if err != nil {
			return nil, lineErrorf(n, "option %s: %w", option, err)
		}
		if len(values) == 0 || !bytes.Equal(v, values[len(values)-1]) {
			values = append(values, v)
		}
	}
	return values, nil
}

// optionWords returns the options that the method reads as words, by name, with every 0 that stands for a default replaced.
func optionWords(o graphs.Options) (map[string]string, error) {
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
		words[name] = strings.Trim(string(v), `"`)
	}
	return words, nil
}
