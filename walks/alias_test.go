package walks

import (
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// The probabilities that a table gives, added up over its slots, are those of the weights: exactly 0 where they are.
func TestAliasTableHoldsTheWeights(t *testing.T) {
	s := rng.New(1, "test")
	skewed := make([]float64, 1000)
	for i := range skewed {
		skewed[i] = math.Pow(s.Float64(), -2)
		if i%7 == 0 {
			skewed[i] = 0
		}
	}
	thirds := make([]float64, 299) // sums that round
	for i := range thirds {
		thirds[i] = 1.0 / 3
	}
	thirds[0], thirds[298] = 0, 0
	cases := map[string][]float64{
		"one": {5}, "equal": {2, 2, 2}, "a half": {1, 3}, "zeros": {0, 0, 1, 0}, "skewed": skewed, "thirds": thirds,
		"far apart": {1e-300, 1, 1e300}, "the largest": {math.MaxFloat64, math.MaxFloat64, 0}, "the smallest": {5e-324, 0, 5e-324},
	}
	var f aliasFiller // its room is used again
	for name, weights := range cases {
		t.Run(name, func(t *testing.T) {
			vertices := make([]int32, len(weights))
			var largest, all float64
			for i := range vertices {
				vertices[i] = int32(3 * i)
				largest = max(largest, weights[i])
			}
			for _, w := range weights {
				all += w / largest
			}
			table := make([]choice, len(weights))
			if got, want := f.fill(table, vertices, func(i int) float64 { return weights[i] }), all*largest; got != want {
				t.Errorf("sum %v, expected %v", got, want)
			}
			share := map[int32]float64{}
			for _, c := range table {
				share[c.own] += unit(c.cut) / float64(len(table))
				share[c.other] += (1 - unit(c.cut)) / float64(len(table))
			}
			for i, v := range vertices {
				want := weights[i] / largest / all
				if got := share[v]; math.Abs(got-want) > 1e-12*want+1e-300 && math.Abs(got-want) > 1e-15 || weights[i] == 0 && got != 0 {
					t.Errorf("vertex %d of weight %v: probability %v, expected %v", v, weights[i], got, want)
				}
			}
		})
	}
}
