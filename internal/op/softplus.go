package op

import (
	"math"

	"github.com/asp2vec/asp2vec/internal/kernel"
	G "gorgonia.org/gorgonia"
)

// Softplus returns log(1+exp(x)) = -log σ(-x) of each element as max(x,0) + log1p(exp(-|x|)), which is finite and exact
// to a few roundings of the type for every finite x. The gradient is σ(x). It returns an error if x has no float type.
func Softplus(x *G.Node) (*G.Node, error) {
	return Apply(Spec{
		Name: "Softplus", Shape: x.Shape().Clone(), Diff: []bool{true}, Sets: []bool{true},
		F32: softplus(func(value, slope, x []float32) { kernel.SoftplusSigmoid(value, slope, x, 1) }),
		F64: softplus(softplusExact),
	}, x)
}

// softplus is the kernel of a function that sets value to log(1+exp(x)) and slope to σ(x). Slopes are kept for the backward
// pass, because both share the exponential.
func softplus[T Float](f func(value, slope, x []T)) Kernel[T] {
	var slopes []T
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			if slopes == nil {
				slopes = make([]T, len(out))
			}
			f(out, slopes, in[0].F)
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			d, s := din[0][:len(gout)], slopes[:len(gout)]
			for i, g := range gout {
				d[i] = g * s[i]
			}
			return nil
		},
	}
}

func softplusExact(value, slope, x []float64) {
	for i, x := range x {
		e := math.Exp(-math.Abs(x))
		value[i], slope[i] = max(x, 0)+math.Log1p(e), 1/(1+e)
		if x < 0 {
			slope[i] *= e
		}
	}
}
