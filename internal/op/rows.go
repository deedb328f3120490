package op

import (
	"fmt"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// RowDots returns the inner product of each row with its window's center: out[r,k] = <center[w], rows[r,k]>, w = r/(R/W).
//
// center (W,D), rows (R,K,D) with R a multiple of W -> (R,K).
func RowDots(center, rows *G.Node) (*G.Node, error) {
	c, r := center.Shape(), rows.Shape()
	if c.Dims() != 2 || r.Dims() != 3 || c[1] != r[2] || r[0]%c[0] != 0 {
		return nil, fmt.Errorf("op: RowDots: center %v, rows %v: want (W,D) and (R,K,D), R a multiple of W", c, r)
	}
	return Apply(Spec{
		Name: "RowDots", Shape: tensor.Shape{r[0], r[1]}, Diff: []bool{true, true}, Sets: []bool{false, true},
		F32: rowDots[float32](), F64: rowDots[float64](),
	}, center, rows)
}

func rowDots[T Float]() Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			center, rows := in[0].F, in[1].F
			w, d := in[0].Shape[0], in[0].Shape[1]
			per := len(out) / w // scores of one window
			for i := range w {
				c := center[i*d : (i+1)*d]
				for j := i * per; j < (i+1)*per; j++ {
					out[j] = dot(c, rows[j*d:(j+1)*d])
				}
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			center, rows := in[0].F, in[1].F
			w, d := in[0].Shape[0], in[0].Shape[1]
			per := len(gout) / w
			for i := range w {
				c, dc := center[i*d:(i+1)*d], din[0][i*d:(i+1)*d]
				for j := i * per; j < (i+1)*per; j++ {
					dotSlopes(gout[j], c, rows[j*d:(j+1)*d], dc, din[1][j*d:(j+1)*d])
				}
			}
			return nil
		},
	}
}

// BagMean returns the weighted sum of the rows of each window: out[w] = Σ_c weight[w,c]·rows[w*C+c], which is a mean
// where the weights of the window sum to 1. The weights get no gradient.
//
// rows (W*C,K,D), weight (W,C) -> (W,K,D). Rows of weight 0 do not take part, whatever they hold.
func BagMean(rows, weight *G.Node) (*G.Node, error) {
	r, w := rows.Shape(), weight.Shape()
	if r.Dims() != 3 || w.Dims() != 2 || w[0]*w[1] != r[0] {
		return nil, fmt.Errorf("op: BagMean: rows %v, weight %v: want (W*C,K,D) and (W,C)", r, w)
	}
	return Apply(Spec{
		Name: "BagMean", Shape: tensor.Shape{w[0], r[1], r[2]}, Diff: []bool{true, false},
		F32: bagMean[float32](), F64: bagMean[float64](),
	}, rows, weight)
}

func bagMean[T Float]() Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			rows, weight := in[0].F, in[1].F
			w, c := in[1].Shape[0], in[1].Shape[1]
			width := len(out) / w
			clear(out)
			for i := range w {
				sum := out[i*width : (i+1)*width]
				for j := i * c; j < (i+1)*c; j++ {
					if weight[j] != 0 {
						axpy(weight[j], rows[j*width:(j+1)*width], sum)
					}
				}
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			weight := in[1].F
			w, c := in[1].Shape[0], in[1].Shape[1]
			width := len(gout) / w
			for i := range w {
				g := gout[i*width : (i+1)*width]
				for j := i * c; j < (i+1)*c; j++ {
					if weight[j] != 0 {
						axpy(weight[j], g, din[0][j*width:(j+1)*width])
					}
				}
			}
			return nil
		},
	}
}
