package grid

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/internal/yamlfile"
	"github.com/asp2vec/asp2vec/results/render"
)

// UnmarshalYAML reads options and their values. It returns an error, with its line, for an unknown option, method and seed (which
// stand elsewhere in a sweep), and values that the option does not take.
func (g *Grid) UnmarshalYAML(n ast.Node) error {
	entries, err := yamlfile.Entries(n, "option")
	for _, e := range entries {
		o, err := readOption(e)
		if err != nil {
			return err
		}
		*g = append(*g, o)
	}
	return err
}

func readOption(e yamlfile.Entry) (o Option, err error) {
	declared, ok := FindOption(e.Name)
	switch {
	case e.Name == "method":
		return o, yamlfile.Errorf(e.Key, "option method: want it next to options, as method: NAME")
	case e.Name == "seed":
		return o, yamlfile.Errorf(e.Key, "option seed: want it next to options, as seeds: COUNT or seeds: [SEED, ...]")
	case !ok:
		return o, yamlfile.Error(e.Key, unknown.Name{What: "option", Name: e.Name, Known: OptionNames()})
	}
	o = Option{Name: e.Name, Line: yamlfile.Line(e.Key)}
	if _, ranged := e.Value.(ast.MapNode); ranged {
		o.Values, o.Range, err = readRange(e.Value, declared)
	} else {
		o.Values, err = readValues(e.Value, declared)
	}
	return o, err
}

// readValues reads one value or several.
func readValues(n ast.Node, d option.Option) (values []json.RawMessage, err error) {
	list, err := yamlfile.Items(n, "value")
	seen := map[string]bool{}
	for _, item := range list {
		v, err := readValue(item, d)
		if err != nil {
			return nil, yamlfile.Error(item, err)
		}
		if seen[string(v)] {
			return nil, yamlfile.Errorf(item, "option %s: %s is given twice", d.Key, yamlfile.Text(item))
		}
		seen[string(v)] = true
		values = append(values, v)
	}
	return values, err
}

// readValue returns a YAML value of an option as JSON: a word may look like a number or a truth value, as that of walks-in-memory
// does, but a number may not stand in quotes.
func readValue(n ast.Node, d option.Option) (json.RawMessage, error) {
	word, ok := yamlfile.Word(n)
	if !ok || yamlfile.Quoted(n) && d.Kind != reflect.String {
		return nil, notOf(d, yamlfile.Text(n))
	}
	return ParseValue(word, d)
}

// notOf is the error for a text that is no value of an option.
func notOf(d option.Option, text string) error {
	return fmt.Errorf("option %s: %s: want %s", d.Key, text, d.KindName())
}

// ParseValue returns as JSON a value of an option that is written as in YAML: .5, 1e-3, 1_000, true. The text of an option of words is taken as
// it is, quotes included. It returns an error for a value of another kind than the option's.
func ParseValue(text string, d option.Option) (json.RawMessage, error) {
	var v any
	var err error
	switch d.Kind {
	case reflect.String:
		return strconv.AppendQuote(nil, text), nil
	case reflect.Bool:
		v, err = strconv.ParseBool(strings.ToLower(text))
		if len(text) == 1 {
			err = strconv.ErrSyntax // 1 and t are no truth values
		}
	case reflect.Int:
		v, err = strconv.ParseInt(text, 0, strconv.IntSize)
	default:
		v, err = strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	}
	if err == nil {
		var value json.RawMessage
		if value, err = json.Marshal(v); err == nil { // which has no NaN
			return value, nil
		}
	}
	return nil, notOf(d, render.Printable(fmt.Sprintf("%.60s", text)))
}

// rangeKeys are those of a range.
type rangeKeys struct {
	From  yamlfile.Node `yaml:"from"`
	To    yamlfile.Node `yaml:"to"`
	Steps yamlfile.Node `yaml:"steps"`
	Scale yamlfile.Node `yaml:"scale"`
}

// readRange reads {from, to, steps, scale}: its values or, without steps, the range.
func readRange(n ast.Node, d option.Option) ([]json.RawMessage, *Range, error) {
	const none = math.MinInt
	if d.Kind != reflect.Int && d.Kind != reflect.Float64 {
		return nil, nil, yamlfile.Errorf(n, "option %s: a range: want %s, or a list", d.Key, d.KindName())
	}
	var keys rangeKeys
	if err := yamlfile.Fields(n, "key of a range", &keys); err != nil {
		return nil, nil, err
	}
	from, to, steps := math.NaN(), math.NaN(), none
	for _, part := range []struct {
		name string
		at   ast.Node
		to   any
	}{{"from", keys.From.Part, &from}, {"to", keys.To.Part, &to}, {"steps", keys.Steps.Part, &steps}} {
		if part.at == nil {
			continue
		}
		v, err := readValue(part.at, option.Option{Kind: reflect.TypeOf(part.to).Elem().Kind()})
		if err == nil {
			err = json.Unmarshal(v, part.to)
		}
		if err != nil {
			return nil, nil, yamlfile.Errorf(part.at, "%s of %s: %s: want a number", part.name, d.Key, yamlfile.Text(part.at))
		}
	}
	scale, err := yamlfile.OneOf(keys.Scale, "scale of "+d.Key, "linear", "log")
	if err != nil {
		return nil, nil, err
	}
	switch {
	case !(from < to) || math.IsInf(to-from, 0):
		return nil, nil, yamlfile.Errorf(n, "option %s: from %v to %v: want two numbers, the lower first", d.Key, from, to)
	case steps != none && (steps < 2 || steps > MaxValues):
		return nil, nil, yamlfile.Errorf(n, "option %s: %d steps: want 2 to %d", d.Key, steps, MaxValues)
	case scale == "log" && from <= 0:
		return nil, nil, yamlfile.Errorf(n, "option %s: from %v with scale log: want a number above 0", d.Key, from)
	}
	if steps == none {
		r := &Range{from, to, scale == "log", d.Kind == reflect.Int}
		if r.count() < 1 {
			return nil, nil, yamlfile.Errorf(n, "option %s: no whole number from %v to %v", d.Key, from, to)
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
			return nil, nil, yamlfile.Errorf(n, "option %s: %w", d.Key, err)
		}
		v, err := json.Marshal(x)
		if err != nil {
			return nil, nil, yamlfile.Errorf(n, "option %s: %w", d.Key, err)
		}
		if len(values) == 0 || !bytes.Equal(v, values[len(values)-1]) {
			values = append(values, v)
		}
	}
	return values, nil, nil
}

// MaxValues of one option, far above any use: a typing error must not ask for all memory.
const MaxValues = 1_000_000
