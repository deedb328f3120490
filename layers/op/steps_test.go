package op_test

import (
	"math"

	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	G "gorgonia.org/gorgonia"
)

// many is an op of any number of inputs.
func many(f func(xs ...*G.Node) (*G.Node, error)) gradcheck.Build {
	return func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return f(in...) }
}

func linear(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return op.Linear(in[0], in[1], in[2]) }

var linearCases = map[string]opCase{
	"by hand":      of(linear, floats("x", []int{2, 2}, 1, 2, 3, 4), floats("w", []int{3, 2}, 1, 0, 0, 1, 1, -1), floats("bias", []int{3}, 0, 10, 20)).is(1, 12, 19, 3, 14, 19),
	"without bias": of(binary(func(x, w *G.Node) (*G.Node, error) { return op.Linear(x, w, nil) }), floats("x", []int{1, 2}, 1, 2), floats("w", []int{2, 2}, 3, 4, 5, 6)).is(11, 17),
	"odd sizes":    of(linear, normal("x", 3, 5), normal("w", 7, 5), normal("bias", 7)),
	"one element":  of(linear, normal("x", 1, 1), normal("w", 1, 1), normal("bias", 1)),
}

var rowsCases = map[string]opCase{
	"of a matrix": of(unary(func(x *G.Node) (*G.Node, error) { return op.Rows(x, 1, 3) }), floats("x", []int{4, 2}, 1, 2, 3, 4, 5, 6, 7, 8)).is(3, 4, 5, 6),
	"of a vector": of(unary(func(x *G.Node) (*G.Node, error) { return op.Rows(x, 2, 3) }), floats("x", []int{3}, 1, 2, 3)).is(3),
	// Gorgonia merges slices 0:2 and 256:258.
	"256 apart": of(unary(func(x *G.Node) (*G.Node, error) {
		return G.Add(G.Must(op.Rows(x, 0, 2)), G.Must(op.Rows(x, 256, 258)))
	}), normal("x", 258, 1)),
}

var joinColumnsCases = map[string]opCase{
	"by hand":     of(many(op.JoinColumns), floats("a", []int{2, 1}, 1, 2), floats("b", []int{2, 2}, 3, 4, 5, 6), floats("c", []int{2, 1}, 7, 8)).is(1, 3, 4, 7, 2, 5, 6, 8),
	"one":         of(many(op.JoinColumns), normal("a", 3, 2)),
	"256 wide":    of(many(op.JoinColumns), normal("a", 1, 256), normal("b", 1, 256)),
	"with itself": of(unary(func(x *G.Node) (*G.Node, error) { return op.JoinColumns(x, x) }), normal("a", 2, 2)),
}

func weightedSteps(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
	return op.WeightedSteps(in[0], in[1:]...)
}

var weightedStepsCases = map[string]opCase{
	"by hand":             of(weightedSteps, floats("weight", []int{2, 2}, .5, .5, 1, 2), floats("a", []int{2, 2}, 1, 2, 3, 4), floats("b", []int{2, 2}, 5, 6, 7, 8)).is(3, 4, 17, 20),
	"padding is not read": of(weightedSteps, fixed(floats("weight", []int{1, 2}, 1, 0)), floats("a", []int{1, 2}, 1, 2), fixed(floats("b", []int{1, 2}, math.NaN(), math.Inf(1)))).is(1, 2),
	"random":              of(weightedSteps, normal("weight", 3, 3), normal("a", 3, 4), normal("b", 3, 4), normal("c", 3, 4)),
}

func layerNorm(eps float64) gradcheck.Build {
	return func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return op.LayerNorm(in[0], in[1], in[2], eps) }
}

var layerNormCases = map[string]opCase{
	// Mean 2 and variance 1: with eps = 3 the scale is 1/2.
	"by hand":       of(layerNorm(3), floats("x", []int{1, 2}, 3, 1), floats("gain", []int{2}, 2, 4), floats("bias", []int{2}, 10, 20)).is(11, 18),
	"random":        of(layerNorm(1e-5), normal("x", 3, 5), normal("gain", 5), normal("bias", 5)),
	"equal numbers": of(layerNorm(1), floats("x", []int{1, 3}, 2, 2, 2), normal("gain", 3), floats("bias", []int{3}, 1, 2, 3)).is(1, 2, 3),
}
