package eval

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// The places by hand: scores 9 to 1, own targets at places 2 and 5, and a tie that counts against.
func TestRankSource(t *testing.T) {
	own, others := []float32{5, 8}, []float32{9, 7, 6, 4, 3}
	r, err := RankSource(own, others, []int{1, 2, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	if want := (4. + 2) / 10; r.AUC != want || r.Reciprocal != 0.5 {
		t.Errorf("AUC %v, reciprocal %v, want %v, 0.5", r.AUC, r.Reciprocal, want)
	}
	gain := func(place float64) float64 { return 1 / math.Log2(1+place) }
	for i, want := range []SourceAt{
		{1, 0, 0, 0, 0}, {2, 0.5, 0.5, gain(2) / (gain(1) + gain(2)), 1}, {4, 0.5, 0.25, gain(2) / (gain(1) + gain(2)), 1},
		{5, 1, 0.4, (gain(2) + gain(5)) / (gain(1) + gain(2)), 1},
	} {
		if got := r.At[i]; got != want {
			t.Errorf("first %d: %+v, want %+v", want.N, got, want)
		}
	}
	r, err = RankSource([]float32{1, 1}, []float32{1, 1, 1}, []int{3, 4})
	if err != nil || r.AUC != 0 || r.At[0].Recall != 0 || r.At[1].Recall != 0.5 || r.Reciprocal != 0.25 {
		t.Errorf("all equal: %+v, %v: want own targets last", r, err)
	}
	if r, err := RankSource([]float32{1}, nil, nil); err != nil || r.AUC != 1 {
		t.Errorf("no others: %+v, %v", r, err)
	}
	nan := float32(math.NaN())
	for want, call := range map[string]func() (SourceRanking, error){
		"want at least one": func() (SourceRanking, error) { return RankSource(nil, others, nil) },
		"NaN":               func() (SourceRanking, error) { return RankSource([]float32{1}, []float32{nan}, nil) },
		"is NaN":            func() (SourceRanking, error) { return RankSource([]float32{nan}, others, nil) },
		"first 0":           func() (SourceRanking, error) { return RankSource([]float32{1}, others, []int{0}) },
	} {
		if _, err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// Against sorting everything, with many ties.
func TestRankSourceSorts(t *testing.T) {
	s := rng.New(1, "ranking")
	for range 200 {
		draw := func(n int) (x []float32) {
			for range n {
				x = append(x, float32(s.Intn(12)))
			}
			return x
		}
		own, others := draw(1+s.Intn(6)), draw(s.Intn(40))
		type scored struct {
			x   float32
			own bool
		}
		var all []scored
		for _, x := range others {
			all = append(all, scored{x, false})
		}
		for _, x := range own {
			all = append(all, scored{x, true})
		}
		slices.SortStableFunc(all, func(a, b scored) int { // others first among equals
			switch {
			case a.x > b.x:
				return -1
			case a.x < b.x:
				return 1
			}
			return 0
		})
		const n = 10
		hits, first, gain := 0, 0, 0.
		for i, c := range all {
			if !c.own {
				continue
			}
			if first == 0 {
				first = i + 1
			}
			if i < n {
				hits++
				gain += 1 / math.Log2(float64(i+2))
			}
		}
		most := 0.
		for i := range min(n, len(own)) {
			most += 1 / math.Log2(float64(i+2))
		}
		r, err := RankSource(own, others, []int{n})
		if err != nil {
			t.Fatal(err)
		}
		at := r.At[0]
		if at.Recall != float64(hits)/float64(len(own)) || at.Precision != float64(hits)/n || math.Abs(at.NDCG-gain/most) > 1e-12 || r.Reciprocal != 1/float64(first) {
			t.Fatalf("own %v, others %v: %+v, want %d hits, first at %d", own, others, r, hits, first)
		}
	}
}

func TestMeanRanking(t *testing.T) {
	a, _ := RankSource([]float32{3}, []float32{2, 1}, []int{1, 2})
	b, _ := RankSource([]float32{0}, []float32{2, 1}, []int{1, 2})
	s, err := MeanRanking([]SourceRanking{a, b})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"auc": 0.5, "mrr": (1 + 1./3) / 2, "recall@1": 0.5, "precision@2": 0.25, "f1@2": 2 * 0.5 * 0.25 / 0.75, "ndcg@2": 0.5, "hit@1": 0.5} {
		if got := s.Metrics()[name]; math.Abs(got-want) > 1e-15 {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	if s.Sources != 2 || len(s.Metrics()) != 12 {
		t.Errorf("%d sources, %d metrics", s.Sources, len(s.Metrics()))
	}
	if _, err := MeanRanking(nil); err == nil {
		t.Error("a mean over no sources")
	}
	b.At = b.At[:1]
	if _, err := MeanRanking([]SourceRanking{a, b}); err == nil {
		t.Error("a mean over sources measured at different numbers of targets")
	}
}
