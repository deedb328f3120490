package kernel

import (
	"math"
	"math/rand/v2"
	"testing"
)

// testOptimizers checks one step of each optimizer on n words against float64, without and with a gradient.
func testOptimizers(t *testing.T, a arena, r *rand.Rand, n int) {
	t.Helper()
	const lr, beta1, beta2, stable = 0.003, 0.9, 0.999, 1e-8
	for _, c := range []struct {
		name  string
		drawn bool
		steps int
	}{{"zero gradient", false, 3}, {"step 1", true, 1}, {"step 1000", true, 1000}} {
		p, m, v, grad := fill(r, a.floats(n)), fill(r, a.floats(n)), fill(r, a.floats(n)), a.floats(n)
		clear(grad)
		if c.drawn {
			fill(r, grad)
		}
		for i := range v {
			v[i] *= v[i]
		}
		var want [4][]float64 // p, m, v, and p after gradient descent
		for i := range p {
			g := float64(grad[i])
			mi := beta1*float64(m[i]) + (1-beta1)*g
			vi := beta2*float64(v[i]) + (1-beta2)*g*g
			bias1, bias2 := 1-math.Pow(beta1, float64(c.steps)), 1-math.Pow(beta2, float64(c.steps))
			x := float64(p[i]) - lr*(mi/bias1)/(math.Sqrt(vi/bias2)+stable)
			for j, y := range []float64{x, mi, vi, float64(p[i]) - lr*g} {
				want[j] = append(want[j], y)
			}
		}
		descended := a.floats(n)
		copy(descended, p)
		SGD(descended, grad, lr)
		step := NewAdamStep(lr, beta1, beta2, stable, c.steps)
		Adam(p, m, v, grad, &step)
		scale, moved := make([]float64, n), make([]float64, n)
		for i := range scale {
			scale[i] = 16                              // bounds the draws' squares
			moved[i] = max(16, 4*math.Abs(want[0][i])) // and the step of Adam where v is next to 0
		}
		for j, got := range [][]float32{p, m, v, descended} {
			bound := scale
			if j == 0 {
				bound = moved
			}
			within(t, c.name, got, want[j], bound, 2*eps)
		}
	}
}

// TestAdamFlush: moments without gradient must end at zero, not among the denormals.
func TestAdamFlush(t *testing.T) {
	eachVariant(t, func(t *testing.T) {
		const n = 19
		p, m, v, g := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
		for i := range m {
			m[i], v[i] = 0x1.8p-110, 0x1.8p-110
			if i%2 == 1 {
				m[i] = -m[i]
			}
		}
		v[n-1] = float32(math.NaN())
		for s := 1; s <= 1000; s++ {
			step := NewAdamStep(0.003, 0.9, 0.999, 1e-8, s)
			Adam(p, m, v, g, &step)
			if s == 1 && m[0] == 0 {
				t.Fatal("a moment above 2^-110 was flushed")
			}
		}
		for i := range n - 1 {
			if m[i] != 0 || v[i] != 0 || math.Abs(float64(p[i])) > 1e-26 {
				t.Fatalf("word %d: m = %g, v = %g, p = %g: expected 0, 0 and less than 1e-26", i, m[i], v[i], p[i])
			}
		}
		if v[n-1] == v[n-1] {
			t.Errorf("NaN became %g: expected NaN", v[n-1])
		}
	})
}
