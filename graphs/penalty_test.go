package graphs

import (
	"math"
	"slices"
	"testing"
)

// Over n vertices with five aspects, a mean that weighs n lambda is a sum that weighs lambda: with ten aspects an eighth of it.
// 34, 0.5 and powers of 2 are exact in binary.
func TestMeanPenalty(t *testing.T) {
	for _, aspects := range []int{10, 5} {
		sum := brief(t, MethodAsp2vec)
		sum.Aspects, sum.Steps, sum.Lambda, sum.MeanPenalty = aspects, 20, 0.5*math.Pow(5/float64(aspects), 3), false
		mean, other := sum, sum
		mean.Lambda, mean.MeanPenalty = 17, true
		other.MeanPenalty = true
		want := train(t, karate(), sum, Monitor{}).Embedding.Vectors
		if !slices.Equal(train(t, karate(), mean, Monitor{}).Embedding.Vectors, want) {
			t.Errorf("a mean over 34 vertices with %d aspects that weighs 17 is not a sum that weighs %v", aspects, sum.Lambda)
		}
		if slices.Equal(train(t, karate(), other, Monitor{}).Embedding.Vectors, want) {
			t.Error("a mean that weighs 0.5 is a sum that does")
		}
	}
}
