package op

import (
	"fmt"

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
		return nil, fmt.Errorf("op: Entropy: prob %v: expected (B,K)", s)
	}
	return whole("Entropy", tensor.Shape{s[0], 1}, entropy(fast), entropy(exact), prob)
}

func entropy[T Float](a arrays[T]) Kernel[T] {
	var logs, terms []T // of probabilities, at least the floor; and what is summed, or the slopes
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			prob, k := in[0].F, in[0].Shape[1]
			l, t := room(&logs, len(prob)), room(&terms, len(prob))
			for i, p := range prob {
				t[i] = max(p, entropyFloor)
			}
			a.log(l, t)
			a.mul(t, prob, l)
			a.sumMiddle(out, t, len(out), k, 1)
			a.scale(out, out, -1)
			return nil
		},
		Backward: func(in []Array[T], _, gout []T, din [][]T) error {
			l, t := logs, terms
			for i, p := range in[0].F {
				slope := -l[i]
				if p > entropyFloor {
					slope--
				}
				t[i] = slope
			}
			a.scaleRows(din[0], t, gout, in[0].Shape[0], in[0].Shape[1])
			return nil
		},
	}
}
