package op

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/kernel"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// RowDots returns the inner product of each row with its window's center: out[r,k] = <center[w], rows[r,k]>, w = r/(R/W).
//
// center (W,D), rows (R,K,D) with R a multiple of W -> (R,K). It returns an error if the shapes or types disagree.
func RowDots(center, rows *G.Node) (*G.Node, error) {
	c, r := center.Shape(), rows.Shape()
	if c.Dims() != 2 || r.Dims() != 3 || c[1] != r[2] || r[0]%c[0] != 0 {
		return nil, fmt.Errorf("op: RowDots: center %v, rows %v: expected (W,D) and (R,K,D), R a multiple of W", c, r)
	}
	return Apply(Spec{
		Name: "RowDots", kind: RowDotsKind, Shape: tensor.Shape{r[0], r[1]}, Diff: []bool{true, true}, Sets: []bool{false, true},
		F32: rowDots32(c[0], r[0]), F64: rowDots[float64](),
	}, center, rows)
}

func rowDots[T Float]() Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			center, rows := in[0].F, in[1].F
			w, d := in[0].Shape[0], in[0].Shape[1]
			per := len(out) / w // scores of one window
			for j := range out {
				i := j / per
				out[j] = dot(center[i*d:(i+1)*d], rows[j*d:(j+1)*d])
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			center, rows := in[0].F, in[1].F
			w, d := in[0].Shape[0], in[0].Shape[1]
			per := len(gout) / w
			for j, g := range gout {
				i := j / per
				axpy(din[0][i*d:(i+1)*d], rows[j*d:(j+1)*d], g)
				for p, v := range center[i*d : (i+1)*d] {
					din[1][j*d+p] = g * v
				}
			}
			return nil
		},
	}
}

// rowDots32 is rowDots by vector kernels.
func rowDots32(windows, rows int) Kernel[float32] {
	number := make([]int32, rows)
	for r := range number {
		number[r] = int32(r)
	}
	per := rows / windows
	return Kernel[float32]{
		Forward: func(in []Array[float32], out []float32) error {
			w, d, k := in[0].Shape[0], in[0].Shape[1], in[1].Shape[1]
			for i := range w {
				kernel.Dots(out[i*per*k:], in[0].F[i*d:][:d], in[1].F, number[i*per:(i+1)*per], k, d)
			}
			return nil
		},
		Backward: func(in []Array[float32], out, gout []float32, din [][]float32) error {
			w, d, k := in[0].Shape[0], in[0].Shape[1], in[1].Shape[1]
			for i := range w {
				kernel.Combine(din[0][i*d:][:d], gout[i*per*k:], in[1].F, number[i*per:(i+1)*per], k, d)
			}
			kernel.SpreadWeighted(din[1], in[0].F, gout, w, per*k, d)
			return nil
		},
	}
}
