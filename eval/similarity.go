package eval

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/network"
	"gonum.org/v1/gonum/floats"
)

// How the score of a link comes from the vectors of its ends.
const (
	ScoringLR       = "lr"       // log odds of a classifier on products of one vector each: LinkPrediction
	ScoringSum      = "sum"      // cosines of all pairs of vectors, added up
	ScoringWeighted = "weighted" // the same, each weighted by the shares of both vectors
	ScoringMax      = "max"      // the largest of those cosines
)

// Similarity scores several vectors a vertex by link prediction without a classifier: test links are ranked among the test
// negatives by the similarity of their ends. With vectors U_i^k and shares p(k|i) of vertex i it is
//
//	sum:      s(i,j) = Σ_{k,k'} cos(U_i^k, U_j^{k'})
//	weighted: s(i,j) = Σ_{k,k'} p(k|i) p(k'|j) cos(U_i^k, U_j^{k'})
//	max:      s(i,j) = max_{k,k'} cos(U_i^k, U_j^{k'})
//
// A zero vector has cosine 0 with all, and the similarity with a vertex without vectors is 0. Sums of cosines are computed as
// the inner product of the sums of the unit vectors of either end, in float64: O(D) a pair after one pass over the vectors.
// max takes K² inner products. A link and its reverse have the same similarity, bit for bit, and ties count ½. The areas are
// those of LinkPrediction, also for directed networks; Weights, Iterations and Passes stay empty. Training links are not
// looked at. threads is as in LinkOptions.
//
// It returns an error for another scoring, "weighted" without shares, vectors that are not finite or do not fit the split, a
// split in which one of the test lists is empty, and when ctx ends.
//
// Source: sum as Park et al., KDD 2020, describe PolyDW's score; weighted as in Liu et al., KDD 2019, section 2.3; max as in
// Epasto and Perozzi, WWW 2019 (Splitter). That there is no classifier is inferred: neither paper mentions one.
func Similarity(ctx context.Context, s MultiEmbedding, scoring string, split *network.Split, threads int) (Score, error) {
	if err := s.Validate(); err != nil {
		return Score{}, err
	}
	if err := checkSplit("Similarity", s.N(), split, testLists(split)); err != nil {
		return Score{}, err
	}
	score, err := similarity(ctx, s, scoring, threads)
	if err != nil {
		return Score{}, err
	}
	return rank(split, score)
}

// linkScorer returns a score for each link.
type linkScorer func(links []network.Link) ([]float64, error)

// similarity returns a scorer that has what it needs of the vectors made ready.
func similarity(ctx context.Context, s MultiEmbedding, scoring string, threads int) (linkScorer, error) {
	switch {
	case scoring == ScoringMax:
		return maxCosine(ctx, s, threads)
	case scoring == ScoringSum:
		return cosineSum(ctx, s, nil, threads)
	case scoring == ScoringWeighted && s.Share != nil:
		return cosineSum(ctx, s, s.Share, threads)
	case scoring == ScoringWeighted:
		return nil, fmt.Errorf("eval: Similarity: scoring %q of vectors without shares: want shares, or %q", scoring, ScoringSum)
	}
	return nil, fmt.Errorf("eval: Similarity: scoring %q: want %q, %q or %q", scoring, ScoringSum, ScoringWeighted, ScoringMax)
}

// cosineSum scores links by the sum of all cosines, weighted where share is not nil.
func cosineSum(ctx context.Context, s MultiEmbedding, share []float32, threads int) (linkScorer, error) {
	sums, err := unitSums(ctx, s, share, threads)
	return func(links []network.Link) ([]float64, error) {
		out := make([]float64, len(links))
		err := forRows(ctx, len(links), threads, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				u, v := int(links[i].From)*s.D, int(links[i].To)*s.D
				out[i] = floats.Dot(sums[u:u+s.D], sums[v:v+s.D])
			}
		})
		return out, err
	}, err
}

// unitSums returns the sum of the unit vectors of each vertex (N,D), Σ_k p(k|v) U_v^k / |U_v^k|, where share nil means weights
// of 1. The inner product of two is the sum of all cosines.
func unitSums(ctx context.Context, s MultiEmbedding, share []float32, threads int) ([]float64, error) {
	e := s.rows()
	square, err := squares(ctx, e, threads)
	if err != nil {
		return nil, err
	}
	sums := make([]float64, s.N()*s.D)
	err = forRows(ctx, s.N(), threads, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			for r := int(s.First[v]); r < int(s.First[v+1]); r++ {
				weight := 1.
				if share != nil {
					weight = float64(share[r])
				}
				if square[r] > 0 {
					axpy(sums[v*s.D:(v+1)*s.D], weight/math.Sqrt(square[r]), e.Row(r))
				}
			}
		}
	})
	return sums, err
}

// maxCosine scores links by the largest cosine.
func maxCosine(ctx context.Context, s MultiEmbedding, threads int) (linkScorer, error) {
	e := s.rows()
	square, err := squares(ctx, e, threads)
	return func(links []network.Link) ([]float64, error) {
		out := make([]float64, len(links))
		err := forRows(ctx, len(links), threads, func(lo, hi int) {
			wide := make([]float64, s.D)
			for i := lo; i < hi && ctx.Err() == nil; i++ { // two hubs may have a million pairs of personas
				u, v := links[i].From, links[i].To
				if s.First[u] == s.First[u+1] || s.First[v] == s.First[v+1] {
					continue // no vectors: 0
				}
				best := math.Inf(-1)
				for r := int(s.First[u]); r < int(s.First[u+1]); r++ {
					widen(wide, e.Row(r))
					for q := int(s.First[v]); q < int(s.First[v+1]); q++ {
						best = max(best, cosine(dot(wide, e.Row(q)), square[r], square[q]))
					}
				}
				out[i] = best
			}
		})
		return out, err
	}, err
}

// cosine returns the cosine of u and v from uv = <u,v>, uu = <u,u> and vv = <v,v>; 0 if one of them is zero. Of equal vectors it
// is exactly 1, since √(x²) is x, so that they tie.
func cosine(uv, uu, vv float64) float64 {
	if uu == 0 || vv == 0 {
		return 0
	}
	return uv / math.Sqrt(uu*vv)
}

// squares returns the inner product of each row with itself, which in float64 neither overflows nor vanishes.
func squares(ctx context.Context, e Embedding, threads int) ([]float64, error) {
	out := make([]float64, e.N)
	err := forRows(ctx, e.N, threads, func(lo, hi int) {
		wide := make([]float64, e.D)
		for r := lo; r < hi; r++ {
			widen(wide, e.Row(r))
			out[r] = dot(wide, e.Row(r))
		}
	})
	return out, err
}

func widen(dst []float64, x []float32) {
	for j, v := range x {
		dst[j] = float64(v)
	}
}
