package losses_test

import (
	"testing"

	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func margin(m float64) gradcheck.Build {
	return func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return losses.Margin(in[0], in[1], in[2], m) }
}

// No excess of these inputs is within 1e-5 of 0, and some are on either side.
func TestMarginGradients(t *testing.T) {
	for _, z := range []struct{ B, D int }{{6, 3}, {1, 1}, {1, 4}, {5, 1}} {
		for _, m := range []float64{0, 0.1, 2} {
			check(t, "Margin", margin(m), normal("anchor", z.B, z.D), normal("own", z.B, z.D), normal("other", z.B, z.D))
		}
	}
}

// Worked out by hand: distances 1 and 4, so that a margin of 3 is just kept; 4 and 1; and both 0.
func TestGoldenMargin(t *testing.T) {
	in := func(name string, x ...float64) gradcheck.Input {
		return gradcheck.Input{Name: name, Shape: []int{3, 2}, Floats: x, Diff: true}
	}
	anchor := in("anchor", 0, 0, 1, 1, 5, 5)
	own := in("own", 1, 0, 1, 3, 5, 5)
	other := in("other", 0, 2, 2, 1, 5, 5)
	expect(t, margin(0.1), []gradcheck.Input{anchor, own, other}, []float64{0, 3.1, 0.1}, nil)
	expect(t, margin(3.5), []gradcheck.Input{anchor, own, other}, []float64{0.5, 6.5, 3.5}, nil)
	sum := func(g *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		loss, err := margin(0.1)(g, in)
		if err != nil {
			return nil, err
		}
		return losses.Weighted(loss, in[3])
	}
	weight := gradcheck.Input{Name: "weight", Shape: []int{3}, Floats: []float64{7, 2, 3}}
	expect(t, sum, []gradcheck.Input{anchor, own, other, weight}, []float64{6.5},
		[]float64{0, 0, 4, -8, 0, 0}) // by anchor: 2(other-own), weighted
}

// Moving the anchor against the gradient brings it nearer to its own vector and further from the other.
func TestMarginSeparates(t *testing.T) {
	r := run(t, tensor.Float64, margin(10), normal("anchor", 4, 3), normal("own", 4, 3), normal("other", 4, 3))
	distances := func(anchor []float64) (near, far float64) {
		own, other := normal("own", 4, 3).Floats, normal("other", 4, 3).Floats
		for i, x := range anchor {
			near += (x - own[i]) * (x - own[i])
			far += (x - other[i]) * (x - other[i])
		}
		return near, far
	}
	anchor := normal("anchor", 4, 3).Floats
	near, far := distances(anchor)
	for i, g := range r.Grads[0] {
		anchor[i] -= 0.01 * g
	}
	if n, f := distances(anchor); n-f >= near-far {
		t.Errorf("a step took the distances from %v and %v to %v and %v: expected their difference to fall", near, far, n, f)
	}
}
