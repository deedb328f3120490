// Package methods is the list of every method, by name: those on networks of package graphs and those on papers and authors of
// package hetnet. A new method is a line here, and can then be trained, swept, compared and recorded.
package methods

import (
	"encoding/json"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/network"
)

// All returns every method: first those of the paper's Table 1, in its order, then those of Table 5.
func All() []*graphs.Method { return append(slices.Clone(graphs.Methods()), hetnet.Methods()...) }

// Learn says whether a method can learn from a data set.
func Learn(m *graphs.Method, d network.Dataset) bool {
	if d.Typed {
		return m.Typed && m.Reads("text-length")
	}
	return !m.Typed
}

// Names returns the names of every method.
func Names() (names []string) {
	for _, m := range All() {
		names = append(names, m.Name)
	}
	return names
}

// Find returns the method of a name, or an unknown.Name error, which lists the names there are.
func Find(name string) (*graphs.Method, error) {
	for _, m := range All() {
		if m.Name == name {
			return m, nil
		}
	}
	return nil, unknown.Name{What: "method", Name: name, Known: Names()}
}

// Options returns the options of a method under a protocol (graphs.Standard, Default or Paper). It returns an error for an unknown method.
func Options(method string, protocol graphs.Protocol) (graphs.Options, error) {
	m, err := Find(method)
	if err != nil {
		return graphs.Options{}, err
	}
	return graphs.OptionsOf(m, protocol), nil
}

// Decode returns the options of a method that a JSON object has, as graphs.Options writes them, over those of protocol "validated".
// It returns an error for an unknown method and for values of another kind than their option's.
func Decode(method string, text []byte) (graphs.Options, error) {
	o, err := Options(method, graphs.Validated)
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	return o, err
}

// Declared returns every option there is, of all methods, each once: those that several methods have, those that one has for itself,
// and hyperparameters of entries of registries.
func Declared() (all []option.Param) {
	for _, m := range All() {
		for _, p := range (graphs.Options{Own: m.Own}).Options() {
			if _, there := option.Find(all, p.Key); !there {
				all = append(all, p)
			}
		}
	}
	return all
}

// Readers returns the names of the methods that read an option.
func Readers(key string) (names []string) {
	for _, m := range All() {
		if m.Reads(key) {
			names = append(names, m.Name)
		}
	}
	return names
}
