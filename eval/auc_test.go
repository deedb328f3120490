package eval

import (
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
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
		if got := aucSorted(sorted(t, c.pos), sorted(t, c.neg)); got != c.want {
			t.Errorf("%s: %v, expected %v", c.name, got, c.want)
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
		if got, want := aucSorted(sorted(t, pos), sorted(t, neg)), quadraticAUC(pos, neg); got != want {
			t.Fatalf("AUC of %v, %v: %v; the definition gives %v", pos, neg, got, want)
		}
	}
}

func sorted(t *testing.T, scores []float64) []float64 {
	t.Helper()
	s, err := sortedScores("some", scores)
	if err != nil || !slices.IsSorted(s) {
		t.Fatal(s, err)
	}
	return s
}

func TestAUCErrors(t *testing.T) {
	for _, scores := range map[string][]float64{"none": nil, "NaN": {0, math.NaN()}} {
		call.Refused(t)(sortedScores("some", scores))
	}
}
