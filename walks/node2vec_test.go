package walks

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

func newNode2Vec(t testing.TB, net *network.Network, o Options, p, q float64) *Node2Vec {
	t.Helper()
	return call.Of(NewNode2Vec(net, o, p, q))(t)
}

// triples counts what follows each two vertices of the walks of a source, and, under previous vertex -1, each first one.
func triples(src Source) map[[2]int32]map[int32]float64 {
	count := map[[2]int32]map[int32]float64{}
	add := func(t, x, y int32) {
		if count[[2]int32{t, x}] == nil {
			count[[2]int32{t, x}] = map[int32]float64{}
		}
		count[[2]int32{t, x}][y]++
	}
	for _, walk := range eachWalk(src, 0, src.Walks(), inCorpusOrder) {
		add(-1, walk[0], walk[1])
		for i := 2; i < len(walk); i++ {
			add(walk[i-2], walk[i-1], walk[i])
		}
	}
	return count
}

// checkChoices fails if counts are unlikelier than level for the given weights, or if what has weight 0 came. It returns the
// chi-square and its degrees of freedom. Expected counts below 5 are judged together.
func checkChoices(t *testing.T, what string, level float64, counts, weights map[int32]float64) (chi, freedom float64) {
	t.Helper()
	var n, all float64
	for y, c := range counts {
		n += c
		if !(weights[y] > 0) {
			t.Errorf("%s: %v times to %d, which has weight 0", what, c, y)
		}
	}
	for _, w := range weights {
		all += w
	}
	var rare, expected float64
	cells := 0
	for y, w := range weights {
		e := n * w / all
		if e < 5 {
			rare, expected = rare+counts[y], expected+e
			continue
		}
		chi += (counts[y] - e) * (counts[y] - e) / e
		cells++
	}
	if expected >= 5 {
		chi += (rare - expected) * (rare - expected) / expected
		cells++
	}
	if cells < 2 {
		return 0, 0
	}
	freedom = float64(cells - 1)
	if p := (distuv.ChiSquared{K: freedom}).Survival(chi); !(p > level) {
		t.Errorf("%s: counts %v, expected in proportion %v: chi-square %.1f, p = %.1g", what, counts, weights, chi, p)
	}
	return chi, freedom
}

// With p = q = 1 and no weights the walks are the uniform ones. That is more than the same distribution, and is kept by
// drawing from the same streams in the same way.
func TestNode2VecWithoutBiasIsUniform(t *testing.T) {
	for _, directed := range []bool{false, true} {
		net := randomNetwork(t, 60, 150, directed, false, 1)
		o := Options{PerVertex: 3, Length: 12, Seed: 7}
		u := call.Of(NewUniform(net, o))(t)
		n := newNode2Vec(t, net, o, 1, 1)
		for i := range u.Walks() {
			if got, want := n.Walk(i, nil), u.Walk(i, nil); !slices.Equal(got, want) {
				t.Fatalf("directed %v: walk %d is %v, expected %v", directed, i, got, want)
			}
		}
	}
}

// Worked out by hand: a triangle 0, 1, 2 with a vertex 3 that hangs on 2, at p = 4 and q = 1/4. From 2, come to from 0: back
// to 0 has 1/4, 1 is linked to 0 and has 1, 3 is not and has 4. From 2, come to from 3: back has 1/4, 0 and 1 have 4 each. In
// the triangle, from 0, come to from 1: back has 1/4, 2 has 1. From 3 there is only the way back.
func TestNode2VecByHand(t *testing.T) {
	net := Linked(t, 4, false, nil, 0, 1, 1, 2, 2, 0, 2, 3)
	count := triples(newNode2Vec(t, net, Options{PerVertex: 500, Length: 40, Seed: 1}, 4, 0.25))
	for tx, want := range map[[2]int32]map[int32]float64{
		{0, 2}:  {0: 1, 1: 4, 3: 16}, // over 21
		{3, 2}:  {3: 1, 0: 16, 1: 16},
		{1, 0}:  {1: 1, 2: 4},
		{2, 3}:  {2: 1},
		{-1, 2}: {0: 1, 1: 1, 3: 1},
	} {
		if len(count[tx]) != len(want) {
			t.Errorf("from %d, come to from %d: to %v, expected all of %v", tx[1], tx[0], count[tx], want)
		}
		checkChoices(t, fmt.Sprintf("from %d, come to from %d", tx[1], tx[0]), 1e-4, count[tx], want)
	}
}

