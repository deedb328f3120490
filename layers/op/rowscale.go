package op

import (
	"fmt"

	G "gorgonia.org/gorgonia"
)

// ScaleRows multiplies each row by a number of its own: out[b,k] = weight[b]·x[b,k]. The weights get no gradient.
//
// x (B,K), weight (B) -> (B,K). A row of weight 0 is 0, whatever it holds. It returns an error if the shapes or types disagree.
func ScaleRows(x, weight *G.Node) (*G.Node, error) {
	s, w := x.Shape(), weight.Shape()
	if s.Dims() != 2 || w.Dims() != 1 || w[0] != s[0] {
		return nil, fmt.Errorf("op: ScaleRows: x %v, weight %v: expected (B,K) and (B)", s, w)
	}
	return Apply(Spec{
		Name: "ScaleRows", Shape: s.Clone(), Diff: []bool{true, false}, Sets: []bool{true, false}, F32: scaleRows(fast), F64: scaleRows(exact),
	}, x, weight)
}

func scaleRows[T Float](a arrays[T]) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			a.scaleRows(out, in[0].F, in[1].F, in[0].Shape[0], in[0].Shape[1])
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			a.scaleRows(din[0], gout, in[1].F, in[0].Shape[0], in[0].Shape[1])
			return nil
		},
	}
}
