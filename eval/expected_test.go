package eval

import (
	"context"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/network"
)

// Worked by hand. Of 8 links held out four stand below 0, 3, 3 and 5 pairs, and 4 are missing: each that was held out stands for half a link.
func TestExpectByHand(t *testing.T) {
	one := []HeldOut{{Links: 8, Above: []float64{0, 3, 3, 5}}}
	for n, want := range map[int]float64{1: .5, 2: .25, 3: .5 / 3, 4: 1.5 / 4, 5: .3, 6: 2. / 6, 8: .25} {
		near(t, "precision", Expect(one, 4, n).Precision, want, 1e-12)
	}
	near(t, "spread of a count of 3", Expect(one, 4, 4).Spread, 0.5*1.7320508/4, 1e-6)
	// Means of ranks 1; 2 to 4, of which the last has 1 link; 5 and 6, the second of which has half a link; the rest.
	if n := len(Steps(one, 4, 8)); n != 4 {
		t.Fatalf("%d steps, expected 4", n)
	}
	for i, want := range []Step{{1, .5}, {4, 1. / 3}, {6, .25}, {8, 0}} {
		got := Steps(one, 4, 8)[i]
		near(t, "step", got.To, want.To, 0)
		near(t, "probability", got.Probability, want.Probability, 1e-12)
	}
	// There are never more links than pairs: three of the first one, which are three of the first three.
	many := []HeldOut{{Links: 4, Above: []float64{0, 0, 0, 4}}}
	if got := Steps(many, 4, 10); !slices.Equal(got, []Step{{3, 1}, {5, .5}, {10, 0}}) {
		t.Errorf("%v", got)
	}
	near(t, "all and more, less the error of a count of 3", Lower(many, 4, 2), 1.5-1.7320508/2, 1e-6)
	near(t, "as many as are said", Bound(many, 4, 100), 4, 0)
	// 100 links among the first 20, where 200 are missing, of which 10 stand for each: 50 ± 5 for each of 20 pairs.
	crowd := []HeldOut{{Links: 20, Above: make([]float64, 100)}}
	near(t, "no more than pairs", Bound(crowd, 200, 39), 200/(100.-2*10), 1e-12)
	near(t, "no more than all", Expect(many, 4, 2).Precision, 1, 0)
	// Two draws that differ: 2 ± 2 links of which the mean is 2 and the standard error 2.
	apart := []HeldOut{{Links: 4, Above: []float64{0, 1, 2, 3}}, {Links: 4}}
	near(t, "mean of draws", Expect(apart, 4, 8).Precision, .25, 1e-12)
	near(t, "spread over draws", Expect(apart, 4, 8).Spread, .25, 1e-12)
	near(t, "first", ProbabilityAt(Steps(one, 4, 8), 0), .5, 0)
	near(t, "fourth", ProbabilityAt(Steps(one, 4, 8), 3), 1./3, 1e-12)
	near(t, "beyond", ProbabilityAt(Steps(one, 4, 8), 8), 0, 0)
	near(t, "no draw has any", ProbabilityAt(Steps([]HeldOut{{Links: 3}}, 4, 8), 0), 0, 0)
}

// Pairs stand where sorting all of them has them, and by a sample about there.
func TestRank(t *testing.T) {
	s := randomSplit(t, 60)
	net, err := s.TrainNetwork()
	if err != nil {
		t.Fatal(err)
	}
	kept, held, err := s.Spare(0.1, 1)
	if err != nil {
		t.Fatal(err)
	}
	scorer, err := Fit(t.Context(), "walk", Vectors{}, &network.Split{Names: s.Names, Train: kept}, ScoreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := RankHeldOut(t.Context(), scorer, kept, append(held, held[0], network.Link{From: 1, To: 1}), net.Has, 1<<20, 0, 1, 2)
	if err != nil || len(all.Above) != len(held) || all.Links != len(held)+2 {
		t.Fatalf("%+v, %v", all, err)
	}
	some, err := RankHeldOut(t.Context(), scorer, kept, held, net.Has, 50, 4000, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	top, err := RankHeldOut(t.Context(), scorer, kept, held, net.Has, 50, 0, 1, 3)
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range all.Above {
		exact := at < 50
		near(t, "rank by a sample", some.Above[i], at, map[bool]float64{true: 0, false: 60}[exact])
		if (top.Above[i] < 50) != exact || exact && top.Above[i] != at {
			t.Errorf("%v among the first, expected %v", top.Above[i], at)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Rank(ctx, scorer, net.Has, 5, 5, 1, 1); err == nil {
		t.Error("interrupted: no error")
	}
}
