package eval

import (
	"math"
	"strings"
	"testing"
)

// The places by hand: scores 9 to 1, own targets at places 2 and 5, and a tie that counts against.
func TestRankSource(t *testing.T) {
	own, others := []float32{5, 8}, []float32{9, 7, 6, 4, 3}
	r, err := RankSource(own, others, []int{1, 2, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	if want := (4. + 2) / 10; r.AUC != want || r.Reciprocal != 0.5 {
		t.Errorf("AUC %v, reciprocal %v, expected %v, 0.5", r.AUC, r.Reciprocal, want)
	}
	gain := func(place float64) float64 { return 1 / math.Log2(1+place) }
	for i, want := range []SourceAt{
		{1, 0, 0, 0, 0}, {2, 0.5, 0.5, gain(2) / (gain(1) + gain(2)), 1}, {4, 0.5, 0.25, gain(2) / (gain(1) + gain(2)), 1},
		{5, 1, 0.4, (gain(2) + gain(5)) / (gain(1) + gain(2)), 1},
	} {
		if got := r.At[i]; got != want {
			t.Errorf("first %d: %+v, expected %+v", want.N, got, want)
		}
	}
	r, err = RankSource([]float32{1, 1}, []float32{1, 1, 1}, []int{3, 4})
	if err != nil || r.AUC != 0 || r.At[0].Recall != 0 || r.At[1].Recall != 0.5 || r.Reciprocal != 0.25 {
		t.Errorf("all equal: %+v, %v: expected own targets last", r, err)
	}
	if r, err := RankSource([]float32{1}, nil, nil); err != nil || r.AUC != 1 {
		t.Errorf("no others: %+v, %v", r, err)
	}
	nan := float32(math.NaN())
	for want, call := range map[string]func() (SourceRanking, error){
		"expected at least one": func() (SourceRanking, error) { return RankSource(nil, others, nil) },
		"NaN":                   func() (SourceRanking, error) { return RankSource([]float32{1}, []float32{nan}, nil) },
		"is NaN":                func() (SourceRanking, error) { return RankSource([]float32{nan}, others, nil) },
		"first 0":               func() (SourceRanking, error) { return RankSource([]float32{1}, others, []int{0}) },
	} {
		if _, err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, expected one with %q", err, want)
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
			t.Errorf("%s = %v, expected %v", name, got, want)
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
