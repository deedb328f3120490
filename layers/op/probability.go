package op

import (
	"fmt"

	G "gorgonia.org/gorgonia"
)

// Softmax returns the softmax of x over its last axis: each row is positive and sums to 1.
//
// x (...,K) -> (...,K). The maximum of the row is subtracted first, so no finite x overflows; Gorgonia's own takes a wrong
// maximum when the axis is the last. It returns an error for a scalar.
func Softmax(x *G.Node) (*G.Node, error) {
	if x.Dims() < 1 {
		return nil, fmt.Errorf("op: Softmax: x %v: expected (...,K)", x.Shape())
	}
	return whole("Softmax", x.Shape().Clone(), softmax(fast), softmax(exact), x)
}

func softmax[T Float](a arrays[T]) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			k := lastAxis(in[0])
			copy(out, in[0].F)
			a.softmax(out, len(out)/k, k)
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			k := lastAxis(in[0])
			a.softmaxSlope(din[0], out, gout, len(out)/k, k)
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
		return nil, fmt.Errorf("op: StraightThrough: prob %v: expected (B,K)", prob.Shape())
	}
	return whole("StraightThrough", prob.Shape().Clone(), straightThrough(fast), straightThrough(exact), prob)
}

func straightThrough[T Float](a arrays[T]) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			a.oneHot(out, in[0].F, in[0].Shape[0], in[0].Shape[1])
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			copy(din[0], gout)
			return nil
		},
	}
}

// Uniform returns 1/K in each of the K columns, whatever x holds; its gradient is zero.
//
// x (B,K) -> (B,K). It returns an error for another shape.
func Uniform(x *G.Node) (*G.Node, error) {
	if x.Dims() != 2 {
		return nil, fmt.Errorf("op: Uniform: x %v: expected (B,K)", x.Shape())
	}
	return Apply(Spec{
		Name: "Uniform", Shape: x.Shape().Clone(), Diff: []bool{true}, F32: uniform[float32](), F64: uniform[float64](),
	}, x)
}

// uniform has a gradient, of zero, because G.Grad refuses a loss that does not depend on what it is asked for.
func uniform[T Float]() Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			fill(out, 1/T(lastAxis(in[0])))
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error { return nil },
	}
}

func lastAxis[T Float](a Array[T]) int { return a.Shape[len(a.Shape)-1] }
