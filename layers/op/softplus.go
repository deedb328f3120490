package op

import (
	G "gorgonia.org/gorgonia"
)

// Softplus returns log(1+exp(x)) = -log σ(-x) of each element as max(x,0) + log1p(exp(-|x|)), which is finite and exact
// to a few roundings of the type for every finite x. The gradient is σ(x). It returns an error if x has no float type.
func Softplus(x *G.Node) (*G.Node, error) {
	return whole("Softplus", x.Shape().Clone(), softplus(fast), softplus(exact), x)
}

// softplus keeps slopes for the backward pass, because both share the exponential.
func softplus[T Float](a arrays[T]) Kernel[T] {
	var slopes []T
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			a.softplus(out, room(&slopes, len(out)), in[0].F)
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			a.mul(din[0], gout, slopes)
			return nil
		},
	}
}
