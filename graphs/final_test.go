package graphs

import (
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// The embedding is made of centres, or of means with the contexts, and scaled to a root mean square length.
func TestEmbeddingOfModel(t *testing.T) {
	for _, scale := range []float64{0, 0.3, 2} {
		for _, vectors := range []string{EmbeddingCenter, EmbeddingMean} {
			o := small()
			o.Vectors, o.Scale = vectors, scale
			m := call.Of(NewSkipGram(o, 10, 1))(t)
			want := widen(m.P.X)
			if vectors == EmbeddingMean {
				for v := range 10 {
					for i := range o.Dim {
						var aspects float64
						for s := range o.Aspects {
							aspects += float64(m.Q.Row(v)[s*o.Dim+i]) / float64(o.Aspects)
						}
						want[v*o.Dim+i] = (want[v*o.Dim+i] + aspects) / 2
					}
				}
			}
			if scale > 0 {
				factor := scale / math.Sqrt(squares(want)/10)
				for i := range want {
					want[i] *= factor
				}
			}
			before := slices.Concat(m.P.X, m.Q.X)
			got := m.Embedding().Final
			if !Near(widen(got), want, 0, 1e-6) {
				t.Errorf("%s scaled to %v: %v, expected %v", vectors, scale, got, want)
			}
			if !slices.Equal(slices.Concat(m.P.X, m.Q.X), before) {
				t.Errorf("%s scaled to %v: the parameters have changed", vectors, scale)
			}
		}
	}
}

func TestScaleRows(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct{ x, want []float32 }{
		{[]float32{3, 4, 0, 0}, []float32{3 * math.Sqrt2 / 5, 4 * math.Sqrt2 / 5, 0, 0}}, // of lengths 5 and 0
		{[]float32{0, 0, 0, 0}, []float32{0, 0, 0, 0}},
		{[]float32{1, nan, 2, 3}, []float32{1, nan, 2, 3}},
		{[]float32{1, inf, 2, 3}, []float32{1, inf, 2, 3}},
		{[]float32{1e-30, 0, 0, 1e-30}, []float32{1, 0, 0, 1}},
		{[]float32{3e38, 0, 0, 3e38}, []float32{1, 0, 0, 1}},
	} {
		x := slices.Clone(c.x)
		scaleRows(x, 2, 1)
		for i := range x {
			if math.Abs(float64(x[i])-float64(c.want[i])) > 1e-6 || math.IsNaN(float64(x[i])) != math.IsNaN(float64(c.want[i])) {
				t.Errorf("%v scaled: %v, expected %v", c.x, x, c.want)
				break
			}
		}
	}
}
