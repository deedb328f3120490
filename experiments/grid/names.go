package grid

import (
	"slices"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/internal/unknown"
)

// ProtocolName returns the name of a protocol as it stands. It returns an unknown.Name error, which lists the protocols, for any other.
func ProtocolName(name string) (string, error) {
	if !slices.Contains(run.Protocols, name) {
		return "", unknown.Name{What: "protocol", Name: name, Known: run.Protocols}
	}
	return name, nil
}
