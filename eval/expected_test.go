package eval

import (
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// Worked by hand. Of 8 links held out four stand below 0, 3, 3 and 5 pairs, and 4 are missing: each that was held out stands for half a link.
func TestStepsByHand(t *testing.T) {
	for name, one := range map[string]struct {
		draws []HeldOut
		ranks float64
		want  []Step
	}{
		// Means of ranks 1; 2 to 4, of which the last has 1 link; 5 and 6, the second of which has half a link; the rest, of which the last has half of that.
		"one draw": {[]HeldOut{{Links: 8, Above: []float64{0, 3, 3, 5}}}, 8, []Step{{1, .5, 1}, {4, 1. / 3, 2}, {6, .25, 1}, {8, .125, .5}}},
		// There are never more links than pairs: three of the first one, which are three of the first three.
		"more than pairs": {[]HeldOut{{Links: 4, Above: []float64{0, 0, 0, 4}}}, 10, []Step{{3, 1, 3}, {5, .5, 1}, {10, .1, .5}}},
		"two draws":       {[]HeldOut{{Links: 4, Above: []float64{0, 1, 2, 3}}, {Links: 4}}, 8, []Step{{4, .5, 4}, {8, .0625, .5}}},
		"none is found":   {[]HeldOut{{Links: 4}}, 8, []Step{{8, .0625, .5}}},
	} {
		got := Steps(one.draws, 4, one.ranks)
		if len(got) != len(one.want) {
			t.Errorf("%s: %v, expected %v", name, got, one.want)
			continue
		}
		for i, want := range one.want {
			near(t, name+": to", got[i].To, want.To, 0)
			near(t, name+": probability", got[i].Probability, want.Probability, 1e-12)
			near(t, name+": held out", got[i].Held, want.Held, 0)
		}
		if at := StepAt(got, one.ranks); at != len(got) || StepAt(got, one.ranks-1) != len(got)-1 || StepAt(got, one.want[0].To-1) != 0 {
			t.Errorf("%s: step %d beyond the last", name, at)
		}
	}
}

// Pairs stand where sorting all of them has them, and by a sample about there.
func TestRank(t *testing.T) {
	s := randomSplit(t, 60)
	net := call.Of(s.TrainNetwork())(t)
	kept, held, err := s.Spare(0.1, 1)
	if err != nil {
		t.Fatal(err)
	}
	scorer := call.Of(Fit(t.Context(), "walk", Vectors{}, &network.Split{Names: s.Names, Train: kept}, ScoreOptions{}))(t)
	all, err := RankHeldOut(t.Context(), scorer, kept, append(held, held[0], network.Link{From: 1, To: 1}), net.Has, 1<<20, 0, 1, 2)
	if err != nil || len(all.Above) != len(held) || all.Links != len(held)+2 {
		t.Fatalf("%+v, %v", all, err)
	}
	some := call.Of(RankHeldOut(t.Context(), scorer, kept, held, net.Has, 50, 4000, 1, 1))(t)
	top := call.Of(RankHeldOut(t.Context(), scorer, kept, held, net.Has, 50, 0, 1, 3))(t)
	for i, at := range all.Above {
		exact := at < 50
		near(t, "rank by a sample", some.Above[i], at, map[bool]float64{true: 0, false: 60}[exact])
		if (top.Above[i] < 50) != exact || exact && top.Above[i] != at {
			t.Errorf("%v among the first, expected %v", top.Above[i], at)
		}
	}
	ctx := call.Stopped(t)
	call.Refused(t)(Rank(ctx, scorer, net.Has, 5, 5, 1, 1))
}
