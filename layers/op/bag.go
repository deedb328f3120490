package op

import (
	"fmt"
	"math"

	G "gorgonia.org/gorgonia"
)

// BagMean returns the weighted sum of the rows of each window: out[w] = Σ_c weight[w,c]·rows[w*C+c], which is a mean
// where the weights of the window sum to 1. The weights get no gradient.
//
// rows (W*C,...), weight (W,C) -> (W,...). Rows of weight 0 do not take part, whatever they hold. It returns an error if the shapes
// or types disagree.
func BagMean(rows, weight *G.Node) (*G.Node, error) {
	return bag("BagMean", BagMeanKind, rows, weight, []bool{true, false}, bagMean(fast), bagMean(exact))
}

// BagMax returns the largest number in each place of those rows of a window that have a weight, of equal ones the first; 0 where
// none has. The weights get no gradient.
//
// rows (W*C,...), weight (W,C) -> (W,...). Rows of weight 0 do not take part, whatever they hold. It returns an error if the shapes
// or types disagree.
func BagMax(rows, weight *G.Node) (*G.Node, error) {
	return bag("BagMax", OtherKind, rows, weight, nil, bagMax(fast), bagMax(exact))
}

func bag(name string, kind Kind, rows, weight *G.Node, sets []bool, f32 Kernel[float32], f64 Kernel[float64]) (*G.Node, error) {
	r, w := rows.Shape(), weight.Shape()
	if r.Dims() < 1 || w.Dims() != 2 || w[0]*w[1] != r[0] {
		return nil, fmt.Errorf("op: %s: rows %v, weight %v: expected (W*C,...) and (W,C)", name, r, w)
	}
	shape := r.Clone()
	shape[0] = w[0]
	return Apply(Spec{Name: name, kind: kind, Shape: shape, Diff: []bool{true, false}, Sets: sets, F32: f32, F64: f64}, rows, weight)
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

func bagMax[T Float](a arrays[T]) Kernel[T] {
	var part []T // rows of a window that take part
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			rows, weight, c := in[0].F, in[1].F, in[1].Shape[1]
			width := len(out) / in[1].Shape[0]
			room(&part, c*width)
			for w := range len(out) / width {
				n := 0
				for j := w * c; j < (w+1)*c; j++ {
					if weight[j] > 0 {
						copy(part[n*width:(n+1)*width], rows[j*width:])
						n++
					}
				}
				switch y, taken := out[w*width:][:width], part[:n*width]; {
				case n == 0:
					clear(y)
				case math.IsNaN(a.total(taken)): // or infinities of both signs
					maxWithNaN(y, taken)
				default:
					a.maxMiddle(y, taken, 1, n, width)
				}
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			rows, weight, c := in[0].F, in[1].F, in[1].Shape[1]
			width := len(out) / in[1].Shape[0]
			room(&part, 2*width)
			clear(din[0])
			for w := range len(out) / width {
				y, left, below := out[w*width:][:width], part[:width], part[width:2*width]
				copy(left, gout[w*width:]) // what no row has had yet
				for j := w * c; j < (w+1)*c; j++ {
					if weight[j] > 0 {
						g := din[0][j*width:][:width]
						a.sub(below, y, rows[j*width:][:width])
						a.reluSlope(below, below, left) // what is left where the row is below the largest, which is for others
						a.sub(g, left, below)
						copy(left, below)
					}
				}
			}
			return nil
		},
	}
}

// maxWithNaN writes the largest of the numbers in each place of some rows to out; NaN is larger than anything, so that a failure is not hidden.
func maxWithNaN[T Float](out, rows []T) {
	copy(out, rows)
	for o := len(out); o < len(rows); o += len(out) {
		for i, x := range rows[o:][:len(out)] {
			if x > out[i] || x != x {
				out[i] = x
			}
		}
	}
}
