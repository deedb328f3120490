package grid

import (
	"maps"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/methods"
)

func ProtocolName(name string) (string, error) {
	if _, ok := run.Protocols[name]; !ok {
		return "", unknown.Name{What: "protocol", Name: name, Known: slices.Sorted(maps.Keys(run.Protocols))}
	}
	return name, nil
}

func MethodName(name string) (string, error) {
	if _, err := methods.Find(name); err != nil {
		return "", unknown.Name{What: "method", Name: name, Known: methods.Names()}
	}
	return name, nil
}