// From 1, come to from 0 along 0->1: 2 points to 0, 3 is pointed to by 0, 4 neither, and there is an arc back. What counts is
// the arc to the previous vertex: by hand, with p = 2 and q = 8, 1/2 back, 1 to 2, 1/8 to 3 and to 4.
func TestNode2VecDirection(t *testing.T) {
	net := Linked(t, 5, true, nil, 0, 1, 1, 0, 1, 2, 1, 3, 1, 4, 2, 0, 0, 3)
	count := triples(newNode2Vec(t, net, Options{PerVertex: 20000, Length: 3, Seed: 1}, 2, 8))
	checkChoices(t, "from 1, come to from 0", 1e-4, count[[2]int32{0, 1}], map[int32]float64{0: 4, 2: 8, 3: 1, 4: 1})
	// 0 does not point back to 2; it points to 1, which points to 2, and to 3, which does not.
	checkChoices(t, "from 0, come to from 2", 1e-4, count[[2]int32{2, 0}], map[int32]float64{1: 8, 3: 1})
}

// Every transition of random networks, over a grid of p and q that has the extremes, against the definition. The chi-squares
// of all transitions of a network are independent, so their sum is judged too.
func TestNode2VecAgainstTheDefinition(t *testing.T) {
	biases := []float64{0.01, 0.25, 1, 4, 100}
	for _, directed := range []bool{false, true} {
		for _, weighted := range []bool{false, true} {
			net := randomNetwork(t, 12, 30, directed, weighted, 3)
			if net.SelfLoops() == 0 {
				t.Fatal("no self-loop: the test does not test what it says")
			}
			for _, p := range biases {
				for _, q := range biases {
					name := fmt.Sprintf("directed=%v/weighted=%v/p=%v/q=%v", directed, weighted, p, q)
					t.Run(name, func(t *testing.T) {
						src := newNode2Vec(t, net, Options{PerVertex: 150, Length: 20, Seed: 2}, p, q)
						var chi, freedom float64
						for tx, counts := range triples(src) {
							what := fmt.Sprintf("from %d, come to from %d", tx[1], tx[0])
							c, f := checkChoices(t, what, 1e-8, counts, definition(net, tx[0], tx[1], p, q)) // one of thousands
							chi, freedom = chi+c, freedom+f
						}
						if p := (distuv.ChiSquared{K: freedom}).Survival(chi); !(p > 1e-4) {
							t.Errorf("all transitions: chi-square %.1f of %v degrees of freedom, p = %.1g", chi, freedom, p)
						}
					})
				}
			}
		}
	}
}

// definition returns the weights of a step from x, come to from t, or of a first step where t is -1.
func definition(net *network.Network, t, x int32, p, q float64) map[int32]float64 {
	of := map[int32]float64{}
	for i, y := range net.Out(x) {
		w := 1.0
		if weights := net.OutWeights(x); weights != nil {
			w = float64(weights[i])
		}
		switch {
		case t < 0:
		case y == t:
			w /= p
		case !net.Has(y, t):
			w /= q
		}
		of[y] = w
	}
	return of
}

// A hub whose 5,000 neighbours hang on it, some linked in a ring, and a hermit with a loop: steps end at once, whatever the
// biases, and the return is as likely as it should be.
func TestNode2VecOfHubs(t *testing.T) {
	const hang = 5000
	var ends []int32
	for v := range int32(hang) {
		ends = append(ends, hang, v)
	}
	ends = append(ends, 0, 1, hang+1, hang+1)
	net := Linked(t, hang+2, false, nil, ends...)
	for _, c := range []struct{ p, q, back float64 }{
		// Back at 1/p beside 4,999 others at 1/q; the two that are linked do not change that by much.
		{1.0 / 5000, 1, 0.5},
		{1e-100, 1, 1},
		{1e100, 1, 0},
		{1, 1e100, 1},
		{1e50, 1e-100, 0},
		{1.0 / 4999, 1, 0.5},
		{1, 4999, 0.5},
	} {
		src := newNode2Vec(t, net, Options{PerVertex: 1, Length: 6, Seed: 1}, c.p, c.q)
		var back, steps float64
		for _, walk := range eachWalk(src, 0, 800, inCorpusOrder) {
			if len(walk) != 6 {
				t.Fatalf("a walk of %d vertices, expected 6", len(walk))
			}
			for i := 2; i < len(walk); i++ {
				if walk[i-1] == hang && walk[i-2] > 1 {
					steps++
					if walk[i] == walk[i-2] {
						back++
					}
				}
			}
		}
		if share := back / steps; math.Abs(share-c.back) > 0.05 { // four standard deviations
			t.Errorf("p = %v, q = %v: %.3f of %v steps from the hub go back, expected %.2f", c.p, c.q, share, steps, c.back)
		}
	}
}
