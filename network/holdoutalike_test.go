package network

import (
	"context"
	"reflect"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// directedSplit returns a split of a directed network, some of whose links have a reverse.
func directedSplit(t *testing.T, both bool) *Split {
	t.Helper()
	net := call.Of(PlantedOptions{Vertices: 60, Communities: 4, Memberships: 2, MeanDegree: 10, Mixing: 0.1, Seed: 1}.Generate())(t).Network
	links := net.List()
	if both {
		for _, l := range links[:len(links)/3] {
			links = append(links, l.reversed())
		}
	}
	net = call.Of(New(net.Names(), links, nil, true))(t)
	return call.Of(MakeSplit(context.Background(), net, SplitOptions{Remove: 0.4, Rule: "ce1", Seed: 1}))(t)
}

// No training link is among the negatives, the reversed links are those of the training links that were drawn, and there are
// as many for each link held out as the split has training links for each test link.
func TestHoldOutAlikeReversed(t *testing.T) {
	for _, both := range []bool{false, true} {
		s := directedSplit(t, both)
		held := call.Of(s.HoldOutAlike(0.2, 3))(t)
		links, trained := map[Link]bool{}, map[Link]bool{}
		for _, l := range s.Train {
			links[l] = true
		}
		for _, l := range held.Train {
			trained[l] = true
		}
		random := map[Link]bool{}
		for _, l := range held.TestNeg {
			random[l] = true
		}
		ofTrained, ofHeld := 0, 0
		for _, l := range held.TestNegDirected {
			switch {
			case links[l]:
				t.Fatalf("both ways %v: the link %v is among the negatives", both, l)
			case trained[l.reversed()]:
				ofTrained++
			case links[l.reversed()]:
				ofHeld++
			case !random[l]:
				t.Fatalf("both ways %v: %v is the reverse of nothing", both, l)
			}
		}
		want := len(s.Train) * len(held.Test) / len(s.Test)
		if want >= len(held.Train) {
			t.Fatalf("%d reverses of %d links: this was to test fewer", want, len(held.Train))
		}
		reversed := func(list []Link) (n int) {
			for _, l := range list {
				if links[l.reversed()] {
					n++
				}
			}
			return n
		}
		// Random negatives may be such reverses by chance.
		chance := reversed(held.TestNeg)
		if !both && (ofTrained < want || ofTrained > want+chance || ofHeld < len(held.Test)) {
			t.Errorf("the reverses of %d trained links and of %d held out, expected %d, and all of %d", ofTrained, ofHeld, want, len(held.Test))
		}
		if both && (ofTrained >= want || ofHeld >= len(held.Test)+chance) {
			t.Errorf("both ways: the reverses of %d trained links and of %d held out, of %d and %d: expected fewer", ofTrained, ofHeld, want, len(held.Test))
		}
		if !slices.IsSortedFunc(held.TestNegDirected, compareLinks) {
			t.Error("the negatives are not sorted")
		}
		// What is held out, and the random negatives, are those of HoldOut.
		plain := call.Of(s.HoldOut(0.2, 3))(t)
		same := *held
		same.TestNegDirected = plain.TestNegDirected
		if !reflect.DeepEqual(&same, plain) {
			t.Error("more differs from HoldOut than the reversed links")
		}
	}
}

// The same seed holds the same out, whatever the order of the links; another one does not. Without directions it is HoldOut.
func TestHoldOutAlikeIsReproducible(t *testing.T) {
	s := directedSplit(t, true)
	want := call.Of(s.HoldOutAlike(0.1, 1))(t)
	mixed := *s
	mixed.Train, mixed.TrainNeg = slices.Clone(s.Train), slices.Clone(s.TrainNeg)
	shuffle(mixed.Train, rng.New(9, "test"))
	shuffle(mixed.TrainNeg, rng.New(9, "test"))
	got, err := mixed.HoldOutAlike(0.1, 1)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("in another order: another split, or %v", err)
	}
	if got, err := s.HoldOutAlike(0.1, 2); err != nil || slices.Equal(got.Test, want.Test) || slices.Equal(got.TestNegDirected, want.TestNegDirected) {
		t.Errorf("under another seed: the same links, or %v", err)
	}
	net, _ := Karate()
	undirected := call.Of(MakeSplit(context.Background(), net, SplitOptions{Remove: 0.3, Rule: "ce1", Seed: 1}))(t)
	plain := call.Of(undirected.HoldOut(0.1, 1))(t)
	if alike, err := undirected.HoldOutAlike(0.1, 1); err != nil || !reflect.DeepEqual(alike, plain) {
		t.Errorf("undirected: another split than HoldOut's, or %v", err)
	}
	for _, fraction := range []float64{0, 1, -1} {
		call.Refused(t)(s.HoldOutAlike(fraction, 1))
	}
}
