package kernel

import (
	"fmt"
	"testing"
)

// The benchmarks run every variant of this processor on a network of 3,852 vertices (PPI), in windows of 18 vertices, so
// that tables come from the second-level cache or beyond, as in training. Compare variants with benchstat -col /variant.

const benchVertices = 3852

// eachBench runs a benchmark for the usual sizes and every variant; body makes the
// function that does call i on s*k rows.
func eachBench(b *testing.B, s int, body func(k, d int) func(i int)) {
	for _, z := range []shape{{k: 5, d: 20}, {k: 5, d: 40}, {k: 5, d: 100}, {k: 1, d: 20}, {k: 1, d: 128}} {
		call := body(z.k, z.d)
		for _, v := range variants() {
			withVariant(v, func() {
				b.Run(fmt.Sprintf("d=%d/k=%d/s=%d/variant=%s", z.d, z.k, s, v), func(b *testing.B) {
					b.ReportAllocs()
					i := 0
					for b.Loop() {
						call(i)
						i++
					}
					rows := float64(b.N) * float64(s*z.k)
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/rows, "ns/row")
					b.ReportMetric(2*rows*float64(z.d)/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
				})
			})
		}
	}
}

// benchRows draws indices for many windows.
func benchRows(n, limit int) []int32 {
	r := newRand(8)
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(r.IntN(limit))
	}
	return rows
}

const window, windows = 18, 512

func BenchmarkDots(b *testing.B) {
	rows := benchRows(window*windows, benchVertices)
	eachBench(b, window, func(k, d int) func(i int) {
		table := fill(newRand(9), make([]float32, benchVertices*k*d))
		out := make([]float32, window*k)
		return func(i int) { Dots(out, table[i%windows*d:], table, rows[i%windows*window:][:window], k, d) }
	})
}

func BenchmarkCombine(b *testing.B) {
	rows := benchRows(window*windows, benchVertices)
	eachBench(b, window, func(k, d int) func(i int) {
		table := fill(newRand(9), make([]float32, benchVertices*k*d))
		coef, dst := make([]float32, window*k), make([]float32, d)
		return func(i int) { Combine(dst, coef, table, rows[i%windows*window:][:window], k, d) }
	})
}

// BenchmarkOuter has 40 contributions to a vertex out of 8,500 windows, as a batch of 50,000 pairs has.
func BenchmarkOuter(b *testing.B) {
	const perVertex, centers = 40, 8500
	slots, owners := benchRows(perVertex*windows, centers*window), make([]int32, perVertex*windows)
	for i, s := range slots {
		owners[i] = s / window
	}
	eachBench(b, perVertex, func(k, d int) func(i int) {
		coef := fill(newRand(9), make([]float32, centers*window*k))
		x := fill(newRand(10), make([]float32, centers*d))
		dst := make([]float32, k*d)
		return func(i int) {
			i = i % windows * perVertex
			Outer(dst, coef, x, slots[i:][:perVertex], owners[i:][:perVertex], k, d)
		}
	})
}

// BenchmarkElementwise does the 90 scores of a window (k = 5), or one vertex's block for the optimizer.
func BenchmarkElementwise(b *testing.B) {
	const n = 90
	x, y, z := make([]float32, n), make([]float32, n), make([]float32, n)
	p, m, v, g := make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)
	for i := range x {
		x[i] = float32(i+1) / (n + 1)
	}
	step := NewAdamStep(0.003, 0.9, 0.999, 1e-8, 3)
	for _, f := range []struct {
		name string
		do   func()
	}{
		{"Exp", func() { Exp(y, x) }}, {"Log", func() { Log(y, x) }}, {"Gumbel", func() { Gumbel(y, x) }},
		{"Sigmoid", func() { Sigmoid(y, x) }}, {"Tanh", func() { Tanh(y, x) }},
		{"SoftplusSigmoid", func() { SoftplusSigmoid(y, z, x, 1) }},
		{"Softmax5", func() { Softmax(y, n/5, 5, 2) }},
		{"Adam", func() { Adam(p, m, v, g, &step) }},
	} {
		for _, v := range variants() {
			withVariant(v, func() {
				b.Run(fmt.Sprintf("f=%s/n=%d/variant=%s", f.name, n, v), func(b *testing.B) {
					for b.Loop() {
						f.do()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/word")
				})
			})
		}
	}
}
