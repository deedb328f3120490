package eval

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// The numbers of testdata/author_identification.json were made with the published program, and derived again by hand; its
// numbers have nine decimals. Papers 12 and 13 have ties.
func TestIdentificationGolden(t *testing.T) {
	type means struct {
		Papers                     int
		Recall, Precision, F1, AUC float64
	}
	var g struct {
		Papers   []struct{ Pos, Neg []float32 }
		PerPaper []map[string]any `json:"per_paper"`
		Dev      map[int]means
		Test     map[int]means
	}
	b, err := os.ReadFile("testdata/author_identification.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &g); err != nil {
		t.Fatal(err)
	}
	at := []int{5, 10}
	var papers []AuthorRanking
	for i, p := range g.Papers {
		r := AuthorRanking{p.Pos, p.Neg}
		papers = append(papers, r)
		s, err := Identification([]AuthorRanking{r}, at)
		if err != nil {
			t.Fatal(err)
		}
		m := s.Metrics()
		m["auc_ties_0"] = s.AUC
		for _, name := range []string{"recall@5", "precision@5", "recall@10", "precision@10", "auc_ties_0"} {
			near(t, fmt.Sprintf("paper %d: %s", i, name), m[name], g.PerPaper[i][name].(float64), 1e-9)
		}
	}
	for name, half := range map[string]struct {
		papers []AuthorRanking
		want   map[int]means
	}{"dev": {papers[:3], g.Dev}, "test": {papers[3:], g.Test}} {
		s, err := Identification(half.papers, at)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range s.At {
			want := half.want[a.N]
			if s.Papers != want.Papers || want.Papers == 0 {
				t.Errorf("%s: %d papers, expected %d", name, s.Papers, want.Papers)
			}
			near(t, fmt.Sprintf("%s: recall@%d", name, a.N), a.Recall, want.Recall, 1e-9)
			near(t, fmt.Sprintf("%s: precision@%d", name, a.N), a.Precision, want.Precision, 1e-9)
			near(t, fmt.Sprintf("%s: f1@%d", name, a.N), a.F1, want.F1, 1e-9)
			near(t, name+": auc", s.AUC, want.AUC, 1e-9)
		}
		if m := s.Metrics(); len(m) != 7 || m["auc"] != s.AUC || m["f1@10"] != s.At[1].F1 || m["recall@5"] != s.At[0].Recall || m["precision@5"] != s.At[0].Precision {
			t.Errorf("%s: metrics %v of %+v", name, m, s)
		}
	}
}

