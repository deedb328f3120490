package network

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

func mustSplit(t testing.TB, n *Network, rule string, seed uint64) *Split {
	t.Helper()
	return call.Of(MakeSplit(context.Background(), n, SplitOptions{Remove: 0.5, Rule: rule, Seed: seed}))(t)
}

func TestMakeSplitProperties(t *testing.T) {
	for _, directed := range []bool{false, true} {
		for _, rule := range Rules() {
			for _, extra := range []int{40, 300} {
				t.Run(fmt.Sprintf("directed=%v/rule=%s/extra=%d", directed, rule, extra), func(t *testing.T) {
					n := randomConnected(t, 60, extra, directed, rng.New(1, "test-split"))
					for seed := range uint64(5) {
						s := mustSplit(t, n, rule, seed)
						checkSplit(t, n, s)
						if want := n.Links() / 2; rule != "ce5" && s.Lost != 0 || len(s.Test) > want+2*checkEvery-1 { // of batches of two arcs each
							t.Errorf("%d test links and %d lost of %d", len(s.Test), s.Lost, n.Links())
						}
						if again := mustSplit(t, n, rule, seed); again.Checksum() != s.Checksum() || !slices.Equal(again.TestNeg, s.TestNeg) {
							t.Error("the same seed gives another split")
						}
						if other := mustSplit(t, n, rule, seed+100); slices.Equal(other.Test, s.Test) || slices.Equal(other.TestNeg, s.TestNeg) {
							t.Error("another seed gives the same links or negatives")
						}
						if s.Options != (SplitOptions{Remove: 0.5, Rule: rule, Seed: seed}) {
							t.Errorf("options %+v are not those given", s.Options)
						}
					}
				})
			}
		}
	}
}

// Links are held out by the rule of the test links: where that leaves ends without a link or fragments, so
// does holding out, else not. A split that does not say its rule says it by what it left.
func TestHoldOutByRule(t *testing.T) {
	n := randomConnected(t, 400, 100, false, rng.New(2, "test-split"))
	for _, rule := range Rules() {
		s := call.Of(MakeSplit(t.Context(), n, SplitOptions{Remove: 0.1, Rule: rule, Seed: 1}))(t)
		for _, options := range []SplitOptions{s.Options, {}} {
			s.Options = options
			held := call.Of(s.HoldOut(0.1, 3))(t)
			train := call.Of(held.TrainNetwork())(t)
			stranded, fragments := len(held.Stranded())-len(s.Stranded()), train.components().trees()-call.Of(s.TrainNetwork())(t).components().trees()
			if connected(rule) != (fragments == 0) || (rule == ruleRandom) != (stranded > 0) || !connected(rule) && held.Options.Rule != rule {
				t.Errorf("%s, options %+v: %d more vertices without links, %d more components, rule %q", rule, options, stranded, fragments, held.Options.Rule)
			}
		}
		if s.Options.Rule = rule; rule == ruleRandom && readBack(t, s).Checksum() != s.Checksum() {
			t.Error("a split with vertices without links is another when read back")
		}
	}
}

