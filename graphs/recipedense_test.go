package graphs

import (
	"math"
	"slices"
	"testing"
)

// Dense networks have asp2vec's recipe for them, from the degree that the options name, and no other method or network has it.
func TestDenseRecipe(t *testing.T) {
	degree := meanDegree(karate().Vertices(), karate().Links()) // 4.6
	for _, c := range []struct {
		name  string
		edit  func(*Options)
		dense bool
	}{
		{"of a higher degree", func(o *Options) { o.DenseDegree = degree - 0.1 }, true},
		{"of that degree", func(o *Options) { o.DenseDegree = degree }, true},
		{"of a lower degree", func(o *Options) { o.DenseDegree = degree + 0.1 }, false},
		{"of that degree, but for links that are held out", func(o *Options) { o.DenseDegree, o.HoldOut = 1.2*degree, 0.2 }, true},
		{"of a lower degree, with them", func(o *Options) { o.DenseDegree, o.HoldOut = 1.3*degree, 0.2 }, false},
		{"no dense networks", func(o *Options) { o.DenseDegree = 0 }, false},
		{"epochs", func(o *Options) { o.DenseDegree, o.PairsPerVertex = 1, 0 }, false},
	} {
		o := defaults(MethodAsp2vec, Standard)
		c.edit(&o)
		got, want := o.dense(degree), o
		if c.dense {
			want.RateSum, want.RateEnd, want.MaxNorm, want.WarmUpShare, want.Vectors = 10, 1, 1, 0.4, EmbeddingMean
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
	}
	// Trained, it is what these options are by themselves.
	o := brief(t, MethodAsp2vec)
	o.DenseDegree = 1
	by := o.dense(1)
	by.DenseDegree = 0
	dense, alone := train(t, karate(), o, Monitor{}), train(t, karate(), by, Monitor{})
	if !slices.Equal(dense.Embedding.Final, alone.Embedding.Final) {
		t.Error("trained by the recipe of dense networks: another embedding than by its options")
	}
	o.DenseDegree = 0
	if slices.Equal(dense.Embedding.Final, train(t, karate(), o, Monitor{}).Embedding.Final) {
		t.Error("trained by the recipe of dense networks: the embedding of others")
	}
}

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
			t.Errorf("the longest row is %v: want %v", most, longest)
		}
	}
}
