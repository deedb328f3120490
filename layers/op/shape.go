package op

import (
	"fmt"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Reshape returns a copy of x with another shape of as many elements.
//
// Gorgonia's own Reshape shares memory with its input, and the next elementwise op writes into it: a parameter that is
// reshaped and then added to changes. It returns an error for another number of elements.
func Reshape(x *G.Node, shape ...int) (*G.Node, error) {
	to := tensor.Shape(shape).Clone()
	if len(to) == 0 || to.TotalSize() != x.Shape().TotalSize() {
		return nil, fmt.Errorf("op: Reshape: %v to %v: expected as many elements", x.Shape(), to)
	}
	return Apply(Spec{
		Name: "Reshape", kind: ReshapeKind, Shape: to, Diff: []bool{true}, Sets: []bool{true}, F32: reshape[float32](), F64: reshape[float64](),
	}, x)
}

func reshape[T Float]() Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			copy(out, in[0].F)
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			copy(din[0], gout)
			return nil
		},
	}
}

// Repeat repeats each row: out[w*times+c] = x[w] for c < times. The gradient of a row is the sum over its copies.
//
// x (W,...), times >= 1 -> (W*times,...). It returns an error for a scalar, or times < 1.
func Repeat(x *G.Node, times int) (*G.Node, error) {
	s := x.Shape()
	if s.Dims() < 1 || times < 1 {
		return nil, fmt.Errorf("op: Repeat: x %v, times = %d: expected (W,...) and times >= 1", s, times)
	}
	shape := s.Clone()
	shape[0] *= times
	return whole("Repeat", shape, repeat(fast, times), repeat(exact, times), x)
}

func repeat[T Float](a arrays[T], times int) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			rows := in[0].Shape[0]
			a.spreadMiddle(out, in[0].F, rows, times, len(in[0].F)/rows)
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			rows := in[0].Shape[0]
			a.sumMiddle(din[0], gout, rows, times, len(in[0].F)/rows)
			return nil
		},
	}
}
