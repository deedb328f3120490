package op

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/par"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// PermuteRows returns the rows of x in another order: out[r] = x[order[r]].
//
// x (N,H), order (N) of integers, each of 0 to N-1 once -> (N,H). The order may be another in each run; one that is no
// permutation is an error of the run.
func PermuteRows(x, order *G.Node, threads int) (*G.Node, error) {
	s, p := x.Shape(), order.Shape()
	if s.Dims() != 2 || p.Dims() != 1 || p[0] != s[0] || order.Dtype() != tensor.Int {
		return nil, fmt.Errorf("op: PermuteRows: x %v, order %v of %v: expected (N,H) and (N) of int", s, p, order.Dtype())
	}
	return Apply(Spec{
		Name: "PermuteRows", Shape: s.Clone(), Diff: []bool{true, false}, Sets: []bool{true, false},
		F32: permuteRows[float32](s[0], threads), F64: permuteRows[float64](s[0], threads),
	}, x, order)
}

func permuteRows[T Float](n, threads int) Kernel[T] {
	seen := make([]bool, n)
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			clear(seen)
			for r, v := range in[1].I {
				if v < 0 || v >= n || seen[v] {
					return fmt.Errorf("order[%d] = %d: expected each of 0 to %d once", r, v, n-1)
				}
				seen[v] = true
			}
			h := in[0].Shape[1]
			eachRows(threads, n, h, func(r int) {
				v := in[1].I[r]
				copy(out[r*h:(r+1)*h], in[0].F[v*h:])
			})
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			h := in[0].Shape[1]
			eachRows(threads, n, h, func(r int) {
				v := in[1].I[r]
				copy(din[0][v*h:(v+1)*h], gout[r*h:])
			})
			return nil
		},
	}
}

// eachRows calls do for each of n rows of the given width, on up to threads goroutines.
func eachRows(threads, n, width int, do func(r int)) {
	const elements = 1 << 13 // that a worker takes at a time
	rows := max(elements/max(width, 1), 1)
	par.Blocks(threads, (n+rows-1)/rows, func(_, block int) {
		for r := block * rows; r < min((block+1)*rows, n); r++ {
			do(r)
		}
	})
}
