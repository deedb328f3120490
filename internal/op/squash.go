package op

import (
	"math"

	"github.com/asp2vec/asp2vec/internal/kernel"
	G "gorgonia.org/gorgonia"
)

// Sigmoid returns σ(x) = 1/(1+exp(-x)) of each element, in vectors, where Gorgonia's goes through float64 one by one. It returns an
// error if x has no float type.
func Sigmoid(x *G.Node) (*G.Node, error) {
	return Apply(Spec{
		Name: "Sigmoid", Shape: x.Shape().Clone(), Diff: []bool{true}, Sets: []bool{true},
		F32: squash(kernel.Sigmoid, func(y float32) float32 { return y * (1 - y) }),
		F64: squash(each(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }), func(y float64) float64 { return y * (1 - y) }),
	}, x)
}

// Tanh returns the hyperbolic tangent of each element, likewise. It returns an error if x has no float type.
func Tanh(x *G.Node) (*G.Node, error) {
	return Apply(Spec{
		Name: "Tanh", Shape: x.Shape().Clone(), Diff: []bool{true}, Sets: []bool{true},
		F32: squash(kernel.Tanh, func(y float32) float32 { return 1 - y*y }),
		F64: squash(each(math.Tanh), func(y float64) float64 { return 1 - y*y }),
	}, x)
}

// squash is the kernel of a function whose slope depends on its value alone.
func squash[T Float](f func(dst, x []T), slope func(y T) T) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			f(out, in[0].F)
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			for i, y := range out {
				din[0][i] = gout[i] * slope(y)
			}
			return nil
		},
	}
}

func each(f func(x float64) float64) func(dst, x []float64) {
	return func(dst, x []float64) {
		for i, v := range x {
			dst[i] = f(v)
		}
	}
}
