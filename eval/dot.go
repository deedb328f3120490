package eval

import (
	"context"

	"github.com/asp2vec/asp2vec/network"
)

func init() {
	Scorers.Add("dot", Scorer{Help: "inner product of the vectors, without a classifier", Fit: fitDot})
	Scorers.Add("cosine", Scorer{Help: "cosine of the vectors, without a classifier; 0 with a zero vector", Fit: fitCosine})
}

func fitDot(ctx context.Context, v Vectors, _ *network.Split, o ScoreOptions) (*LinkScorer, error) {
	square, err := squares(ctx, v.One, o.Threads)
	return products(ctx, v.One, square, o.Threads, func(uv float64, _, _ int) float64 { return uv }), err
}

func fitCosine(ctx context.Context, v Vectors, _ *network.Split, o ScoreOptions) (*LinkScorer, error) {
	square, err := squares(ctx, v.One, o.Threads)
	return products(ctx, v.One, square, o.Threads, func(uv float64, u, v int) float64 { return cosine(uv, square[u], square[v]) }), err
}

// products scores links by what a function makes of the inner product of their ends. square are those of the rows with themselves.
func products(ctx context.Context, e Embedding, square []float64, threads int, of func(uv float64, u, v int) float64) *LinkScorer {
	out := pairwise(ctx, e.N, threads, func() (func(int), func(u, v int) float64) {
		wide := make([]float64, e.D)
		return func(u int) { widen(wide, e.Row(u)) }, func(u, v int) float64 { return of(dot(wide, e.Row(v)), u, v) }
	})
	if moderate(square) {
		out.Rows = panels(e, func(dst []float32, u int) { copy(dst, e.Row(u)) }, of)
	}
	return out
}
