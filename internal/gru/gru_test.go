package gru

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
)

func single(x []float64) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}

// zeroWeights returns weights of zeros, or room for gradients.
func zeroWeights(width, d int) Weights[float32] {
	return Weights[float32]{
		IH: make([]float32, 3*d*width), HH: make([]float32, 3*d*d),
		BiasIH: make([]float32, 3*d), BiasHH: make([]float32, 3*d),
	}
}

// PyTorch's values; each step of each text is a word of its own.
func TestGolden(t *testing.T) {
	file := call.Of(golden.LoadGRU())(t)
	for name, c := range map[string]golden.GRUCase{"full": file.Full, "packed": file.Packed} {
		t.Run(name, func(t *testing.T) {
			g := call.Of(New(Config[float32]{Words: golden.VertexMajor[float32](transposed(c.X)), Width: c.In, Dim: c.Dim, Threads: 2}))(t)
			texts := make([][]int32, len(c.Lengths))
			steps := len(c.X[0])
			for b, n := range c.Lengths {
				for s := range n {
					texts[b] = append(texts[b], int32(b*steps+s))
				}
			}
			call.OK(t, g.Bind(texts))
			w := Weights[float32]{
				IH: golden.Flat[float32](c.WeightIH), HH: golden.Flat[float32](c.WeightHH), BiasIH: single(c.BiasIH), BiasHH: single(c.BiasHH),
			}
			out := make([]float32, len(texts)*c.Dim)
			g.Forward(w, out)
			near(t, "mean", out, golden.Flat[float64](c.Mean), 1e-6)
			grads := zeroWeights(c.In, c.Dim)
			g.Backward(w, golden.Flat[float32](c.LossWeights), grads)
			near(t, "gradient of weight_ih", grads.IH, golden.Flat[float64](c.GradWeightIH), 1e-6)
			near(t, "gradient of weight_hh", grads.HH, golden.Flat[float64](c.GradWeightHH), 1e-6)
			near(t, "gradient of bias_ih", grads.BiasIH, c.GradBiasIH, 1e-6)
			near(t, "gradient of bias_hh", grads.BiasHH, c.GradBiasHH, 1e-6)
		})
	}
}

// transposed turns (B,T,D) into (T,B,D), of which golden.VertexMajor makes (B,T,D), flat.
func transposed(x [][][]float64) [][][]float64 {
	y := make([][][]float64, len(x[0]))
	for _, row := range x {
		for t, v := range row {
			y[t] = append(y[t], v)
		}
	}
	return y
}

// randomUnit returns a unit over words of 3 dimensions into vectors of 5, and weights for it.
func randomUnit(t *testing.T, cell Cell, threads int) (*GRU[float32], Weights[float32]) {
	t.Helper()
	const vocabulary, width, d = 50, 3, 5
	s := rng.New(1, "gru")
	w, words := zeroWeights(width, d), make([]float32, vocabulary*width)
	for _, x := range [][]float32{w.IH, w.HH, w.BiasIH, w.BiasHH, words} {
		for i := range x {
			x[i] = float32(s.Normal())
		}
	}
	g := call.Of(New(Config[float32]{Cell: cell, Words: words, Width: width, Dim: d, Threads: threads}))(t)
	return g, w
}

func randomTexts(n, longest int) [][]int32 {
	s := rng.New(2, "texts")
	texts := make([][]int32, n)
	for i := range texts {
		for range s.Intn(longest + 1) {
			texts[i] = append(texts[i], int32(min(s.Intn(50), s.Intn(50))))
		}
	}
	return texts
}

// pass returns the vectors of texts, and the gradients, one after another.
func pass(t *testing.T, g *GRU[float32], w Weights[float32], texts [][]int32, grad []float32) (out, grads []float32) {
	t.Helper()
	call.OK(t, g.Bind(texts))
	out = make([]float32, len(texts)*g.c.Dim)
	g.Forward(w, out)
	dst := zeroWeights(g.c.Width, g.c.Dim)
	g.Backward(w, grad, dst)
	return out, slices.Concat(dst.IH, dst.HH, dst.BiasIH, dst.BiasHH)
}

// TestManyTexts: more blocks than groups. Threads change no bit, nor do batches before; a text's vector does not depend on the
// others; and the gradient of a batch is the sum over its parts.
func TestManyTexts(t *testing.T) {
	texts := randomTexts(blockTexts*gruGroups+500, 6)
	for _, cell := range []Cell{ResetAfter, ResetBefore} {
		g, w := randomUnit(t, cell, 1)
		d := g.c.Dim
		grad := make([]float32, len(texts)*d)
		s := rng.New(3, "gradient")
		for i := range grad {
			grad[i] = float32(s.Normal())
		}
		out, grads := pass(t, g, w, texts, grad)
		const at = 777
		first, firstGrads := pass(t, g, w, texts[:at], grad[:at*d])
		second, secondGrads := pass(t, g, w, texts[at:], grad[at*d:])
		near(t, "vectors", out, wide(append(first, second...)), 1e-6)
		sum := wide(firstGrads)
		for i, x := range secondGrads {
			sum[i] += float64(x)
		}
		near(t, "gradients", grads, sum, 2e-3) // sums of 2,500 terms of about 1, in float32
		for _, threads := range []int{1, 2, 5} {
			other, _ := randomUnit(t, cell, threads)
			for range 2 {
				again, againGrads := pass(t, other, w, texts, grad)
				if !slices.Equal(again, out) || !slices.Equal(againGrads, grads) {
					t.Fatalf("cell %d, %d threads: other bits", cell, threads)
				}
				pass(t, other, w, texts[at:], grad[at*d:])
			}
		}
	}
}

// near fails unless numbers are as wanted, up to a tolerance.
func near(t *testing.T, what string, got []float32, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, expected %d", what, len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(float64(got[i])-want[i]) <= tolerance) {
			t.Errorf("%s [%d] = %v, expected %v", what, i, got[i], want[i])
		}
	}
}

func wide(x []float32) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = float64(v)
	}
	return y
}

func TestErrors(t *testing.T) {
	for _, c := range []Config[float32]{{Width: 0, Dim: 1}, {Width: 1, Dim: 0}, {Width: 2, Dim: 1, Words: make([]float32, 3)}, {Width: 1, Dim: 1, Cell: 2}} {
		if _, err := New(c); err == nil || !strings.HasPrefix(err.Error(), "gru: unit") {
			t.Errorf("%+v: error %v", c, err)
		}
	}
	g, _ := randomUnit(t, ResetAfter, 1)
	for _, word := range []int32{-1, 50} {
		call.Refused(t, "expected 0 to 49")(g.Bind([][]int32{{1}, {0, word}}))
	}
	if err := g.Bind([][]int32{{1, 2, 1}}); err != nil || len(g.texts.words) != 2 {
		t.Errorf("after an error: %v, %d words: expected 2", err, len(g.texts.words))
	}
}
