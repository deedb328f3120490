package op

import (
	"fmt"
	"math"

	G "gorgonia.org/gorgonia"
)

// Softmax returns the softmax of x over its last axis: each row is positive and sums to 1.
//
// x (...,K) -> (...,K). The maximum of the row is subtracted first, so no finite x overflows; Gorgonia's own takes a wrong
// maximum when the axis is the last. It returns an error for a scalar.
func Softmax(x *G.Node) (*G.Node, error) {
	if x.Dims() < 1 {
		return nil, fmt.Errorf("op: Softmax: x %v: want (...,K)", x.Shape())
	}
	return Apply(Spec{
		Name: "Softmax", Shape: x.Shape().Clone(), Diff: []bool{true}, F32: softmax[float32](), F64: softmax[float64](),
	}, x)
}

func softmax[T Float]() Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			x, k := in[0].F, lastAxis(in[0])
			for o := 0; o < len(x); o += k {
				row, y := x[o:o+k], out[o:o+k]
				top := row[0]
				for _, v := range row[1:] {
					top = max(top, v) // NaN if any is
				}
				var total float64
				for i, v := range row {
					e := math.Exp(float64(v) - float64(top))
					y[i] = T(e)
					total += e
				}
				scale := T(1 / total)
				for i := range y {
					y[i] *= scale
				}
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			k := lastAxis(in[0])
			for o := 0; o < len(out); o += k {
				y, g, d := out[o:o+k], gout[o:o+k], din[0][o:o+k]
				mean := dot(y, g)
				for i, p := range y {
					d[i] += p * (g[i] - mean)
				}
			}
			return nil
		},
	}
}

// StraightThrough returns, for each row of prob, 1 at its maximum (the first of equals) and 0 elsewhere. The gradient
// passes as if the result were prob itself. A row with a NaN stays NaN, so that a failure is not hidden.
//
// prob (B,K) -> (B,K). It returns an error for another shape.
func StraightThrough(prob *G.Node) (*G.Node, error) {
	if prob.Dims() != 2 {
		return nil, fmt.Errorf("op: StraightThrough: prob %v: want (B,K)", prob.Shape())
	}
	return Apply(Spec{
		Name: "StraightThrough", Shape: prob.Shape().Clone(), Diff: []bool{true},
		F32: straightThrough[float32](), F64: straightThrough[float64](),
	}, prob)
}

func straightThrough[T Float]() Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			x, k := in[0].F, lastAxis(in[0])
			clear(out)
			for o := 0; o < len(x); o += k {
				best, nan := o, false
				for i := o; i < o+k; i++ {
					if x[i] > x[best] {
						best = i
					}
					nan = nan || x[i] != x[i]
				}
				out[best] = 1
				if nan {
					for i := o; i < o+k; i++ {
						out[i] = T(math.NaN())
					}
				}
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			axpy(din[0], gout, 1)
			return nil
		},
	}
}

// Uniform returns 1/K in each of the K columns, whatever x holds; its gradient is zero.
//
// x (B,K) -> (B,K). It returns an error for another shape.
func Uniform(x *G.Node) (*G.Node, error) {
	if x.Dims() != 2 {
		return nil, fmt.Errorf("op: Uniform: x %v: want (B,K)", x.Shape())
	}
	return Apply(Spec{
		Name: "Uniform", Shape: x.Shape().Clone(), Diff: []bool{true}, F32: uniform[float32](), F64: uniform[float64](),
	}, x)
}

// uniform has a gradient, of zero, because G.Grad refuses a loss that does not depend on what it is asked for.
func uniform[T Float]() Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			p := 1 / T(lastAxis(in[0]))
			for i := range out {
				out[i] = p
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error { return nil },
	}
}

func lastAxis[T Float](a Array[T]) int { return a.Shape[len(a.Shape)-1] }
