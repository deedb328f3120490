package aspects

import (
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
)

// Cosines are those of residuals of scikit-learn's LinearRegression, of four vertices with 1, 3, 2 and 2
// links.
func TestWithoutDegrees(t *testing.T) {
	e := withoutDegrees(eval.Embedding{N: 4, D: 2, Data: []float32{1, 2, 0, 1, -1, 0.5, 2, -1}}, []float64{1, 3, 2, 2})
	for pair, want := range map[[2]int]float64{{0, 1}: 1, {0, 2}: 0.0025542888001203754, {0, 3}: -0.7483904128456664, {2, 3}: -0.6651679054866307} {
		got := 0.
		for j, x := range e.Row(pair[0]) {
			got += float64(x) * float64(e.Row(pair[1])[j])
		}
		if math.Abs(got-want) > 1e-6 {
			t.Errorf("cosine of %v is %v, expected %v", pair, got, want)
		}
	}
}
