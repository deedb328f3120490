package graphs

import (
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/internal/registry"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// values are what a test gives options, by key.
type values = map[string]any

// defaults returns the options of a method under a protocol.
func defaults(method string, protocol Protocol) Options {
	return OptionsOf(MethodOf(method), protocol)
}

// add adds an entry to a registry for the time of a test.
func add[T any](t *testing.T, to *registry.Of[T], name string, entry T) {
	to.Add(name, entry)
	t.Cleanup(func() { to.Remove(name) })
}

// embeddingOf returns the vectors of a learner, or fails the test.
func embeddingOf(t testing.TB, l Learner) Embedding {
	t.Helper()
	return call.Of(l.Embedding())(t)
}

// Near says whether two lists are as long, and their largest difference is within tolerance of the largest value, or of unit if that is
// larger: some gradients are zero but for rounding. It is false for NaN.
func Near[T float32 | float64](x, y []T, unit, tolerance float64) bool {
	if len(x) != len(y) {
		return false
	}
	scale, worst := unit, 0.0
	for i := range x {
		a, b := float64(x[i]), float64(y[i])
		scale, worst = max(scale, math.Abs(a), math.Abs(b)), max(worst, math.Abs(a-b))
	}
	return worst <= tolerance*scale
}
