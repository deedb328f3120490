package op_test

import (
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// TestSoftplusIsExact: in float32, value and slope are within three units in the last place (the bound of the vector kernel)
// of those computed in float64, over the whole range, also where they are tiny (their relative error counts) or x is large.
func TestSoftplusIsExact(t *testing.T) {
	var xs []float64
	for x := -100.0; x <= 100; x += 0.00731 {
		xs = append(xs, float64(float32(x)))
	}
	for _, x := range []float64{0, 1e-30, 1e-8, 599, 601, 1e4, math.MaxFloat32} {
		xs = append(xs, float64(float32(x)), float64(float32(-x)))
	}
	in := []gradcheck.Input{{Name: "x", Shape: []int{len(xs)}, Floats: xs, Diff: true}}
	ones := func(n int) []float64 { // what gradcheck contracts with
		r, err := gradcheck.Run(unary(func(x *G.Node) (*G.Node, error) { return op.Scale(x, 1) }), tensor.Float32, in)
		if err != nil || len(r.Grads[0]) != n {
			t.Fatal(err)
		}
		return r.Grads[0]
	}(len(xs))
	r := call.Of(gradcheck.Run(unary(op.Softplus), tensor.Float32, in))(t)
	for i, x := range xs {
		e := math.Exp(-math.Abs(x))
		value := max(x, 0) + math.Log1p(e)
		slope := 1 / (1 + e)
		if x < 0 {
			slope *= e
		}
		if err := math.Abs(r.Value[i] - value); err > 3*ulp(value) {
			t.Fatalf("softplus(%g) = %.9g, expected %.9g", x, r.Value[i], value)
		}
		slope *= ones[i]
		if err := math.Abs(r.Grads[0][i] - slope); err > 4*ulp(slope) { // one more for the product with ones[i]
			t.Fatalf("slope at %g: %.9g, expected %.9g", x, r.Grads[0][i], slope)
		}
	}
}

// ulp returns the distance of neighbouring float32 numbers at x.
func ulp(x float64) float64 {
	f := float32(x)
	return float64(math.Nextafter32(f, math.MaxFloat32)) - float64(f)
}
