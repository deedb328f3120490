package op

import (
	"fmt"

	G "gorgonia.org/gorgonia"
)

// Stack puts the rows of one tensor above those of another: out[:A] = a, out[A:] = b.
//
// a (A,...), b (B,...) of the same further shape -> (A+B,...). Gorgonia's Concat merges the gradients of parts of 256 rows. It
// returns an error if the shapes or types disagree.
func Stack(a, b *G.Node) (*G.Node, error) {
	s, t := a.Shape(), b.Shape()
	if s.Dims() < 1 || s.Dims() != t.Dims() || !s[1:].Eq(t[1:]) {
		return nil, fmt.Errorf("op: Stack: %v above %v: expected (A,...) and (B,...) of the same further shape", s, t)
	}
	shape := s.Clone()
	shape[0] += t[0]
	return whole("Stack", shape, stack[float32](), stack[float64](), a, b)
}

func stack[T Float]() Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			copy(out[copy(out, in[0].F):], in[1].F)
			return nil
		},
		Backward: func(in []Array[T], _, gout []T, din [][]T) error {
			for i, from := range []int{0, len(in[0].F)} {
				if din[i] != nil {
					copy(din[i], gout[from:])
				}
			}
			return nil
		},
	}
}
