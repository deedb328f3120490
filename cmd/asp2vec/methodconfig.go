package main

import (
	"encoding/json"

	"github.com/asp2vec/asp2vec/graphs"
	"gopkg.in/yaml.v3"
)

// printConfig prints every option of a run as YAML that sweep takes.
func (p *program) printConfig(dataset, protocol string, o graphs.Options) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	var all yaml.Node // JSON is YAML, and keeps its order there
	if err := yaml.Unmarshal(text, &all); err != nil {
		return err
	}
	chosen := all.Content[0]
	chosen.Style = 0
	kept := chosen.Content[:0]
	for i := 0; i+1 < len(chosen.Content); i += 2 {
		key, value := chosen.Content[i], chosen.Content[i+1]
		if key.Value == "method" || key.Value == "seed" || value.Value == "" { // of the sweep; left out
			continue
		}
		key.Style, value.Style = 0, 0
		kept = append(kept, key, value)
	}
	chosen.Content = kept
	doc := struct {
		Datasets []string       `yaml:"datasets,flow" json:"datasets"`
		Protocol string         `yaml:"protocol" json:"protocol"`
		Method   string         `yaml:"method" json:"method"`
		Seeds    []uint64       `yaml:"seeds,flow" json:"seeds"`
		Options  *yaml.Node     `yaml:"options" json:"-"`
		Values   map[string]any `yaml:"-" json:"options"` // the same, without an order
	}{[]string{dataset}, protocol, o.Method.Name, []uint64{o.Seed}, chosen, nil}
	if err := chosen.Decode(&doc.Values); err != nil {
		return err
	}
	return p.emit(doc, func(b *printout) {
		enc := yaml.NewEncoder(b)
		enc.SetIndent(2)
		b.err = enc.Encode(doc)
	})
}
