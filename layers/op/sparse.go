package op

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Sparse is a constant matrix, stored by rows and, for gradients, by columns. It is safe for use by several goroutines.
type Sparse struct {
	rows, columns   int
	byRow, byColumn compressed
}

// compressed holds the elements of a matrix line by line: those of line i, at index[j] and of the given value, for j from
// offsets[i] to offsets[i+1]-1.
type compressed struct {
	offsets []int64
	index   []int32
	value   []float32
}

// NewSparse returns the matrix whose row r holds value[j] in column index[j], for j from offsets[r] to offsets[r+1]-1; the
// number of rows is len(offsets)-1. Elements named twice add up. The arguments must not change afterwards. It returns an
// error if the lengths disagree, a column is outside [0,columns), or a value is not finite.
func NewSparse(columns int, offsets []int64, index []int32, value []float32) (*Sparse, error) {
	n := len(offsets)
	if n < 2 || columns < 1 {
		return nil, fmt.Errorf("op: NewSparse: %d offsets, %d columns: expected at least 2 and 1", n, columns)
	}
	if offsets[0] != 0 || offsets[n-1] != int64(len(index)) || len(index) != len(value) {
		return nil, fmt.Errorf("op: NewSparse: offsets %d to %d, %d indices, %d values: expected offsets from 0 to the number of both",
			offsets[0], offsets[n-1], len(index), len(value))
	}
	for r := range n - 1 {
		if offsets[r] > offsets[r+1] {
			return nil, fmt.Errorf("op: NewSparse: offsets[%d] = %d, then %d: expected them not to fall", r, offsets[r], offsets[r+1])
		}
	}
	for j, c := range index {
		if c < 0 || int(c) >= columns {
			return nil, fmt.Errorf("op: NewSparse: index[%d] = %d: expected 0 to %d", j, c, columns-1)
		}
		if v := float64(value[j]); math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("op: NewSparse: value[%d] = %v: expected a finite number", j, v)
		}
	}
	m := compressed{offsets, index, value}
	return &Sparse{rows: n - 1, columns: columns, byRow: m, byColumn: m.transpose(columns)}, nil
}

// Shape returns the number of rows and columns.
func (a *Sparse) Shape() (rows, columns int) { return a.rows, a.columns }

// transpose returns the elements by columns; within a column they keep the order of rows.
func (m compressed) transpose(columns int) compressed {
	t := compressed{make([]int64, columns+1), make([]int32, len(m.index)), make([]float32, len(m.value))}
	for _, c := range m.index {
		t.offsets[c+1]++
	}
	for c := range columns {
		t.offsets[c+1] += t.offsets[c]
	}
	next := append([]int64{}, t.offsets...)
	for r := range len(m.offsets) - 1 {
		for j := m.offsets[r]; j < m.offsets[r+1]; j++ {
			c := m.index[j]
			t.index[next[c]], t.value[next[c]] = int32(r), m.value[j]
			next[c]++
		}
	}
	return t
}

// SparseMul returns the product of a constant sparse matrix and x: out[r] = Σ_c a[r,c]·x[c].
//
// a (N,M), x (M,H) -> (N,H). The gradient by x is the product of the transpose of a. It is worked out by rows on up to
// threads goroutines, each row by one of them in the order of its elements, so that their number does not change a bit. It returns
// an error if the shapes disagree.
func SparseMul(a *Sparse, x *G.Node, threads int) (*G.Node, error) {
	s := x.Shape()
	if s.Dims() != 2 || s[0] != a.columns {
		return nil, fmt.Errorf("op: SparseMul: matrix (%d,%d), x %v: expected (N,M) and (M,H)", a.rows, a.columns, s)
	}
	return whole("SparseMul", tensor.Shape{a.rows, s[1]}, sparseMul(a, threads, combine32), sparseMul(a, threads, combine64), x)
}

// combiner adds to dst the rows of a table (M,H), each times its coefficient.
type combiner[T Float] func(dst []T, coef []float32, table []T, rows []int32)

func combine32(dst, coef, table []float32, rows []int32) {
	kernel.Combine(dst, coef, table, rows, 1, len(dst))
}

func combine64(dst []float64, coef []float32, table []float64, rows []int32) {
	h := len(dst)
	for j, r := range rows {
		axpy(dst, table[int(r)*h:][:h], float64(coef[j]))
	}
}

func sparseMul[T Float](a *Sparse, threads int, combine combiner[T]) Kernel[T] {
	product := func(out []T, m compressed, x []T, h int) {
		const rows = 32 // that a worker takes at a time
		n := len(m.offsets) - 1
		par.Blocks(threads, (n+rows-1)/rows, func(_, block int) {
			for r := block * rows; r < min((block+1)*rows, n); r++ {
				dst := out[r*h : (r+1)*h]
				clear(dst)
				if lo, hi := m.offsets[r], m.offsets[r+1]; lo < hi {
					combine(dst, m.value[lo:hi], x, m.index[lo:hi])
				}
			}
		})
	}
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			product(out, a.byRow, in[0].F, in[0].Shape[1])
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			product(din[0], a.byColumn, gout, in[0].Shape[1])
			return nil
		},
	}
}