// What would be no question or given away is in no test: self-loops, one arc of a reciprocal pair, negatives within a side.
func TestMakeSplitIsFair(t *testing.T) {
	r := rng.New(7, "test-split")
	var across, dense []Link // between even and odd vertices
	for v := 1; v < 40; v++ {
		across = append(across, Link{int32(v - 1), int32(v)})
	}
	for range 120 {
		across = append(across, Link{int32(2 * r.Intn(20)), int32(2*r.Intn(20) + 1)})
	}
	for v := range int32(100) {
		if v%10 < 4 || v%10 == v/10 { // of 10 times 10 pairs, so that few negatives are left
			dense = append(dense, Link{v / 10 * 2, v%10*2 + 1})
		}
	}
	odd := append(slices.Clone(across), Link{0, 2})
	within := func(l Link) bool { return l.To < 40 && (l.From+l.To)%2 == 0 }
	for name, c := range map[string]struct {
		vertices int
		links    []Link
		directed bool
		sides    []int
		faults   bool // whether the published code's split has some
	}{
		"self-loops":          {60, randomConnected(t, 60, 300, false, r).List(), false, nil, true},
		"arcs, self-loops":    {60, randomConnected(t, 60, 500, true, r).List(), true, nil, true},
		"two sides":           {40, across, false, []int{20, 20}, true},
		"two sides, arcs":     {40, across, true, []int{20, 20}, true},
		"two sides, dense":    {20, dense, false, []int{10, 10}, true},
		"an odd cycle":        {40, odd, false, nil, false},
		"a self-loop":         {40, append(slices.Clone(across), Link{3, 3}), false, nil, false},
		"an odd cycle, arcs":  {40, odd, true, nil, false},
		"a component outside": {42, append(slices.Clone(across), Link{40, 41}), false, []int{20, 20}, true},
	} {
		n := mustNew(t, c.vertices, c.links, c.directed)
		for _, rule := range Rules() {
			found, parted := false, n
			if connected(rule) {
				parted = n.LargestComponent()
			}
			for seed := range uint64(5) {
				s := mustSplit(t, n, rule, seed)
				checkSplit(t, parted, s)
				if had := s.Counts(); had.TestSelfLoops+had.Parted > 0 || had.SelfLoops+s.Lost < parted.SelfLoops() {
					t.Errorf("%s, %s: %+v", name, rule, had)
				}
				if parted == n.LargestComponent() && !slices.Equal(s.Sides, c.sides) || s.Sides != nil && slices.ContainsFunc(slices.Concat(s.TestNeg, s.TrainNeg), within) {
					t.Errorf("%s, %s: sides %v, expected %v, or negatives within them", name, rule, s.Sides, c.sides)
				}
				old := call.Of(MakeSplit(t.Context(), n, SplitOptions{Remove: 0.5, Rule: rule, Seed: seed, AsPublished: true}))(t)
				had := old.Counts()
				found = found || had.TestSelfLoops+had.Parted > 0 || c.sides != nil && slices.ContainsFunc(old.TestNeg, within)
				if name == "an odd cycle" && old.Checksum() != s.Checksum() {
					t.Errorf("%s, %s: a network with nothing to heed is split in another way", name, rule)
				}
			}
			if c.faults && !found && rule != ruleLinked { // which leaves self-loops
				t.Errorf("%s, %s: the published code has no fault: the network tests nothing", name, rule)
			}
		}
		if w, err := Whole(t.Context(), n, 1); err != nil || c.sides != nil && slices.ContainsFunc(w.TrainNeg, within) {
			t.Errorf("%s: negatives of the whole network are within a side, or %v", name, err)
		}
	}
}

// With ce1 the share is exact wherever the network has links to spare.
func TestMakeSplitShare(t *testing.T) {
	n := randomConnected(t, 50, 300, false, rng.New(2, "test-split"))
	for _, share := range []float64{0.01, 0.1, 0.3, 0.7} {
		s := call.Of(MakeSplit(context.Background(), n, SplitOptions{Remove: share, Rule: "ce1", Seed: 3}))(t)
		if want := int(share * float64(n.Links())); len(s.Test) != want {
			t.Errorf("remove %v of %d: %d test links, expected %d", share, n.Links(), len(s.Test), want)
		}
	}
}

func TestMakeSplitDirectedNegatives(t *testing.T) {
	// 0->1 and 1->0 have no reversed negative, nor has the self-loop; the others have.
	links := []Link{{0, 1}, {1, 0}, {1, 2}, {2, 0}, {3, 3}, {3, 2}, {1, 3}, {3, 4}, {4, 0}, {5, 0}, {5, 1}, {6, 7}, {7, 0}, {8, 6}, {8, 0}}
	s := mustSplit(t, mustNew(t, 9, links, true), "ce1", 1)
	var want []Link
	for _, l := range append(s.Train[:len(s.Train):len(s.Train)], s.Test...) {
		if !slices.Contains(links, l.reversed()) {
			want = append(want, l.reversed())
		}
	}
	want = append(want, s.TestNeg...)
	slices.SortFunc(want, compareLinks)
	if !slices.Equal(s.TestNegDirected, want) || len(want) != 12+len(s.TestNeg) { // 15 links less 2 mutual and the loop
		t.Errorf("directed negatives %v: expected %v", s.TestNegDirected, want)
	}
}

