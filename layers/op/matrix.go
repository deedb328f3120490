package op

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// AddRow adds one row to every row of x: out[r] = x[r] + row.
//
// x (N,...), row with as many elements as a row of x has -> the shape of x. It returns an error if the sizes or types disagree.
func AddRow(x, row *G.Node, threads int) (*G.Node, error) {
	s := x.Shape()
	if s.Dims() < 1 || row.Shape().TotalSize()*s[0] != s.TotalSize() {
		return nil, fmt.Errorf("op: AddRow: x %v, row %v: expected (N,...) and the size of a row", s, row.Shape())
	}
	return whole("AddRow", s.Clone(), addRow(threads, kernel.Axpy), addRow(threads, axpy[float64]), x, row)
}

func addRow[T Float](threads int, axpy func(y, x []T, a T)) Kernel[T] {
	var sum rowSum[T]
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			row := in[1].F
			h := len(row)
			eachRows(threads, len(out)/h, h, func(r int) {
				y := out[r*h : (r+1)*h]
				copy(y, in[0].F[r*h:])
				axpy(y, row, 1)
			})
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			h := len(in[1].F)
			sum.of(threads, len(gout)/h, din[1], axpy, func(s []T, r int) {
				g := gout[r*h : (r+1)*h]
				copy(din[0][r*h:], g)
				axpy(s, g, 1)
			})
			return nil
		},
	}
}

// MeanRows returns the mean of the rows: out = 1/N Σ_r x[r].
//
// x (N,H) -> (H). It returns an error for another shape.
func MeanRows(x *G.Node, threads int) (*G.Node, error) {
	s := x.Shape()
	if s.Dims() != 2 {
		return nil, fmt.Errorf("op: MeanRows: x %v: expected (N,H)", s)
	}
	return whole("MeanRows", tensor.Shape{s[1]}, meanRows(threads, kernel.Axpy), meanRows(threads, axpy[float64]), x)
}

func meanRows[T Float](threads int, axpy func(y, x []T, a T)) Kernel[T] {
	var sum rowSum[T]
	var share []T
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			n, h := in[0].Shape[0], len(out)
			sum.of(threads, n, out, axpy, func(s []T, r int) { axpy(s, in[0].F[r*h:(r+1)*h], 1) })
			for i := range out {
				out[i] /= T(n)
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			n, h := in[0].Shape[0], len(gout)
			share = append(share[:0], gout...)
			for i := range share {
				share[i] /= T(n)
			}
			eachRows(threads, n, h, func(r int) { copy(din[0][r*h:(r+1)*h], share) })
			return nil
		},
	}
}

// RowScores returns the product of x with a vector: out[r] = <x[r], u>.
//
// x (N,H), u (H) -> (N). It returns an error if the shapes or types disagree.
func RowScores(x, u *G.Node, threads int) (*G.Node, error) {
	s := x.Shape()
	if s.Dims() != 2 || u.Dims() != 1 || u.Shape()[0] != s[1] {
		return nil, fmt.Errorf("op: RowScores: x %v, u %v: expected (N,H) and (H)", s, u.Shape())
	}
	return whole("RowScores", tensor.Shape{s[0]},
		rowScores(threads, kernel.Axpy, kernel.Dot), rowScores(threads, axpy[float64], dot[float64]), x, u)
}

func rowScores[T Float](threads int, axpy func(y, x []T, a T), dot func(x, y []T) T) Kernel[T] {
	var sum rowSum[T]
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			x, u := in[0].F, in[1].F
			h := len(u)
			eachRows(threads, len(out), h, func(r int) { out[r] = dot(x[r*h:(r+1)*h], u) })
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			x, u := in[0].F, in[1].F
			h := len(u)
			sum.of(threads, len(gout), din[1], axpy, func(s []T, r int) {
				dx := din[0][r*h : (r+1)*h]
				clear(dx)
				axpy(dx, u, gout[r])
				axpy(s, x[r*h:(r+1)*h], gout[r])
			})
			return nil
		},
	}
}

// rowSum adds up something over rows, in parallel, in an order that does not depend on the number of threads: within each of a
// fixed number of blocks, then over blocks.
type rowSum[T Float] struct{ partial []T }

// of sets out to the sum over n rows of what add adds for each.
func (s *rowSum[T]) of(threads, n int, out []T, axpy func(y, x []T, a T), add func(sum []T, r int)) {
	const most = 64
	blocks, h := min(n, most), len(out)
	if s.partial == nil {
		s.partial = make([]T, blocks*h)
	}
	par.Blocks(threads, blocks, func(_, b int) {
		p := s.partial[b*h : (b+1)*h]
		clear(p)
		for r := b * n / blocks; r < (b+1)*n/blocks; r++ {
			add(p, r)
		}
	})
	clear(out)
	for b := range blocks {
		axpy(out, s.partial[b*h:(b+1)*h], 1)
	}
}
