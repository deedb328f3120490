package hetnet

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/shelf"
)

// matching returns a ranking of three authors by one match.
func matching(m match) *ranking {
	r := newRanking(make([]string, 3))
	r.match = func(context.Context, [][]int32, int) (match, error) { return m, nil }
	return &r
}

// Scores worked out by hand: of two texts with three authors of two aspects each, by the largest product, by distance, and with a prior.
func TestMatch(t *testing.T) {
	from := rows{x: []float32{1, 2, 0, -1}, dim: 2, per: 1}
	aspects := rows{x: []float32{1, 0, 0, 1, 3, -1, 0, 0, -1, -1, 1, -3}, dim: 2, per: 2}
	one := rows{x: []float32{4, 6, 1, 2, 1, -1}, dim: 2, per: 1}
	root := func(x float64) float32 { return -float32(math.Sqrt(x)) }
	for name, c := range map[string]struct {
		m     match
		prior []float32
		want  [2][]float32
	}{
		"aspects":  {match{from: from, to: aspects, score: largestProducts}, nil, [2][]float32{{2, 1, -3}, {0, 1, 3}}},
		"prior":    {match{from: from, to: aspects, score: largestProducts}, []float32{10, 20, 30}, [2][]float32{{12, 21, 27}, {10, 21, 33}}},
		"distance": {match{from: from, to: one, score: minusDistances}, nil, [2][]float32{{-5, 0, -3}, {root(65), root(10), -1}}},
	} {
		questions := []typed.Question{{Own: []int32{2}, Among: []int32{0, 2}}, {Among: []int32{1}}}
		r := matching(c.m)
		copy(r.prior.X, c.prior)
		got := call.Of(typed.Scores(t.Context(), r, questions, 2))(t)
		for p, list := range [][]int32{{2, 0, 2}, {1}} {
			for i, a := range list {
				if got[p][i] != c.want[p][a] {
					t.Errorf("%s: text %d and author %d: %v, expected %v", name, p, a, got[p][i], c.want[p][a])
				}
			}
		}
	}
}

// A prior is chosen where papers are by prolific authors, and none where scores know all; it is β log(1+n), and the best of those to choose from.
func TestChoosePrior(t *testing.T) {
	o := shelf.Options()
	o.TestShare = 0.2
	b := o.Bibliography(t)
	dev := task(t, b).Validation
	noise := func(paper int, author int32) float32 {
		return float32(math.Sin(float64(paper*7919 + int(author)*104729)))
	}
	for name, of := range map[string]func(paper int, author int32) float32{
		"noise": noise,
		"known": func(paper int, author int32) float32 {
			if slices.Contains(dev[paper].Own, author) {
				return 100 + noise(paper, author)
			}
			return noise(paper, author)
		},
	} {
		m := newRanking(b.Names[b.Author])
		m.match = func(_ context.Context, texts [][]int32, _ int) (match, error) {
			from := rows{dim: 1, per: 1} // of each text its place
			for i := range texts {
				from.x = append(from.x, float32(i))
			}
			return match{from: from, score: func(dst, x []float32, _ rows, authors []int32) error {
				for k, a := range authors {
					dst[k] = of(int(x[0]), a)
				}
				return nil
			}}, nil
		}
		m.prior.InitNormal(1, 5) // of a choice before
		call.OK(t, m.ChoosePrior(t.Context(), b.Authorship, dev, 1))
		recall := func() float64 {
			s := call.Of(typed.Evaluate(t.Context(), &m, dev, 1))(t)
			return s["recall@5"]
		}
		best, unit := recall(), 0.
		for a, list := range b.PapersOf {
			if len(list) > 0 {
				beta := float64(m.prior.X[a]) / math.Log1p(float64(len(list)))
				if unit == 0 {
					unit = beta
				}
				if math.Abs(beta-unit) > 1e-4*math.Abs(unit) {
					t.Fatalf("%s: β %v of author %d, %v of another", name, beta, a, unit)
				}
			}
		}
		if (unit > 0) != (name == "noise") {
			t.Errorf("%s: β %v", name, unit)
		}
		m.setPrior(0, b.PapersOf)
		if plain := recall(); plain > best || name == "noise" && plain == best {
			t.Errorf("%s: Recall@5 %v with the prior, %v without", name, best, plain)
		}
	}
}
