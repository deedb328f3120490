package op

import (
	"github.com/asp2vec/asp2vec/internal/kernel"
)

// Numeric are the loops that kernels are made of, for a float type: what package kernel says of them holds for both.
type Numeric[T Float] struct {
	Gemm          func(threads int, transA, transB bool, m, n, k int, a []T, lda int, b []T, ldb int, add bool, c []T, ldc int)
	Axpy          func(y, x []T, a T)
	Sigmoid, Tanh func(dst, x []T)
	GRUStep       func(gates, in, bias, state, next, sum []T)
	GRUSlope      func(gates, state, carry, grad []T, share T)
}

var (
	single = Numeric[float32]{kernel.Gemm, kernel.Axpy, kernel.Sigmoid, kernel.Tanh, kernel.GRUStep, kernel.GRUSlope}
	double = Numeric[float64]{gemm[float64], axpy[float64], exact.sigmoid, exact.tanh, gruStep, kernel.PlainGRUSlope[float64]}
)

func gruStep(gates, in, bias, state, next, sum []float64) {
	kernel.PlainGRUStep(gates, in, bias, state, next, sum, exact.sigmoid, exact.tanh)
}

// NumericOf returns package kernel's loops for float32, and plain ones on one thread for float64, in which gradients are checked.
func NumericOf[T Float]() Numeric[T] {
	if n, ok := any(single).(Numeric[T]); ok {
		return n
	}
	return any(double).(Numeric[T])
}
