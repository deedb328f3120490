package plan

import (
	"math"

	"github.com/asp2vec/asp2vec/internal/kernel"
)

// elementwise returns an op of Gorgonia's on numbers one by one as a function of slices, or nil for another op. Gorgonia's own code allocates
// the result and dispatches by type.
func elementwise(name string, in []*slot, z []float32) func() error {
	for _, s := range in {
		if s.f == nil || len(s.f) != len(z) && !s.shape.IsScalar() {
			return nil
		}
	}
	switch len(in) {
	case 1:
		x := in[0].f
		if f := unary(name); f != nil {
			return func() error {
				f(z, x)
				return nil
			}
		}
	case 2:
		x, y := in[0].f, in[1].f
		f := binary(name)
		switch {
		case f == nil:
		case len(x) == len(z) && len(y) == len(z):
			return func() error {
				f(z, x, y)
				return nil
			}
		default: // with a number
			wideX, wideY := widened(x, len(z)), widened(y, len(z))
			return func() error {
				f(z, wideX(), wideY())
				return nil
			}
		}
	}
	return nil
}

// widened returns how to get n numbers: x, or the one of x over and over.
func widened(x []float32, n int) func() []float32 {
	if len(x) == n {
		return func() []float32 { return x }
	}
	wide := make([]float32, n)
	for i := range wide {
		wide[i] = x[0]
	}
	return func() []float32 {
		if wide[0] != x[0] {
			for i := range wide {
				wide[i] = x[0]
			}
		}
		return wide
	}
}

// unary returns the op of a name, from x to z.
func unary(name string) func(z, x []float32) {
	switch name {
	case "neg":
		return func(z, x []float32) { kernel.Scale(z, x, -1) }
	case "exp":
		return kernel.Exp
	case "ln":
		return kernel.Log
	case "sigmoid":
		return kernel.Sigmoid
	case "tanh":
		return kernel.Tanh
	case "square":
		return func(z, x []float32) { kernel.Mul(z, x, x) }
	case "cube":
		return each(func(x float32) float32 { return x * x * x })
	case "sqrt":
		return each(func(x float32) float32 { return float32(math.Sqrt(float64(x))) })
	case "abs":
		return func(z, x []float32) {
			for i, v := range x[:len(z)] {
				z[i] = math.Float32frombits(math.Float32bits(v) &^ signBit)
			}
		}
	case "sign":
		return signs
	case "inv":
		return each(func(x float32) float32 { return 1 / x })
	}
	return nil
}

const signBit = 1 << 31

// signs writes -1, 0 or 1. Its only branch is one that a processor foresees: signs are as good as random.
func signs(z, x []float32) {
	for i, v := range x[:len(z)] {
		z[i] = math.Float32frombits(math.Float32bits(v)&signBit | math.Float32bits(1))
		if v == 0 || v != v {
			z[i] = v
		}
	}
}

func each(f func(x float32) float32) func(z, x []float32) {
	return func(z, x []float32) {
		for i, v := range x[:len(z)] {
			z[i] = f(v)
		}
	}
}

// binary returns the op of a name, from x and y to z.
func binary(name string) func(z, x, y []float32) {
	switch name {
	case "+ false":
		return kernel.Add
	case "- false":
		return kernel.Sub
	case "⊙ false":
		return kernel.Mul
	case "÷ false":
		return kernel.Div
	case ">= true":
		return greaterOrEqual
	case "> true":
		return greater
	case "<= true":
		return func(z, x, y []float32) { greaterOrEqual(z, y, x) }
	case "< true":
		return func(z, x, y []float32) { greater(z, y, x) }
	}
	return nil
}

func greater(z, x, y []float32) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = one(x[i] > y[i])
	}
}

func greaterOrEqual(z, x, y []float32) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = one(x[i] >= y[i])
	}
}

// one is 1 where something holds and 0 elsewhere.
func one(holds bool) float32 {
	if holds {
		return 1
	}
	return 0
}
