package eval

import (
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// quadraticAUC is the definition.
func quadraticAUC(pos, neg []float64) float64 {
	var halves int
	for _, p := range pos {
		for _, n := range neg {
			if p > n {
				halves += 2
			} else if p == n {
				halves++
			}
		}
	}
	return float64(halves) / 2 / float64(len(pos)) / float64(len(neg))
}

func TestAUC(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name     string
		pos, neg []float64
		want     float64
	}{
		{"perfect", []float64{2, 3}, []float64{0, 1}, 1},
		{"reversed", []float64{0, 1}, []float64{2, 3}, 0},
		{"all tied", []float64{1, 1, 1}, []float64{1, 1}, 0.5},
		{"by hand", []float64{1, 3}, []float64{1, 2, 4}, (0.5 + 2) / 6},
		{"infinite", []float64{inf, -inf}, []float64{inf, 0}, 0.375}, // ½ + 1 + 0 + 0 of 4
		{"zeros of both signs tie", []float64{0}, []float64{math.Copysign(0, -1)}, 0.5},
	} {
		if got, err := AUC(c.pos, c.neg); err != nil || got != c.want {
			t.Errorf("%s: %v, %v; expected %v", c.name, got, err, c.want)
		}
	}
	r := rng.New(1, "auc")
	for range 200 {
		values := 1 + r.Intn(40) // few values, many ties
		draw := func() []float64 {
			s := make([]float64, 1+r.Intn(60))
			for i := range s {
				s[i] = float64(r.Intn(values)) / 7
			}
			return s
		}
		pos, neg := draw(), draw()
		before := slices.Clone(pos)
		got, err := AUC(pos, neg)
		if want := quadraticAUC(pos, neg); err != nil || got != want {
			t.Fatalf("AUC(%v, %v) = %v, %v; the definition gives %v", pos, neg, got, err, want)
		}
		if !slices.Equal(pos, before) {
			t.Fatal("the input was changed")
		}
	}
}

func TestAUCErrors(t *testing.T) {
	one, nan := []float64{1}, []float64{0, math.NaN()}
	for name, c := range map[string][2][]float64{
		"no positives": {nil, one}, "no negatives": {one, nil}, "NaN positive": {nan, one}, "NaN negative": {one, nan},
	} {
		if _, err := AUC(c[0], c[1]); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
