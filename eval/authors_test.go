package eval

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
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
