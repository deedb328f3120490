package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/goccy/go-yaml"
)

// printConfig prints every option of a run as YAML that sweep takes.
func (p *program) printConfig(dataset, protocol string, o graphs.Options) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	var all yaml.MapSlice // JSON is YAML, and keeps its order there
	if err := yaml.Unmarshal(text, &all); err != nil {
		return err
	}
	options := slices.DeleteFunc(all, func(x yaml.MapItem) bool { // those of the sweep, and left out
		return x.Key == "method" || x.Key == "seed" || x.Value == ""
	})
	values := map[string]any{}
	for _, x := range options {
		values[fmt.Sprint(x.Key)] = x.Value
	}
	doc := struct {
		Datasets []string       `yaml:"datasets,flow" json:"datasets"`
		Protocol string         `yaml:"protocol" json:"protocol"`
		Method   string         `yaml:"method" json:"method"`
		Seeds    []uint64       `yaml:"seeds,flow" json:"seeds"`
		Options  yaml.MapSlice  `yaml:"options" json:"-"`
		Values   map[string]any `yaml:"-" json:"options"` // the same, without an order
	}{[]string{dataset}, protocol, o.Method.Name, []uint64{o.Seed}, options, values}
	return p.emit(doc, func(b *printout) {
		plain := yaml.CustomMarshaler(func(x float64) ([]byte, error) { return strconv.AppendFloat(nil, x, 'f', -1, 64), nil }) // 1e-05 is a word to some readers
		b.err = yaml.NewEncoder(b, plain).Encode(doc)
	})
}
