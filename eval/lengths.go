package eval

import (
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/asp2vec/asp2vec/network"
)

// LengthsByDegree returns the rank correlation of the lengths of vectors with the degrees of their vertices in the training links, in [-1,1]: near 1 the lengths say how
// many links a vertex has. It returns an error for vectors of other vertices than those of the split.
//
// Source: Spearman, American Journal of Psychology 15 (1904).
func LengthsByDegree(e Embedding, s *network.Split) (float64, error) {
	if err := checkSplit("lengths by degree", e.N, s, nil); err != nil {
		return 0, err
	}
	lengths := make([]float64, e.N)
	for v := range lengths {
		for _, x := range e.Row(v) {
			lengths[v] += float64(x) * float64(x)
		}
	}
	return stat.Correlation(ranks(lengths), ranks(newTopology(e.N, s.Train, s.Directed).degree), nil), nil
}

// ranks returns the rank of each number from 0, the mean of their ranks for those that are the same.
func ranks(x []float64) []float64 {
	sorted := slices.Sorted(slices.Values(x))
	out := make([]float64, len(x))
	for i, a := range x {
		above, level := standing(a, sorted)
		out[i] = float64(len(x)-above-level) + float64(level-1)/2
	}
	return out
}
