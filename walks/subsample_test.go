package walks_test

import (
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/walks"
)

// Worked out by hand: with .1, shares of .4 and .1 come to √.25 + .25 and to more than 1; with .001, one of .4 to √.0025 + .0025.
func TestKeepRates(t *testing.T) {
	counts := []int64{400, 0, 400, 100, 100}
	for sample, want := range map[float64][]float64{0: nil, .1: {.75, 1, .75, 1, 1}, .001: {.0525, 1, .0525, .11, .11}} {
		got := walks.KeepRates(counts, sample)
		if !slices.EqualFunc(got, want, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }) || (got == nil) != (want == nil) {
			t.Errorf("sample %v: %v, expected %v", sample, got, want)
		}
	}
}

// Windows reach over what is left out, and a walk of which one vertex is left has no pairs.
func TestWindowsReachOver(t *testing.T) {
	o := walks.StreamOptions{Window: 1, Negatives: 1, Batch: 10, Order: walks.Shuffled, Keep: []float64{1, 0, 1, 0}}
	s := newStream(t, given{{0, 1, 3, 2}, {1, 2}}, 4, o)
	for pass := range uint64(3) {
		got := slices.Concat(epoch(s, pass)...)
		slices.SortFunc(got, func(a, b pair) int { return int(a.center - b.center) })
		if want := []pair{{0, 0, 0, 2}, {1, 0, 2, 0}}; !slices.Equal(got, want) || s.Pairs() != 2 {
			t.Errorf("pass %d: %v, Pairs() = %d, expected %v", pass, got, s.Pairs(), want)
		}
	}
}

// Each occurrence stays with the probability of its vertex, anew in each pass; what stays keeps its order, and has the pairs of its walk.
func TestKeptVertices(t *testing.T) {
	keep := []float64{1, .5, .05, .95, 0, .5}
	src := make(given, 3000)
	for i := range src {
		src[i] = []int32{0, 1, 2, 3, 4, 5, 1}
	}
	o := walks.StreamOptions{Window: 6, Negatives: 1, Batch: 997, Order: walks.Shuffled, Seed: 7, Keep: keep}
	keptOf := func(o walks.StreamOptions, pass uint64) [][]int32 {
		s := newStream(t, src, len(keep), o)
		walk := make([][]int32, len(src))
		pairs := slices.Concat(epoch(s, pass)...)
		if pass == 0 && s.Pairs() != int64(len(pairs)) {
			t.Errorf("Pairs() = %d, pass 0 has %d", s.Pairs(), len(pairs))
		}
		for _, p := range pairs { // the window of the first vertex has all others
			if p.id%7 == 0 {
				i := p.id / 7
				if walk[i] == nil {
					walk[i] = []int32{p.center}
				}
				walk[i] = append(walk[i], p.context)
			}
		}
		return walk
	}
	first := keptOf(o, 1)
	count := make([]float64, len(keep))
	for _, walk := range first {
		sorted := slices.Clone(walk)
		if n := len(sorted); n > 0 && sorted[n-1] == 1 { // the last
			sorted = sorted[:n-1]
		}
		if !slices.IsSorted(sorted) {
			t.Fatalf("kept %v: expected the order of the walk", walk)
		}
		for _, v := range walk {
			count[v]++
		}
	}
	for v, p := range keep {
		n := float64(len(src))
		if v == 1 {
			n *= 2
		}
		// A walk of which only vertex 0 stays has no pairs to be seen by: 1 in 160.
		if got, slack := count[v]/n, 5*math.Sqrt(p*(1-p)/n)+.01; math.Abs(got-p) > slack || p == 0 && got > 0 {
			t.Errorf("vertex %d stays at %.3f of its places, expected %.3f ± %.3f", v, got, p, slack)
		}
	}
	same := func(other [][]int32) (n int) {
		for i := range first {
			if slices.Equal(first[i], other[i]) {
				n++
			}
		}
		return n
	}
	batches := o
	batches.Batch, batches.Negatives = 10, 3
	seed := o
	seed.Seed++
	if n := same(keptOf(batches, 1)); n != len(src) {
		t.Errorf("other batches: %d of %d walks alike, expected all", n, len(src))
	}
	for name, other := range map[string][][]int32{"pass 0": keptOf(o, 0), "pass 2": keptOf(o, 2), "another seed": keptOf(seed, 1)} {
		if n := same(other); n > len(src)/4 { // some 13 % by chance
			t.Errorf("%s: %d of %d walks alike", name, n, len(src))
		}
	}
}
