package hetnet

import (
	"context"
	"math"
	"testing"
)

// matching is a matcher of one match.
type matching struct{ m match }

func (m matching) match(context.Context, [][]int32, int) (match, error) { return m.m, nil }

// Scores worked out by hand: of two texts with three authors of two aspects each, by the largest product, by distance, and with a bias.
func TestMatch(t *testing.T) {
	from := rows{x: []float32{1, 2, 0, -1}, dim: 2, per: 1}
	aspects := rows{x: []float32{1, 0, 0, 1, 3, -1, 0, 0, -1, -1, 1, -3}, dim: 2, per: 2}
	one := rows{x: []float32{4, 6, 1, 2, 1, -1}, dim: 2, per: 1}
	root := func(x float64) float32 { return -float32(math.Sqrt(x)) }
	for name, c := range map[string]struct {
		m    match
		want [2][]float32
	}{
		"aspects":  {match{from: from, to: aspects}, [2][]float32{{2, 1, -3}, {0, 1, 3}}},
		"bias":     {match{from: from, to: aspects, bias: []float32{10, 20, 30}}, [2][]float32{{12, 21, 27}, {10, 21, 33}}},
		"distance": {match{from: from, to: one, score: minusDistances}, [2][]float32{{-5, 0, -3}, {root(65), root(10), -1}}},
	} {
		texts := [][]int32{{0}, {1}}
		asked := [][]int32{{2, 0, 2}, {1}}
		got, err := scoresOf(t.Context(), matching{c.m}, 3, texts, asked, 2)
		if err != nil {
			t.Fatal(err)
		}
		for p, list := range asked {
			for i, a := range list {
				if got[p][i] != c.want[p][a] {
					t.Errorf("%s: text %d and author %d: %v, expected %v", name, p, a, got[p][i], c.want[p][a])
				}
			}
		}
	}
	if _, err := scoresOf(t.Context(), matching{}, 3, [][]int32{nil}, [][]int32{{3}}, 1); err == nil {
		t.Error("an author that there is none of: no error")
	}
}
