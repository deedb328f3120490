package eval

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/network"
)

// With the vectors P of vertices as sources and Q^k as targets a link of i to j has the score
//
//	s(i,j) = log Σ_k exp(P_i·Q_j^k) + w (log(1+out_i) + log(1+in_j))
//
// with the numbers of training links out of i and into j. In an undirected network it is the mean of s(i,j) and s(j,i), with degrees for both numbers. A skip-gram with
// uniform negatives raises P_i·Q_j towards the logarithm of the probability of j near i (Levy and Goldberg, NeurIPS 2014).
func init() {
	Scorers.Add("two-sided", Scorer{
		Help: "log of the sum over the target's vectors of the exponentials of inner products with the source's vector, without a classifier", Links: true, Sides: true,
		Parameters: []option.Param{{Key: "score-degrees", Help: "weight of the logarithms of the degrees", Default: 0, Min: math.Inf(-1), Max: math.Inf(1)}},
		Fit: func(ctx context.Context, v Vectors, s *network.Split, o ScoreOptions) (*LinkScorer, error) {
			return fitTwoSided(ctx, *v.Sides, s, o.Values.Of("score-degrees"), o.Threads)
		},
	})
}

func fitTwoSided(ctx context.Context, sides Sides, s *network.Split, weight float64, threads int) (*LinkScorer, error) {
	n, target := sides.Source.N, sides.Target.rows()
	t := newTopology(n, s.Train, s.Directed)
	out, in := make([]float64, n), make([]float64, n)
	for v := range out {
		out[v], in[v] = weight*math.Log1p(t.out(int32(v))), weight*math.Log1p(t.in(int32(v)))
	}
	one := func(p []float64, i, j int) float64 { // of the source's vector
		first, end := int(sides.Target.First[j]), int(sides.Target.First[j+1])
		if end == first+1 {
			return dot(p, target.Row(first)) + out[i] + in[j]
		}
		most, sum := math.Inf(-1), 0.
		for r := first; r < end; r++ {
			x := dot(p, target.Row(r))
			if x > most {
				most, sum = x, sum*math.Exp(most-x)+1
			} else {
				sum += math.Exp(x - most)
			}
		}
		return most + math.Log(sum) + out[i] + in[j]
	}
	all := pairwise(ctx, n, threads, func() (func(int), func(u, v int) float64) {
		p, q := make([]float64, sides.Source.D), make([]float64, sides.Source.D)
		return func(u int) { widen(p, sides.Source.Row(u)) }, func(u, v int) float64 {
			if s.Directed {
				return one(p, u, v)
			}
			widen(q, sides.Source.Row(v))
			return (one(p, u, v) + one(q, v, u)) / 2
		}
	})
	all.Directed = s.Directed
	return all, nil
}
