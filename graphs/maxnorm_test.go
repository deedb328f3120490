package graphs

import (
	"math"
	"testing"
)

// Rows of DeepWalk are no longer than the options say, at the end too.
func TestMaxNorm(t *testing.T) {
	for _, longest := range []float64{0.02, 1, 0} {
		o := brief(t, MethodDeepWalk)
		o.RateSum, o.SpreadPower, o.Vectors, o.Scale, o.MaxNorm = 20, 0, EmbeddingCenter, 0, longest
		e, most := train(t, karate(), o, Monitor{}).Embedding, 0.
		for v := range len(e.Final) / e.D {
			var square float64
			for _, x := range e.Final[v*e.D:][:e.D] {
				square += float64(x) * float64(x)
			}
			most = max(most, math.Sqrt(square))
		}
		if longest > 0 && (most > longest*(1+1e-6) || most < longest*(1-1e-6)) || longest == 0 && most <= 1 {
			t.Errorf("the longest row is %v: expected %v", most, longest)
		}
	}
}
