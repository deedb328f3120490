package eval

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// The numbers of testdata/author_identification.json were made with the published program, and derived again by hand; its
// numbers have nine decimals. Papers 12 and 13 have ties.
func TestRankingsGolden(t *testing.T) {
	var g struct {
		Papers    []struct{ Pos, Neg []float32 }
		PerPaper  []map[string]any `json:"per_paper"`
		Dev, Test map[int]map[string]float64
	}
	b := call.Of(os.ReadFile("testdata/author_identification.json"))(t)
	call.OK(t, json.Unmarshal(b, &g))
	at := []int{5, 10}
	rank := func(questions ...Answers) map[string]float64 {
		t.Helper()
		return call.Of(Rankings(questions, at))(t)
	}
	var all []Answers
	for i, p := range g.Papers {
		all = append(all, Answers{p.Pos, p.Neg})
		m := rank(all[i])
		m["auc_ties_0"] = m["auc"]
		for _, name := range []string{"recall@5", "precision@5", "recall@10", "precision@10", "auc_ties_0"} {
			near(t, fmt.Sprintf("paper %d: %s", i, name), m[name], g.PerPaper[i][name].(float64), 1e-9)
		}
	}
	for _, half := range []struct {
		questions []Answers
		want      map[int]map[string]float64
	}{{all[:3], g.Dev}, {all[3:], g.Test}} {
		m := rank(half.questions...)
		for _, n := range at {
			for _, name := range []string{"recall", "precision", "f1"} {
				near(t, name, m[fmt.Sprintf("%s@%d", name, n)], half.want[n][name], 1e-9)
			}
			near(t, "auc", m["auc"], half.want[n]["auc"], 1e-9)
		}
	}
}

// drawn returns rankings whose scores are of few values, so that there are ties, or all different.
func drawn(n, values int, r *rng.Stream) []Answers {
	out := make([]Answers, n)
	for i := range out {
		own := 1 + r.Intn(4)
		scores := make([]float32, 100)
		if values == 0 {
			for j, x := range r.Perm(len(scores)) {
				scores[j] = float32(x)
			}
		} else {
			for j := range scores {
				scores[j] = float32(r.Intn(values))
			}
		}
		out[i] = Answers{scores[:own], scores[own:]}
	}
	return out
}

// The definition, candidate by candidate: an answer's place is one after all that score as much or more.
func TestRankingsByPlaces(t *testing.T) {
	at := []int{1, 2, 5, 10, 20, 99, 100, 101}
	for _, values := range []int{1, 2, 10, 1000, 0} {
		for i, q := range drawn(50, values, rng.New(1, "places", uint64(values))) {
			m := call.Of(Rankings([]Answers{q}, at))(t)
			all := slices.Concat(q.Own, q.Others)
			for _, n := range at {
				hits := 0
				for _, x := range q.Own {
					place := 0
					for _, y := range all {
						if y >= x {
							place++ // itself too
						}
					}
					if place <= n {
						hits++
					}
				}
				if m[fmt.Sprint("recall@", n)] != float64(hits)/float64(len(q.Own)) || m[fmt.Sprint("precision@", n)] != float64(hits)/float64(n) {
					t.Fatalf("%d values, question %d, first %d: %v, expected %d hits of %d", values, i, n, m, hits, len(q.Own))
				}
			}
			inOrder := 0
			for _, x := range q.Own {
				for _, y := range q.Others {
					if x > y {
						inOrder++
					}
				}
			}
			near(t, "AUC", m["auc"], float64(inOrder)/float64(len(q.Own)*len(q.Others)), 1e-15)
		}
	}
}

func TestRankingsErrors(t *testing.T) {
	x := []float32{1}
	for name, questions := range map[string][]Answers{"none": nil, "no answer": {{nil, x}}, "no others": {{x, nil}}, "NaN": {{x, []float32{float32(math.NaN())}}}} {
		if m, err := Rankings(questions, []int{1}); err == nil {
			t.Errorf("%s: %v, expected an error", name, m)
		}
	}
}
