package grid

import (
	"maps"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/methods"
)

// ProtocolName returns the name of a protocol as it stands. It returns an unknown.Name error, which lists the protocols, for any other.
func ProtocolName(name string) (string, error) {
	if _, ok := run.Protocols[name]; !ok {
		return "", unknown.Name{What: "protocol", Name: name, Known: slices.Sorted(maps.Keys(run.Protocols))}
	}
	return name, nil
}

// MethodName returns the name of a method as it stands. It returns an unknown.Name error, which lists the methods, for any other.
func MethodName(name string) (string, error) {
	if _, err := methods.Find(name); err != nil {
		return "", unknown.Name{What: "method", Name: name, Known: methods.Names()}
	}
	return name, nil
}
