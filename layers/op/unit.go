package op

import (
	"fmt"
	"math"

	G "gorgonia.org/gorgonia"
)

// Unit returns each row of x divided by its length; a row of zeros stays one, and gets no gradient.
//
// x (B,D) -> (B,D). It returns an error for another shape.
func Unit(x *G.Node) (*G.Node, error) {
	if x.Dims() != 2 {
		return nil, fmt.Errorf("op: Unit: x %v: expected (B,D)", x.Shape())
	}
	return Apply(Spec{
		Name: "Unit", Shape: x.Shape().Clone(), Diff: []bool{true}, Sets: []bool{true}, F32: unit[float32](), F64: unit[float64](),
	}, x)
}

func unit[T Float]() Kernel[T] {
	var inverse []float64 // of the length of each row; 0 for zeros
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			rows, d := in[0].Shape[0], in[0].Shape[1]
			if inverse == nil {
				inverse = make([]float64, rows)
			}
			for r := range rows {
				x := in[0].F[r*d : (r+1)*d]
				var square float64
				for _, v := range x {
					square += float64(v) * float64(v)
				}
				if inverse[r] = 0; square != 0 { // NaN is not hidden
					inverse[r] = 1 / math.Sqrt(square)
				}
				for i, v := range x {
					out[r*d+i] = T(float64(v) * inverse[r])
				}
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			d := in[0].Shape[1]
			for r, scale := range inverse {
				u, g := out[r*d:(r+1)*d], gout[r*d:(r+1)*d]
				var along float64
				for i, v := range g {
					along += float64(v) * float64(u[i])
				}
				for i, v := range g {
					din[0][r*d+i] = T(scale * (float64(v) - along*float64(u[i])))
				}
			}
			return nil
		},
	}
}
