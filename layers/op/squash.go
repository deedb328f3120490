package op

import (
	G "gorgonia.org/gorgonia"
)

// Sigmoid returns σ(x) = 1/(1+exp(-x)) of each element, in vectors, where Gorgonia's goes through float64 one by one. It returns an
// error if x has no float type.
func Sigmoid(x *G.Node) (*G.Node, error) {
	return Apply(Spec{
		Name: "Sigmoid", Shape: x.Shape().Clone(), Diff: []bool{true}, Sets: []bool{true},
		F32: sigmoid(fast), F64: sigmoid(exact),
	}, x)
}

// Tanh returns the hyperbolic tangent of each element, likewise. It returns an error if x has no float type.
func Tanh(x *G.Node) (*G.Node, error) {
	return Apply(Spec{
		Name: "Tanh", Shape: x.Shape().Clone(), Diff: []bool{true}, Sets: []bool{true},
		F32: tanh(fast), F64: tanh(exact),
	}, x)
}

// sigmoid has the slope y(1-y).
func sigmoid[T Float](a arrays[T]) Kernel[T] {
	return squash(a, a.sigmoid, func(slope, y []T) {
		a.scale(slope, y, -1)
		a.shift(slope, slope, 1)
		a.mul(slope, slope, y)
	})
}

// tanh has the slope 1-y².
func tanh[T Float](a arrays[T]) Kernel[T] {
	return squash(a, a.tanh, func(slope, y []T) {
		a.mul(slope, y, y)
		a.scale(slope, slope, -1)
		a.shift(slope, slope, 1)
	})
}

// squash is the kernel of a function whose slope depends on its value alone.
func squash[T Float](a arrays[T], f func(dst, x []T), slope func(slope, y []T)) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			f(out, in[0].F)
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			slope(din[0], out)
			a.mul(din[0], din[0], gout)
			return nil
		},
	}
}
