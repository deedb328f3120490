package fused

import (
	"fmt"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// BenchmarkGRU is forward and backward on one core: titles of 6 words and abstracts of 100, of a vocabulary of 9,555 words by
// Zipf's law.
func BenchmarkGRU(b *testing.B) {
	const vocabulary, width = 9555, 128
	for _, z := range []struct{ texts, length, dim int }{
		{500, 6, 40}, {500, 6, 200}, {500, 100, 40}, {500, 100, 200}, {20000, 6, 40}, {20000, 6, 200},
	} {
		b.Run(fmt.Sprintf("texts=%d/length=%d/dim=%d", z.texts, z.length, z.dim), func(b *testing.B) {
			s := rng.New(1, "texts")
			texts, tokens := zipfTexts(s, z.texts, z.length, vocabulary)
			w := zeroWeights(width, z.dim)
			words, grad, out := make([]float32, vocabulary*width), make([]float32, z.texts*z.dim), make([]float32, z.texts*z.dim)
			for _, x := range [][]float32{w.IH, w.HH, w.BiasIH, w.BiasHH, words, grad} {
				for i := range x {
					x[i] = float32(s.Normal()) / 10
				}
			}
			g, err := NewGRU(GRUConfig{Words: words, Width: width, Dim: z.dim, Threads: 1})
			if err != nil {
				b.Fatal(err)
			}
			grads := zeroWeights(width, z.dim)
			b.ReportAllocs()
			for b.Loop() {
				if err := g.Bind(texts); err != nil {
					b.Fatal(err)
				}
				g.Forward(w, out)
				g.Backward(w, grad, grads)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(tokens), "ns/token")
		})
	}
}

// zipfTexts returns texts of about length words, word r with a frequency in proportion to 1/(r+10), and the number of tokens.
func zipfTexts(s *rng.Stream, n, length, vocabulary int) (texts [][]int32, tokens int) {
	sums, total := make([]float64, vocabulary), 0.0
	for r := range sums {
		total += 1 / float64(r+10)
		sums[r] = total
	}
	for range n {
		text := make([]int32, length/2+1+s.Intn(length))
		for i := range text {
			x := s.Float64() * total
			lo, hi := 0, vocabulary-1
			for lo < hi {
				if mid := (lo + hi) / 2; sums[mid] < x {
					lo = mid + 1
				} else {
					hi = mid
				}
			}
			text[i] = int32(lo)
		}
		texts, tokens = append(texts, text), tokens+len(text)
	}
	return texts, tokens
}
