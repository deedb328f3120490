package gradcheck_test

import (
	"testing"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
)

// cube returns an op x -> x³ that goes wrong in a chosen way.
func cube(slope float64, backward func(in []op.Array[float64])) gradcheck.Build {
	return func(g *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		var runs float64
		return op.Apply(op.Spec{
			Name: "cube", Shape: in[0].Shape().Clone(), Diff: []bool{true},
			F32: op.Kernel[float32]{
				Forward: func(in []op.Array[float32], out []float32) error {
					for i, x := range in[0].F {
						out[i] = x * x * x
					}
					return nil
				},
				Backward: func(in []op.Array[float32], out, gout []float32, din [][]float32) error {
					for i, x := range in[0].F {
						din[0][i] += gout[i] * 3 * x * x
					}
					return nil
				},
			},
			F64: op.Kernel[float64]{
				Forward: func(in []op.Array[float64], out []float64) error {
					for i, x := range in[0].F {
						out[i] = x * x * x
					}
					return nil
				},
				Backward: func(in []op.Array[float64], out, gout []float64, din [][]float64) error {
					runs++
					for i, x := range in[0].F {
						din[0][i] += gout[i] * slope * x * x
					}
					if backward != nil {
						backward(in)
						din[0][0] *= runs
					}
					return nil
				},
			},
		}, in[0])
	}
}

var x = []gradcheck.Input{{Name: "x", Shape: []int{3}, Floats: []float64{0.5, -1, 2}, Diff: true}}

func TestCheckAcceptsRightGradient(t *testing.T) {
	if err := gradcheck.Check(cube(3, nil), x); err != nil {
		t.Error(err)
	}
}

func TestCheckFinds(t *testing.T) {
	for name, c := range map[string]struct {
		build gradcheck.Build
		opts  []gradcheck.Option
		want  string
	}{
		"a wrong factor":       {build: cube(3.0001, nil), want: "gradient of x: element 2"},
		"an overwritten input": {build: cube(3, func(in []op.Array[float64]) { in[0].F[1] = 7 }), want: "input x: overwritten"},
		"accumulation":         {build: cube(3, func(in []op.Array[float64]) {}), want: "the second run differs"},
		"another function":     {build: cube(3, nil), opts: []gradcheck.Option{gradcheck.GradientOf(square)}, want: "gradient of x"},
		"float32 far away":     {build: float32Only, want: "float32 value"},
	} {
		t.Run(name, func(t *testing.T) {
			call.Refused(t, c.want)(gradcheck.Check(c.build, x, c.opts...))
		})
	}
}

func square(g *G.ExprGraph, in []*G.Node) (*G.Node, error) { return G.Square(in[0]) }

func float32Only(g *G.ExprGraph, in []*G.Node) (*G.Node, error) {
	if in[0].Dtype() == tensor.Float32 {
		return op.Scale(in[0], 1.01)
	}
	return op.Scale(in[0], 1)
}

func TestCheckRejectsWrongSize(t *testing.T) {
	in := []gradcheck.Input{{Name: "x", Shape: []int{4}, Floats: []float64{1}, Diff: true}}
	call.Refused(t, "1 elements, expected 4")(gradcheck.Check(square, in))
}
