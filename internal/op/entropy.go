package op

import (
	"fmt"
	"math"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// entropyFloor is the least probability of which a logarithm is taken: p log p is 0 at 0, but its slope there is not finite.
const entropyFloor = 1e-12

// Entropy returns that of each row of probabilities, in nats: out[b] = -Σ_k prob[b,k] log prob[b,k].
//
// prob (B,K), at least 0 -> (B,1). It returns an error for another shape.
func Entropy(prob *G.Node) (*G.Node, error) {
	s := prob.Shape()
	if s.Dims() != 2 {
		return nil, fmt.Errorf("op: Entropy: prob %v: want (B,K)", s)
	}
	return Apply(Spec{
		Name: "Entropy", Shape: tensor.Shape{s[0], 1}, Diff: []bool{true}, F32: entropy[float32](), F64: entropy[float64](),
	}, prob)
}

func entropy[T Float]() Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			k := lastAxis(in[0])
			for b := range out {
				var sum float64
				for _, p := range in[0].F[b*k : (b+1)*k] {
					sum -= float64(p) * math.Log(max(float64(p), entropyFloor))
				}
				out[b] = T(sum)
			}
			return nil
		},
		Backward: func(in []Array[T], _, gout []T, din [][]T) error {
			k := lastAxis(in[0])
			for i, p := range in[0].F {
				slope := -math.Log(max(float64(p), entropyFloor))
				if p > entropyFloor {
					slope--
				}
				din[0][i] += gout[i/k] * T(slope)
			}
			return nil
		},
	}
}
