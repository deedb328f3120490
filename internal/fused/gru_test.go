package fused

import (
	"testing"

	"github.com/asp2vec/asp2vec/internal/golden"
)

func single(x []float64) []float32 {
	y := make([]float32, len(x))
	for i, v := range x {
		y[i] = float32(v)
	}
	return y
}

// zeroWeights returns weights of zeros, or room for gradients.
func zeroWeights(width, d int) GRUWeights {
	return GRUWeights{
		IH: make([]float32, 3*d*width), HH: make([]float32, 3*d*d),
		BiasIH: make([]float32, 3*d), BiasHH: make([]float32, 3*d),
	}
}

// PyTorch's values; each step of each text is a word of its own.
func TestGRUGolden(t *testing.T) {
	file, err := golden.LoadGRU()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]golden.GRUCase{"full": file.Full, "packed": file.Packed} {
		t.Run(name, func(t *testing.T) {
			g, err := NewGRU(GRUConfig{Words: golden.VertexMajor[float32](transposed(c.X)), Width: c.In, Dim: c.Dim, Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			texts := make([][]int32, len(c.Lengths))
			steps := len(c.X[0])
			for b, n := range c.Lengths {
				for s := range n {
					texts[b] = append(texts[b], int32(b*steps+s))
				}
			}
			if err := g.Bind(texts); err != nil {
				t.Fatal(err)
			}
			w := GRUWeights{
				IH: golden.Flat[float32](c.WeightIH), HH: golden.Flat[float32](c.WeightHH), BiasIH: single(c.BiasIH), BiasHH: single(c.BiasHH),
			}
			out := make([]float32, len(texts)*c.Dim)
			g.Forward(w, out)
			close(t, "mean", out, golden.Flat[float64](c.Mean), 1e-6)
			grads := zeroWeights(c.In, c.Dim)
			g.Backward(w, golden.Flat[float32](c.LossWeights), grads)
			close(t, "gradient of weight_ih", grads.IH, golden.Flat[float64](c.GradWeightIH), 1e-6)
			close(t, "gradient of weight_hh", grads.HH, golden.Flat[float64](c.GradWeightHH), 1e-6)
			close(t, "gradient of bias_ih", grads.BiasIH, c.GradBiasIH, 1e-6)
			close(t, "gradient of bias_hh", grads.BiasHH, c.GradBiasHH, 1e-6)
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
