package eval

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/asp2vec/asp2vec/network"
)

// Without a classifier, links are ranked by the similarity of the several vectors of their ends. With vectors
// U_i^k of vertex i it is
//
//	sum: s(i,j) = Σ_{k,k'} cos(U_i^k, U_j^{k'})
//	max: s(i,j) = max_{k,k'} cos(U_i^k, U_j^{k'})
//
// A zero vector has cosine 0 with all, and the similarity with a vertex without vectors is 0. Sums of cosines are computed as
// the inner product of the sums of the unit vectors of either end, in float64: O(D) a pair after one pass over the vectors.
// max takes K² inner products. A link and its reverse have the same similarity, bit for bit.
//
// That there is no classifier is inferred: no paper mentions one.
func init() {
	Scorers.Add("sum", Scorer{Help: "sum of the cosines of all pairs of vectors", Source: "Park et al., KDD 2020, of PolyDW", Several: true, Fit: fitSum})
	Scorers.Add("max", Scorer{Help: "largest cosine of all pairs of vectors", Source: "Epasto and Perozzi, WWW 2019", Several: true, Fit: fitMax})
}

func fitSum(ctx context.Context, v Vectors, _ *network.Split, o ScoreOptions) (*LinkScorer, error) {
	s := v.Several
	sums, err := unitSums(ctx, s, o.Threads)
	of := func(v int) []float64 { return sums[v*s.D : (v+1)*s.D] }
	return pairwise(ctx, s.N(), o.Threads, func() (func(int), func(u, v int) float64) {
		return whatever, func(u, v int) float64 { return floats.Dot(of(u), of(v)) }
	}), err
}

// unitSums returns the sum of the unit vectors of each vertex (N,D), Σ_k U_v^k / |U_v^k|. The inner product
// of two is the sum of all cosines.
func unitSums(ctx context.Context, s MultiEmbedding, threads int) ([]float64, error) {
	e := s.rows()
	square, err := squares(ctx, e, threads)
	if err != nil {
		return nil, err
	}
	sums := make([]float64, s.N()*s.D)
	err = forRows(ctx, s.N(), threads, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			for r := int(s.First[v]); r < int(s.First[v+1]); r++ {
				if square[r] > 0 {
					axpy(sums[v*s.D:(v+1)*s.D], 1/math.Sqrt(square[r]), e.Row(r))
				}
			}
		}
	})
	return sums, err
}

// fitMax scores links by the largest cosine.
func fitMax(ctx context.Context, vs Vectors, _ *network.Split, o ScoreOptions) (*LinkScorer, error) {
	s := vs.Several
	e := s.rows()
	square, err := squares(ctx, e, o.Threads)
	return pairwise(ctx, s.N(), o.Threads, func() (func(int), func(u, v int) float64) {
		wide := make([]float64, s.D)
		return whatever, func(u, v int) float64 {
			if s.First[u] == s.First[u+1] || s.First[v] == s.First[v+1] || ctx.Err() != nil { // two hubs may have a million pairs of personas
				return 0 // no vectors
			}
			best := math.Inf(-1)
			for r := int(s.First[u]); r < int(s.First[u+1]); r++ {
				widen(wide, e.Row(r))
				for q := int(s.First[v]); q < int(s.First[v+1]); q++ {
					best = max(best, cosine(dot(wide, e.Row(q)), square[r], square[q]))
				}
			}
			return best
		}
	}), err
}
