package op_test

import (
	"math"
	"testing"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
)

// bagInput is two windows of two rows, of which the second leaves out what is no number.
func bagInput() []gradcheck.Input {
	return []gradcheck.Input{
		fixed(floats("rows", []int{4, 1, 2}, 1, 5, 3, 4, 5, 6, math.NaN(), math.Inf(1))), fixed(floats("weight", []int{2, 2}, .5, .5, 1, 0)),
	}
}

// someWeights are those of three windows, one of them all padding.
func someWeights() gradcheck.Input { return fixed(floats("weight", []int{3, 2}, .5, .5, 0, 1, 0, 0)) }

var (
	positiveCases = map[string]opCase{
		"by hand": of(unary(op.Positive), fixed(floats("x", []int{2, 2}, .5, 0, -1, 1e-30))).is(1, 0, 0, 1),
		// The sum of the rows that have a weight.
		"of weights": of(bagSum, bagInput()...).is(4, 9, 5, 6),
		"random":     of(bagSum, normal("rows", 6, 2, 5), someWeights()),
	}
	scaleRowsCases = map[string]opCase{
		"by hand": of(binary(op.ScaleRows), floats("x", []int{3, 2}, 1, 2, 3, 4, 5, 6), fixed(floats("weight", []int{3}, 2, 0, -1))).is(2, 4, 0, 0, -5, -6),
		"random":  of(binary(op.ScaleRows), normal("x", 5, 7), fixed(normal("weight", 5))),
	}
	bagMaxCases = map[string]opCase{
		"by hand": of(binary(op.BagMax), bagInput()...).is(3, 5, 5, 6),
		"random":  of(binary(op.BagMax), normal("rows", 6, 2, 5), someWeights()),
		"scores":  of(binary(op.BagMax), normal("rows", 6, 5), someWeights()),
	}
	behindCases = map[string]opCase{
		"by hand": of(binary(op.Behind), floats("neg", []int{1, 2, 2}, 1, 2, 3, 4), floats("pos", []int{1, 2}, 10, 20)).is(-9, -18, -7, -16),
		"random":  of(binary(op.Behind), normal("neg", 4, 3, 5), normal("pos", 4, 5)),
	}
	logOnePlusSumCases = map[string]opCase{
		// log(1+1+2), and where it is the largest in float64.
		"by hand": of(unary(op.LogOnePlusSum), floats("x", []int{1, 2, 3}, 0, 1e4, -1e4, math.Ln2, 0, -1e4)).is(math.Log(4), 1e4, 0),
		"random":  of(unary(op.LogOnePlusSum), normal("x", 4, 3, 5)),
		"of one":  of(unary(op.LogOnePlusSum), normal("x", 4, 1, 9)),
	}
	entmax15Cases = map[string]opCase{
		"one element": of(unary(op.Entmax15), floats("x", []int{1, 1}, 7)).is(1),
		// Of halves that are .2 apart, (.2+s)² + s² = 1 has s = .6.
		"by hand": of(unary(op.Entmax15), floats("x", []int{2, 3}, .4, 0, -9, 1e4, 1e4, 1e4)).is(.64, .36, 0, 1./3, 1./3, 1./3),
		"random":  of(unary(op.Entmax15), normal("x", 6, 5)),
	}
	entropyCases = map[string]opCase{
		"by hand": of(unary(op.Entropy), floats("prob", []int{2, 2}, .5, .5, .25, .75)).is(math.Ln2, math.Log(4)-.75*math.Log(3)),
		"uneven":  of(unary(op.Entropy), floats("prob", []int{3, 3}, .1, .2, .7, .01, .02, .97, .3, .3, .4)),
	}
	shiftCases = map[string]opCase{
		"by hand": of(unary(func(x *G.Node) (*G.Node, error) { return op.Shift(x, -.5) }), floats("x", []int{2}, 1, -2)).is(.5, -2.5),
	}
)

func bagSum(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
	return op.BagMean(in[0], G.Must(op.Positive(in[1])))
}

// A NaN is not hidden by a maximum, a sum or a sort.
func TestEntriesPassNaN(t *testing.T) {
	nan := math.NaN()
	in := func(name string, shape []int, x ...float64) gradcheck.Input {
		return gradcheck.Input{Name: name, Shape: shape, Floats: x, Diff: true}
	}
	ones := gradcheck.Input{Name: "ones", Shape: []int{1, 3}, Floats: []float64{1, 1, 1}}
	for name, c := range map[string]struct {
		build gradcheck.Build
		in    []gradcheck.Input
	}{
		"LogOnePlusSum": {unary(op.LogOnePlusSum), []gradcheck.Input{in("x", []int{1, 3, 1}, 1, nan, 2)}},
		"Entmax15":      {unary(op.Entmax15), []gradcheck.Input{in("x", []int{1, 3}, 1, nan, 2)}},
		"Entropy":       {unary(op.Entropy), []gradcheck.Input{in("x", []int{1, 3}, .5, nan, .5)}},
		"BagMean":       {binary(op.BagMean), []gradcheck.Input{in("x", []int{3, 1, 1}, 1, nan, 2), ones}},
		"BagMax":        {binary(op.BagMax), []gradcheck.Input{in("x", []int{3, 1, 1}, 1, nan, 2), ones}},
	} {
		r := call.Of(gradcheck.Run(c.build, tensor.Float32, c.in))(t)
		for _, v := range r.Value {
			if !math.IsNaN(v) {
				t.Errorf("%s: %v, expected NaN", name, r.Value)
			}
		}
	}
}
