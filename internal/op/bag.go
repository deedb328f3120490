package op

import (
	"fmt"

	G "gorgonia.org/gorgonia"
)

// BagMean returns the weighted sum of the rows of each window: out[w] = Σ_c weight[w,c]·rows[w*C+c], which is a mean
// where the weights of the window sum to 1. The weights get no gradient.
//
// rows (W*C,...), weight (W,C) -> (W,...). Rows of weight 0 do not take part, whatever they hold. It returns an error if the shapes
// or types disagree.
func BagMean(rows, weight *G.Node) (*G.Node, error) {
	return bag("BagMean", rows, weight, []bool{true, false}, bagMean(fast), bagMean(exact))
}

// BagMax returns the largest number in each place of those rows of a window that have a weight, of equal ones the first; 0 where
// none has. The weights get no gradient.
//
// rows (W*C,...), weight (W,C) -> (W,...). Rows of weight 0 do not take part, whatever they hold. It returns an error if the shapes
// or types disagree.
func BagMax(rows, weight *G.Node) (*G.Node, error) {
	return bag("BagMax", rows, weight, nil, bagMax[float32](), bagMax[float64]())
}

func bag(name string, rows, weight *G.Node, sets []bool, f32 Kernel[float32], f64 Kernel[float64]) (*G.Node, error) {
	r, w := rows.Shape(), weight.Shape()
	if r.Dims() < 1 || w.Dims() != 2 || w[0]*w[1] != r[0] {
		return nil, fmt.Errorf("op: %s: rows %v, weight %v: want (W*C,...) and (W,C)", name, r, w)
	}
	shape := r.Clone()
	shape[0] = w[0]
	return Apply(Spec{Name: name, Shape: shape, Diff: []bool{true, false}, Sets: sets, F32: f32, F64: f64}, rows, weight)
}

func bagMean[T Float](a arrays[T]) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			w, c := in[1].Shape[0], in[1].Shape[1]
			a.weightedRows(out, in[0].F, in[1].F, w, c, len(out)/w)
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			w, c := in[1].Shape[0], in[1].Shape[1]
			a.spreadWeighted(din[0], gout, in[1].F, w, c, len(gout)/w)
			return nil
		},
	}
}

// Positive returns 1 where x is more than 0, and 0 elsewhere: as weights of BagMean, they give the sum of the rows that have
// a weight. It has no gradient.
//
// x (...) -> (...). It returns an error if x has no float type.
func Positive(x *G.Node) (*G.Node, error) {
	return Apply(Spec{
		Name: "Positive", Shape: x.Shape().Clone(), Diff: []bool{false},
		F32: Kernel[float32]{Forward: isPositive[float32]}, F64: Kernel[float64]{Forward: isPositive[float64]},
	}, x)
}

func isPositive[T Float](in []Array[T], out []T) error {
	clear(out)
	for i, v := range in[0].F {
		if v > 0 {
			out[i] = 1
		}
	}
	return nil
}

func bagMax[T Float]() Kernel[T] {
	var from []int // of each number of the result, the place in rows, or -1
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			rows, weight, c := in[0].F, in[1].F, in[1].Shape[1]
			width := len(out) / in[1].Shape[0]
			room(&from, len(out))
			for i := range out {
				from[i], out[i] = -1, 0
				for j := i / width * c; j < (i/width+1)*c; j++ {
					at := j*width + i%width
					// NaN is larger than anything, so that a failure is not hidden.
					if x := rows[at]; weight[j] > 0 && (from[i] < 0 || x > out[i] || x != x && out[i] == out[i]) {
						from[i], out[i] = at, x
					}
				}
			}
			return nil
		},
		Backward: func(in []Array[T], _, gout []T, din [][]T) error {
			for i, at := range from {
				if at >= 0 {
					din[0][at] += gout[i]
				}
			}
			return nil
		},
	}
}
