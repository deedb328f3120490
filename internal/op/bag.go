package op

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/kernel"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// BagSum returns the sum of the rows of each window that have a weight: out[w] = Σ_c [weight[w,c] > 0]·rows[w*C+c]. The weights
// get no gradient.
//
// rows (W*C,K,D), weight (W,C) -> (W,K,D). Rows of weight 0 do not take part, whatever they hold. It returns an error if the shapes
// or types disagree.
func BagSum(rows, weight *G.Node) (*G.Node, error) {
	return bag("BagSum", rows, weight, bagSum(kernel.Axpy), bagSum(axpy[float64]))
}

// BagMax returns the largest number in each place of those rows of a window that have a weight, of equal ones the first; 0 where
// none has. The weights get no gradient.
//
// rows (W*C,K,D), weight (W,C) -> (W,K,D). Rows of weight 0 do not take part, whatever they hold. It returns an error if the shapes
// or types disagree.
func BagMax(rows, weight *G.Node) (*G.Node, error) {
	return bag("BagMax", rows, weight, bagMax[float32](), bagMax[float64]())
}

func bag(name string, rows, weight *G.Node, f32 Kernel[float32], f64 Kernel[float64]) (*G.Node, error) {
	r, w := rows.Shape(), weight.Shape()
	if r.Dims() != 3 || w.Dims() != 2 || w[0]*w[1] != r[0] {
		return nil, fmt.Errorf("op: %s: rows %v, weight %v: want (W*C,K,D) and (W,C)", name, r, w)
	}
	return Apply(Spec{Name: name, Shape: tensor.Shape{w[0], r[1], r[2]}, Diff: []bool{true, false}, F32: f32, F64: f64}, rows, weight)
}

func bagSum[T Float](axpy func(y, x []T, a T)) Kernel[T] {
	// each calls do with every row that takes part, and its window's place in the result.
	each := func(in []Array[T], rows, out []T, do func(row, place []T)) {
		w, c := in[1].Shape[0], in[1].Shape[1]
		width := len(out) / w
		for j, weight := range in[1].F {
			if weight > 0 {
				do(rows[j*width:(j+1)*width], out[j/c*width:(j/c+1)*width])
			}
		}
	}
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			clear(out)
			each(in, in[0].F, out, func(row, place []T) { axpy(place, row, 1) })
			return nil
		},
		Backward: func(in []Array[T], _, gout []T, din [][]T) error {
			each(in, din[0], gout, func(row, place []T) { axpy(row, place, 1) })
			return nil
		},
	}
}

func bagMax[T Float]() Kernel[T] {
	var from []int // of each number of the result, the place in rows, or -1
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			rows, weight, c := in[0].F, in[1].F, in[1].Shape[1]
			width := len(out) / in[1].Shape[0]
			if from == nil {
				from = make([]int, len(out))
			}
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
