package graphs

import (
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/option"
)

// learned returns what the chosen entries declare to be learned, of registries that the method reads. It returns an error for a key that does not begin with the
// option's name, and for one that is given twice.
func (o Options) learned() (all []option.Learned, err error) {
	seen := map[string]bool{}
	for _, c := range o.choices() {
		for _, name := range c.chosen {
			for _, l := range option.Learns(c.entries, name) {
				switch {
				case !o.Method.lists(c.option):
					continue
				case !strings.HasPrefix(l.Key, c.option+"-") || seen[l.Key]:
					return nil, fmt.Errorf("%s %s learns %q: expected a key of its own that starts with %s-", c.option, name, l.Key, c.option)
				case o.Method.Typed:
					return nil, fmt.Errorf("%s %s learns %s: expected a method on links, which %s is not", c.option, name, l.Key, o.Method.Name)
				}
				seen[l.Key] = true
				all = append(all, l)
			}
		}
	}
	return all, nil
}

// Learns says which tables the chosen entries add to a model, by their keys.
func (o Options) Learns() (keys []string) {
	all, _ := o.learned() // Validate has the error
	for _, l := range all {
		keys = append(keys, l.Key)
	}
	return keys
}

// learnedTables returns the tables that the chosen entries declare, as they begin, of a model over some vertices.
func (o Options) learnedTables(vertices int) (tables []*engine.Table) {
	all, _ := o.learned()
	for _, l := range all {
		rows, width := vertices, l.Width
		if l.Shared {
			rows = 1
		}
		switch width {
		case 0:
			width = o.Dim
		case option.PerAspect:
			if width = 1; !o.flat() {
				width = o.Aspects
			}
		}
		t := engine.NewTable(l.Key, rows, width)
		t.InitNormal(o.Seed, l.Spread)
		for i := range t.X {
			t.X[i] += float32(l.Init)
		}
		tables = append(tables, t)
	}
	return tables
}
