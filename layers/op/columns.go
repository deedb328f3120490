package op

import (
	"fmt"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Rows returns rows lo to hi-1 of x. Gorgonia's Slice is merged with another one whose bounds are the same modulo 256.
//
// x (N,...), 0 <= lo < hi <= N -> (hi-lo,...). It returns an error for other bounds, or x without axes.
func Rows(x *G.Node, lo, hi int) (*G.Node, error) {
	s := x.Shape()
	if s.Dims() < 1 || lo < 0 || hi <= lo || hi > s[0] {
		return nil, fmt.Errorf("op: Rows: %d to %d of x %v: expected some of (N,...)", lo, hi, s)
	}
	shape := s.Clone()
	shape[0] = hi - lo
	return Apply(Spec{
		Name: "Rows", Shape: shape, Diff: []bool{true}, F32: rows[float32](lo), F64: rows[float64](lo),
	}, x)
}

func rows[T Float](lo int) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			copy(out, in[0].F[lo*len(in[0].F)/in[0].Shape[0]:])
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			copy(din[0][lo*len(in[0].F)/in[0].Shape[0]:], gout)
			return nil
		},
	}
}

// copyColumns copies columns from a matrix of rows of ldx words to one of rows of ldy.
func copyColumns[T Float](y []T, ldy, at int, x []T, ldx, from, width int) {
	for r := range len(x) / ldx {
		copy(y[r*ldy+at:][:width], x[r*ldx+from:])
	}
}

// JoinColumns returns matrices side by side. Gorgonia's Concat has a wrong gradient for parts of 256 columns.
//
// xs (B,H_i) -> (B,Σ H_i). It returns an error if there is none, or their numbers of rows or types disagree.
func JoinColumns(xs ...*G.Node) (*G.Node, error) {
	width := 0
	for i, x := range xs {
		s := x.Shape()
		if s.Dims() != 2 || s[0] != xs[0].Shape()[0] {
			return nil, fmt.Errorf("op: JoinColumns: part %d is %v: expected (B,H), with B as the first", i, s)
		}
		width += s[1]
	}
	if width == 0 {
		return nil, fmt.Errorf("op: JoinColumns: %d parts: expected at least one", len(xs))
	}
	return whole("JoinColumns", tensor.Shape{xs[0].Shape()[0], width}, joinColumns[float32](width), joinColumns[float64](width), xs...)
}

func joinColumns[T Float](width int) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			at := 0
			for _, x := range in {
				copyColumns(out, width, at, x.F, x.Shape[1], 0, x.Shape[1])
				at += x.Shape[1]
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			at := 0
			for i, x := range in {
				copyColumns(din[i], x.Shape[1], 0, gout, width, at, x.Shape[1])
				at += x.Shape[1]
			}
			return nil
		},
	}
}
