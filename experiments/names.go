package experiments

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
)

// compareNetworks puts networks in the order of the paper, and others after them.
func CompareNetworks(a, b string) int {
	rank := func(name string) int {
		all := network.Datasets()
		if i := slices.IndexFunc(all, func(d network.Dataset) bool { return d.Name == name }); i >= 0 {
			return i
		}
		return len(all)
	}
	return cmp.Or(rank(a)-rank(b), cmp.Compare(a, b))
}

// compareMethods puts methods in the order of the paper.
func CompareMethods(a, b string) int { return MethodRank(a) - MethodRank(b) }

func MethodRank(name string) int { return slices.Index(methods.Names(), name) }

func protocolName(name string) (string, error) {
	if _, ok := Protocols[name]; !ok {
		return "", unknown.Name{What: "protocol", Name: name, Known: slices.Sorted(maps.Keys(Protocols))}
	}
	return name, nil
}

func methodName(name string) (string, error) {
	if _, err := methods.Find(name); err != nil {
		return "", unknown.Name{What: "method", Name: name, Known: methods.Names()}
	}
	return name, nil
}

// optionOf returns the option of a key that a run can be asked for: method and seed are none, they have places of their own.
func optionOf(key string) (option.Option, bool) {
	if key == "seed" {
		return option.Option{}, false
	}
	return option.Find(methods.Declared(), key)
}

// optionNames are the keys of those.
func optionNames() (names []string) {
	for _, d := range methods.Declared() {
		if d.Key != "seed" {
			names = append(names, d.Key)
		}
	}
	slices.Sort(names)
	return names
}

// optionWords returns the options that the method reads as words, by name, with every 0 that stands for a default replaced.
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
		words[name] = wordOf(v)
	}
	return words, nil
}

// bibliography is the paper's data set of Tables 5 and 6, and that of their claims. Others are to be named.
const PaperBibliography = "DBLP"
