package eval

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/network"
)

func init() {
	Scorers.Add("cosine-residual", Scorer{
		Help: "cosine of the vectors after what their degrees say of them has been taken out by least squares; 0 with a zero vector", Links: true, Fit: fitResidual,
	})
}

func fitResidual(ctx context.Context, v Vectors, s *network.Split, o ScoreOptions) (*LinkScorer, error) {
	t := newTopology(len(s.Names), s.Train, s.Directed)
	return fitCosine(ctx, Vectors{One: WithoutDegrees(v.One, t.degree)}, nil, o)
}

// alike is by how much numbers may differ that are equal but for rounding.
const alike = 1e-9

// WithoutDegrees returns vectors of length 1 that say nothing of the degrees k (N) of their vertices,
//
//	f_v = unit(F_v - mean F - β (log(1+k_v) - mean log(1+k))),   β by least squares
//
// where f_v is 0 if no more is left of F_v than rounding.
func WithoutDegrees(e Embedding, degrees []float64) Embedding {
	n, d := e.N, e.D
	logs := make([]float64, n)
	var mean, square float64
	for v, k := range degrees {
		logs[v] = math.Log1p(k)
		mean += logs[v] / float64(n)
	}
	center, slope := make([]float64, d), make([]float64, d)
	for v := range logs {
		logs[v] -= mean
		square += logs[v] * logs[v]
		for j, x := range e.Row(v) {
			center[j] += float64(x) / float64(n)
			slope[j] += float64(x) * logs[v]
		}
	}
	out := Embedding{N: n, D: d, Data: make([]float32, len(e.Data))}
	for v := range logs {
		var all, left float64
		for j, x := range e.Row(v) {
			y := float64(x) - center[j]
			if square > 0 {
				y -= slope[j] / square * logs[v]
			}
			all += float64(x)*float64(x) + center[j]*center[j]
			left += y * y
			out.Data[v*d+j] = float32(y)
		}
		if left < all*alike*alike {
			clear(out.Row(v))
		}
	}
	out.Data = UnitRows(out)
	return out
}