func TestMakeSplitErrors(t *testing.T) {
	cycle := []Link{{0, 1}, {1, 2}, {2, 3}, {3, 0}}
	var complete []Link
	for u := range int32(6) {
		for v := range u {
			complete = append(complete, Link{u, v})
		}
	}
	tree := []Link{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}}
	bipartite := []Link{{0, 3}, {0, 4}, {0, 5}, {1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4}}
	tests := []struct {
		name  string
		n     *Network
		o     SplitOptions
		wants string
	}{
		{"zero", mustNew(t, 4, cycle, false), SplitOptions{Remove: 0, Rule: "ce5", Seed: 1}, "remove = 0: expected a share of the links between 0 and 1"},
		{"all", mustNew(t, 4, cycle, false), SplitOptions{Remove: 1, Rule: "ce5", Seed: 1}, "remove = 1: expected"},
		{"NaN", mustNew(t, 4, cycle, false), SplitOptions{Remove: math.NaN(), Rule: "ce5", Seed: 1}, "remove = NaN: expected"},
		{"rule", mustNew(t, 4, cycle, false), SplitOptions{Remove: 0.5, Rule: "ce7", Seed: 1}, `rule = "ce7": expected one of ce5, ce1`},
		{"no rule", mustNew(t, 4, cycle, false), SplitOptions{Remove: 0.5}, `rule = "": expected one of ce5, ce1`},
		{"too few links", mustNew(t, 4, cycle, false), SplitOptions{Remove: 0.2, Rule: "ce5", Seed: 1}, "0.2 of the 4 links"},
		{"empty", mustNew(t, 0, nil, false), SplitOptions{Remove: 0.5, Rule: "ce5", Seed: 1}, "0.5 of the 0 links"},
		{"tree, ce1", mustNew(t, 9, tree, false), SplitOptions{Remove: 0.5, Rule: "ce1", Seed: 1}, "no link of the 8 that can be taken out"},
		{"tree, ce5", mustNew(t, 9, tree, false), SplitOptions{Remove: 0.5, Rule: "ce5", Seed: 1}, "no link of the 8 that can be taken out"},
		{"dense", mustNew(t, 6, complete, false), SplitOptions{Remove: 0.5, Rule: "ce1", Seed: 1}, "too dense: 6 vertices, 0 pairs without a link: expected at least 15"},
		{"dense between sides", mustNew(t, 6, bipartite, false), SplitOptions{Remove: 0.2, Rule: "ce1", Seed: 1}, "1 pairs without a link between the two sides of the network: expected at least 8"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			call.Refused(t, test.wants)(MakeSplit(context.Background(), test.n, test.o))
		})
	}
	ctx := call.Stopped(t)
	if _, err := MakeSplit(ctx, mustNew(t, 4, cycle, false), SplitOptions{Remove: 0.5, Rule: "ce1", Seed: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

// Negatives must be uniform over the free pairs, both when they are drawn by rejection and when all are listed. The bound is
// the 1 - 1e-6 quantile of the chi-squared distribution, by the approximation of Wilson and Hilferty.
func TestNonLinksUniform(t *testing.T) {
	n := randomConnected(t, 12, 10, true, rng.New(4, "test-negatives"))
	free := 0
	for u := range int32(12) {
		for v := u + 1; v < 12; v++ {
			if !n.Has(u, v) {
				free++
			}
		}
	}
	for name, count := range map[string]int{"rejection": free / 5, "all listed": free - 3} {
		times := make(map[Link]int)
		const rounds = 4000
		for round := range uint64(rounds) {
			links := call.Of(sampleNonLinks(context.Background(), n, nil, count, rng.New(round, "test-negatives")))(t)
			for _, l := range links {
				times[l]++
			}
		}
		if len(times) != free {
			t.Errorf("%s: %d different pairs: expected all %d", name, len(times), free)
		}
		p := float64(count) / float64(free)
		chi := 0.0
		for _, k := range times { // drawn without replacement: a pair's count has variance rounds·p·(1-p)
			d := float64(k) - rounds*p
			chi += d * d / (rounds * p * (1 - p))
		}
		chi *= float64(free-1) / float64(free)
		f := float64(free - 1)
		if bound := f * math.Pow(1-2/(9*f)+4.75*math.Sqrt(2/(9*f)), 3); chi > bound {
			t.Errorf("%s: chi-squared %.1f with %v degrees of freedom: expected below %.1f", name, chi, f, bound)
		}
	}
}

func TestHoldOut(t *testing.T) {
	for _, directed := range []bool{false, true} {
		t.Run(fmt.Sprintf("directed=%v", directed), func(t *testing.T) {
			n := randomConnected(t, 60, 300, directed, rng.New(5, "test-holdout"))
			s := mustSplit(t, n, "ce5", 1)
			before := s.Checksum()
			h := call.Of(s.HoldOut(0.1, 7))(t)
			if s.Checksum() != before {
				t.Error("HoldOut changed the split")
			}
			old := call.Of(s.TrainNetwork())(t)
			checkHoldOut(t, old, s, h)
			if want := len(s.Train) / 10; len(h.Test) != want {
				t.Errorf("%d validation links: expected %d", len(h.Test), want)
			}
			blind := *s // without anything to test with, it must give the same
			blind.Test, blind.TestNeg, blind.TestNegDirected = nil, nil, nil
			if b, err := blind.HoldOut(0.1, 7); err != nil || b.Checksum() != h.Checksum() {
				t.Errorf("the validation split depends on the test links (error %v)", err)
			}
			shuffled := *s
			shuffled.Train = slices.Clone(s.Train)
			slices.Reverse(shuffled.Train)
			if b, err := shuffled.HoldOut(0.1, 7); err != nil || b.Checksum() != h.Checksum() {
				t.Errorf("the validation split depends on the order of the training links (error %v)", err)
			}
			if b, err := s.HoldOut(0.1, 8); err != nil || slices.Equal(b.Test, h.Test) {
				t.Errorf("another seed gives the same validation links (error %v)", err)
			}
			all := call.Of(s.HoldOut(0.99, 7))(t) // more than can be spared: what is left is a tree
			checkHoldOut(t, old, s, all)
			tree := 0
			for _, l := range all.Train {
				if _, back := slices.BinarySearchFunc(all.Train, l.reversed(), compareLinks); l.From != l.To && !(directed && back && l.From > l.To) {
					tree++ // both arcs of a pair are one link of it
				}
			}
			if tree != len(s.Names)-1 {
				t.Errorf("%d links are left between different vertices: expected a tree of %d", tree, len(s.Names)-1)
			}
		})
	}
}

// checkHoldOut looks at what HoldOut promises; old is the training network of s.
func checkHoldOut(t *testing.T, old *Network, s, h *Split) {
	t.Helper()
	call.OK(t, h.Check())
	if len(h.Train)+len(h.Test) != len(s.Train) || len(h.TestNeg) != len(h.Test) || len(h.TestNeg)+len(h.TrainNeg) != len(s.TrainNeg) {
		t.Errorf("%d + %d links, %d + %d negatives: expected all of the %d and %d, and a negative for each validation link",
			len(h.Train), len(h.Test), len(h.TrainNeg), len(h.TestNeg), len(s.Train), len(s.TrainNeg))
	}
	train := call.Of(h.TrainNetwork())(t)
	if train.components().trees() != 1 || len(h.Stranded()) > 0 {
		t.Errorf("what is left to train on has %d components and %d vertices without a link: expected 1 and 0", train.components().trees(), len(h.Stranded()))
	}
	for _, l := range append(h.Train[:len(h.Train):len(h.Train)], h.Test...) {
		if !old.Has(l.From, l.To) {
			t.Fatalf("%v is no training link", l)
		}
	}
	for _, l := range append(h.TrainNeg[:len(h.TrainNeg):len(h.TrainNeg)], h.TestNeg...) {
		if !slices.Contains(s.TrainNeg, l) {
			t.Fatalf("%v is no training negative", l)
		}
	}
	if s.Directed {
		want := slices.Clone(h.TestNeg)
		for _, l := range s.Train {
			if !old.Has(l.To, l.From) {
				want = append(want, l.reversed())
			}
		}
		slices.SortFunc(want, compareLinks)
		if !slices.Equal(h.TestNegDirected, want) {
			t.Errorf("directed negatives %v: expected %v", h.TestNegDirected, want)
		}
	}
}

// A vertex that a published split left with a self-loop only keeps it.
func TestHoldOutKeepsLastSelfLoop(t *testing.T) {
	s := &Split{Names: numbered(4), Train: []Link{{0, 1}, {1, 2}, {0, 2}, {1, 1}, {3, 3}}, TrainNeg: []Link{{0, 3}, {1, 3}, {2, 3}}}
	for seed := range uint64(20) {
		h := call.Of(s.HoldOut(0.5, seed))(t)
		if len(h.Stranded()) > 0 || len(h.Test) != 2 {
			t.Fatalf("seed %d: %v left to train on", seed, h.Train)
		}
	}
}
