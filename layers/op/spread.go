package op

import (
	"fmt"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Spread gives each row k places: out[r,s] is zero but for x[r] in its s-th stretch of D numbers, so that its inner product with
// k vectors laid end to end is that with the s-th of them.
//
// x (R,D), k >= 1 -> (R,k,k·D). It returns an error for another shape, or k < 1.
func Spread(x *G.Node, k int) (*G.Node, error) {
	s := x.Shape()
	if s.Dims() != 2 || k < 1 {
		return nil, fmt.Errorf("op: Spread: x %v over %d places: want (R,D) and at least 1", s, k)
	}
	return Apply(Spec{
		Name: "Spread", Shape: tensor.Shape{s[0], k, k * s[1]}, Diff: []bool{true}, F32: spread[float32](k), F64: spread[float64](k),
	}, x)
}

func spread[T Float](k int) Kernel[T] {
	// each calls do with every place of every row in the result.
	each := func(d int, x, out []T, do func(row, place []T)) {
		for r := range len(x) / d {
			for s := range k {
				do(x[r*d:][:d], out[((r*k+s)*k+s)*d:][:d])
			}
		}
	}
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			clear(out)
			each(in[0].Shape[1], in[0].F, out, func(row, place []T) { copy(place, row) })
			return nil
		},
		Backward: func(in []Array[T], _, gout []T, din [][]T) error {
			each(in[0].Shape[1], din[0], gout, func(row, place []T) { axpy(row, place, 1) })
			return nil
		},
	}
}
