package eval

import (
	"math"
	"testing"
)

// Values from scipy 1.10.1, scipy.stats.spearmanr(x, y).statistic.
func TestSpearman(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}, []float64{7, 27, 2, 50, 28, 29, 20, 12, 6, 17}, -0.17575757575757575},
		{[]float64{1, 2, 2, 3, 5, 8, 8, 8}, []float64{3, 1, 4, 1, 5, 9, 2, 6}, 0.5001524855174212},
		{[]float64{1, 2, 3}, []float64{1e-300, 5, math.Inf(1)}, 1},
		{[]float64{1, 2, 3}, []float64{4, 4, 4}, nan},
		{[]float64{1}, []float64{1}, nan},
		{nil, nil, nan},
	} {
		got := Spearman(c.x, c.y)
		if !(math.Abs(got-c.want) < 1e-14 || math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("of %v and %v: %v, expected %v", c.x, c.y, got, c.want)
		}
	}
}
