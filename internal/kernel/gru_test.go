package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// testGRU checks a step of a row of n words, and back, against plain loops of float64.
func testGRU(t *testing.T, a arena, r *rand.Rand, n int) {
	t.Helper()
	plain := func(f func(x float64) float64) func(dst, x []float64) {
		return func(dst, x []float64) {
			for i, v := range x {
				dst[i] = f(v)
			}
		}
	}
	var x [7][]float32
	var want [7][]float64
	scale := make([]float64, 4*n)
	for i := range scale {
		scale[i] = 64 // bounds products of three draws
	}
	for i, size := range []int{4 * n, 3 * n, n, n, n, n, n} { // gates, in, bias, state, next or carry, sum, grad
		x[i] = fill(r, a.floats(size))
		for _, v := range x[i] {
			want[i] = append(want[i], float64(v))
		}
	}
	GRUStep(x[0], x[1], x[2], x[3], x[4], x[5])
	PlainGRUStep(want[0], want[1], want[2], want[3], want[4], want[5], plain(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }), plain(math.Tanh))
	for i, w := range want {
		within(t, "GRUStep", x[i], w, scale, eps)
	}
	const share = .3
	GRUSlope(x[0], x[3], x[4], x[6], share)
	PlainGRUSlope(want[0], want[3], want[4], want[6], share)
	for i, w := range want {
		within(t, "GRUSlope", x[i], w, scale, eps)
	}
	a.check(t)
}
