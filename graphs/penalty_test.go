package graphs

import (
	"slices"
	"testing"
)

// Over n vertices, a mean that weighs n lambda is a sum that weighs lambda, in both engines; 34 and 0.5 are exact in binary.
func TestMeanPenalty(t *testing.T) {
	for _, engine := range []string{EngineGraph, EngineFused} {
		sum := brief(t, MethodAsp2vec)
		sum.Engine, sum.Lambda, sum.MeanPenalty = engine, 0.5, false
		mean, other := sum, sum
		mean.Lambda, mean.MeanPenalty = 17, true
		other.MeanPenalty = true
		want := train(t, karate(), sum, Monitor{}).Embedding.Vectors
		if !slices.Equal(train(t, karate(), mean, Monitor{}).Embedding.Vectors, want) {
			t.Errorf("engine %s: a mean over 34 vertices that weighs 17 is not a sum that weighs 0.5", engine)
		}
		if slices.Equal(train(t, karate(), other, Monitor{}).Embedding.Vectors, want) {
			t.Errorf("engine %s: a mean that weighs 0.5 is a sum that does", engine)
		}
	}
}