func TestIdentificationEdges(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		name                   string
		paper                  AuthorRanking
		n                      int
		recall, precision, auc float64
	}{
		{"first", AuthorRanking{[]float32{2}, []float32{1, 0}}, 1, 1, 1, 1},
		{"last", AuthorRanking{[]float32{-1}, []float32{1, 0}}, 2, 0, 0, 0},
		{"all the same", AuthorRanking{[]float32{0}, []float32{0, 0}}, 2, 0, 0, 0},
		{"tied with the next", AuthorRanking{[]float32{1}, []float32{1, 0}}, 1, 0, 0, 0.5},
		{"tied within the first", AuthorRanking{[]float32{1}, []float32{1, 0}}, 2, 1, 0.5, 0.5},
		{"as many candidates as are wanted", AuthorRanking{[]float32{0}, []float32{0, 0}}, 3, 1, 1. / 3, 0},
		{"fewer candidates than are wanted", AuthorRanking{[]float32{0, -1}, []float32{1}}, 10, 1, 0.2, 0},
		{"all, the lowest score infinite", AuthorRanking{[]float32{-inf}, []float32{1}}, 2, 1, 0.5, 0},
		{"infinite", AuthorRanking{[]float32{inf, -inf}, []float32{5, -5}}, 1, 0.5, 1, 0.5},
		{"both infinite", AuthorRanking{[]float32{inf}, []float32{inf, -5}}, 1, 0, 0, 0.5},
		{"signed zeros are alike", AuthorRanking{[]float32{0}, []float32{float32(math.Copysign(0, -1)), -1}}, 1, 0, 0, 0.5},
		{"a candidate that stands there twice takes two places", AuthorRanking{[]float32{1}, []float32{2, 2, 0}}, 2, 0, 0, 1. / 3},
		{"and only one of three places is left", AuthorRanking{[]float32{1, 0.5}, []float32{2, 2, 0}}, 3, 0.5, 1. / 3, 1. / 3},
	} {
		before := fmt.Sprint(c.paper)
		s, err := Identification([]AuthorRanking{c.paper}, []int{c.n})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		near(t, c.name+": recall", s.At[0].Recall, c.recall, 1e-15)
		near(t, c.name+": precision", s.At[0].Precision, c.precision, 1e-15)
		near(t, c.name+": AUC", s.AUC, c.auc, 1e-15)
		if fmt.Sprint(c.paper) != before {
			t.Errorf("%s: the scores were changed", c.name)
		}
	}
	nan := float32(math.NaN())
	good := AuthorRanking{[]float32{1}, []float32{0}}
	for _, c := range []struct {
		name, want string
		papers     []AuthorRanking
		n          int
	}{
		{"no papers", "no papers", nil, 5},
		{"no author", "paper 1 has 0 authors", []AuthorRanking{good, {nil, []float32{1}}}, 5},
		{"no other", "paper 0 has 1 authors among its candidates and 0 others", []AuthorRanking{{[]float32{1}, nil}}, 5},
		{"NaN", "paper 1: score 0 is NaN", []AuthorRanking{good, {[]float32{nan}, []float32{1}}}, 5},
		{"NaN of another", "paper 0: score 2 is NaN", []AuthorRanking{{[]float32{1}, []float32{1, nan}}}, 5},
		{"none wanted", "first 0 candidates", []AuthorRanking{good}, 0},
	} {
		_, err := Identification(c.papers, []int{c.n})
		if err == nil || !strings.HasPrefix(err.Error(), "eval: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, expected one about %q", c.name, err, c.want)
		}
	}
}

// drawn returns papers whose scores are of few values, so that there are ties, or all different.
func drawn(papers, values int, r *rng.Stream) []AuthorRanking {
	out := make([]AuthorRanking, papers)
	for i := range out {
		authors := 1 + r.Intn(4)
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
		out[i] = AuthorRanking{scores[:authors], scores[authors:]}
	}
	return out
}

// The definition, candidate by candidate: an author's place is one after all that score as much or more.
func TestIdentificationByPlaces(t *testing.T) {
	for _, values := range []int{1, 2, 10, 1000, 0} {
		for i, p := range drawn(50, values, rng.New(1, "places", uint64(values))) {
			at := []int{1, 2, 5, 10, 20, 99, 100, 101}
			s, err := Identification([]AuthorRanking{p}, at)
			if err != nil {
				t.Fatal(err)
			}
			all := slices.Concat(p.True, p.False)
			for a, n := range at {
				hits := 0
				for _, x := range p.True {
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
				if s.At[a].Recall != float64(hits)/float64(len(p.True)) || s.At[a].Precision != float64(hits)/float64(n) {
					t.Fatalf("%d values, paper %d: %+v, expected %d hits of %d", values, i, s.At[a], hits, len(p.True))
				}
			}
			inOrder := 0
			for _, x := range p.True {
				for _, y := range p.False {
					if x > y {
						inOrder++
					}
				}
			}
			near(t, "AUC", s.AUC, float64(inOrder)/float64(len(p.True)*len(p.False)), 1e-15)
		}
	}
}

func BenchmarkIdentification(b *testing.B) {
	papers := drawn(1150, 0, rng.New(4, "bench"))
	b.Run(fmt.Sprintf("papers=%d/candidates=100", len(papers)), func(b *testing.B) {
		for b.Loop() {
			if _, err := Identification(papers, []int{1, 2, 5, 10, 20}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.N*len(papers))/b.Elapsed().Seconds(), "papers/s")
	})
}
