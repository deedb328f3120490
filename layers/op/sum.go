package op

import (
	"fmt"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Total returns the sum of all elements as a scalar, added up in float64 (Gorgonia's Sum adds in the
// tensor's own type: 2e7 float32 ones give 16777216). It returns an error if x has no float type.
func Total(x *G.Node) (*G.Node, error) {
	return whole("Total", tensor.ScalarShape(), total(fast), total(exact), x)
}

func total[T Float](a arrays[T]) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			out[0] = T(a.total(in[0].F))
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			fill(din[0], gout[0])
			return nil
		},
	}
}

// WeightedTotal returns the scalar Σ_b weight[b]·Σ_k x[b,k], added up in float64. The weights get no gradient. A row of weight
// 0 (padding) does not take part, whatever it holds.
//
// x (B,K), weight (B) -> scalar. It returns an error if the shapes or types disagree.
func WeightedTotal(x, weight *G.Node) (*G.Node, error) {
	s, w := x.Shape(), weight.Shape()
	if s.Dims() != 2 || w.Dims() != 1 || w[0] != s[0] {
		return nil, fmt.Errorf("op: WeightedTotal: x %v, weight %v: expected (B,K) and (B)", s, w)
	}
	return Apply(Spec{
		Name: "WeightedTotal", Shape: tensor.ScalarShape(), Diff: []bool{true, false}, Sets: []bool{true, false},
		F32: weightedTotal(fast), F64: weightedTotal(exact),
	}, x, weight)
}

func weightedTotal[T Float](a arrays[T]) Kernel[T] {
	var slope []T // (K), all the same
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			out[0] = T(a.weightedTotal(in[0].F, in[1].F, in[0].Shape[0], in[0].Shape[1]))
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			rows, k := in[0].Shape[0], in[0].Shape[1]
			fill(room(&slope, k), gout[0])
			a.spreadWeighted(din[0], slope, in[1].F, 1, rows, k)
			return nil
		},
	}
}

// SumAxis1 returns the sum over the middle axis: out[b,k] = Σ_m x[b,m,k].
//
// x (B,M,K) -> (B,K). It returns an error for another shape.
func SumAxis1(x *G.Node) (*G.Node, error) {
	s := x.Shape()
	if s.Dims() != 3 {
		return nil, fmt.Errorf("op: SumAxis1: x %v: expected (B,M,K)", s)
	}
	return whole("SumAxis1", tensor.Shape{s[0], s[2]}, sumAxis1(fast), sumAxis1(exact), x)
}

func sumAxis1[T Float](a arrays[T]) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			a.sumMiddle(out, in[0].F, in[0].Shape[0], in[0].Shape[1], in[0].Shape[2])
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			a.spreadMiddle(din[0], gout, in[0].Shape[0], in[0].Shape[1], in[0].Shape[2])
			return nil
		},
	}
}

// Zero returns the scalar 0, with a zero gradient: the value of a term that does not apply. It returns an error if x has no float
// type.
func Zero(x *G.Node) (*G.Node, error) {
	return Apply(Spec{
		Name: "Zero", Shape: tensor.ScalarShape(), Diff: []bool{true}, F32: zero[float32](), F64: zero[float64](),
	}, x)
}

func zero[T Float]() Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			out[0] = 0
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error { return nil },
	}
}

// Scale returns c·x, of the shape of x. A number in an op of its own cannot be merged with an equal constant of another
// type elsewhere in the graph, and costs no gradient for the number. It returns an error if x has no float type.
func Scale(x *G.Node, c float64) (*G.Node, error) {
	return whole("Scale", x.Shape().Clone(), scale(fast, float32(c)), scale(exact, c), x)
}

func scale[T Float](a arrays[T], c T) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			a.scale(out, in[0].F, c)
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			a.scale(din[0], gout, c)
			return nil
		},
	}
}

// Shift returns x + c, of the shape of x. As in Scale, the number is in the op. It returns an error if x has no float type.
func Shift(x *G.Node, c float64) (*G.Node, error) {
	return whole("Shift", x.Shape().Clone(), shift(fast, float32(c)), shift(exact, c), x)
}

func shift[T Float](a arrays[T], c T) Kernel[T] {
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			a.shift(out, in[0].F, c)
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			copy(din[0], gout)
			return nil
		},
	}
}
