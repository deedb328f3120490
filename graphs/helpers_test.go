package graphs

import (
	"maps"
	"slices"
	"testing"
)

// defaults returns the options of a method under a protocol.
func defaults(method string, protocol func() Options) Options {
	return OptionsOf(MethodOf(method), protocol)
}

// registered returns the names of a registry, sorted.
func registered[V any](registry map[string]V) []string { return slices.Sorted(maps.Keys(registry)) }

// embeddingOf returns the vectors of a learner, or fails the test.
func embeddingOf(t testing.TB, l Learner) Embedding {
	t.Helper()
	e, err := l.Embedding()
	if err != nil {
		t.Fatal(err)
	}
	return e
}
