package op

import (
	"math"

	G "gorgonia.org/gorgonia"
)

// Softplus returns log(1+exp(x)) = -log σ(-x) of each element, computed in float64 as max(x,0) + log1p(exp(-|x|)), so
// that it is finite and exact for every finite x. The gradient is σ(x).
func Softplus(x *G.Node) (*G.Node, error) {
	return Apply(Spec{
		Name: "Softplus", Shape: x.Shape().Clone(), Diff: []bool{true}, F32: softplus[float32](), F64: softplus[float64](),
	}, x)
}

func softplus[T Float]() Kernel[T] {
	var slope []T // σ(x), kept by the forward pass because it shares the exponential
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			if slope == nil {
				slope = make([]T, len(out))
			}
			for i, v := range in[0].F {
				x := float64(v)
				e := math.Exp(-math.Abs(x))
				s := 1 / (1 + e)
				if x < 0 {
					s *= e
				}
				slope[i] = T(s)
				out[i] = T(max(x, 0) + math.Log1p(e))
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			d := din[0]
			for i, g := range gout {
				d[i] += g * slope[i]
			}
			return nil
		},
	}
}
