package walks_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/walks"
)

// reachOf returns how far each window of a pass reaches, by the window's number, and 0 for those that have no pairs. It fails
// unless the window's pairs are those of the definition for that reach, each once.
func reachOf(t *testing.T, src walks.Source, vertices int, o walks.StreamOptions, pass uint64) map[uint64]int {
	t.Helper()
	got := map[uint64][]pair{}
	batches := epoch(newStream(t, src, vertices, o), pass)
	for i, list := range batches {
		if i < len(batches)-1 && len(list) != o.Batch {
			t.Errorf("batch %d of %d has %d pairs, expected %d", i, len(batches), len(list), o.Batch)
		}
		for _, p := range list {
			got[p.id] = append(got[p.id], p)
		}
	}
	reach := map[uint64]int{}
	for size := 1; size <= o.Window; size++ {
		of := map[uint64][]pair{}
		for _, p := range everyPair(src, size) {
			of[p.id] = append(of[p.id], p)
		}
		for id, want := range of {
			if reach[id] == 0 && slices.Equal(got[id], want) {
				reach[id] = size
			}
		}
	}
	for id := range got {
		if reach[id] == 0 {
			t.Fatalf("window %d has pairs %v, of no reach from 1 to %d", id, got[id], o.Window)
		}
	}
	return reach
}

// Windows reach 1 to Window vertices, all equally often, and their contexts are those of that reach.
func TestShrunkWindows(t *testing.T) {
	const length, window = 30, 4
	src := uniform(t, ring(t, 50), walks.Options{PerVertex: 4, Length: length, Seed: 1})
	o := walks.StreamOptions{Window: window, Negatives: 2, Batch: 777, Order: walks.Shuffled, Shrink: true}
	count := make([]float64, window)
	for id, reach := range reachOf(t, src, 50, o, 1) {
		if i := id % length; i >= window && i < length-window { // at the ends of walks several reaches are the same window
			count[reach-1]++
		}
	}
	walks.CheckCounts(t, "reaches", count, nil)
}

// How far a window reaches is a matter of the seed, the pass and its number: not of the order, nor of the size of batches.
func TestShrunkWindowsOfPasses(t *testing.T) {
	src := uniform(t, ring(t, 50), walks.Options{PerVertex: 2, Length: 10, Seed: 1})
	o := walks.StreamOptions{Window: 4, Negatives: 2, Batch: 100, Order: walks.Shuffled, Shrink: true}
	of := func(pass uint64, edit func(*walks.StreamOptions)) map[uint64]int {
		changed := o
		edit(&changed)
		return reachOf(t, src, 50, changed, pass)
	}
	first := of(0, func(*walks.StreamOptions) {})
	for _, c := range []struct {
		name  string
		other map[uint64]int
		same  bool
	}{
		{"grouped", of(0, func(o *walks.StreamOptions) { o.Order = walks.Grouped }), true},
		{"other batches", of(0, func(o *walks.StreamOptions) { o.Batch = 3 }), true},
		{"other negatives", of(0, func(o *walks.StreamOptions) { o.Negatives, o.Resample = 5, true }), true},
		{"pass 1", of(1, func(*walks.StreamOptions) {}), false},
		{"other seed", of(0, func(o *walks.StreamOptions) { o.Seed = 1 }), false},
	} {
		equal := 0
		for id, reach := range first {
			if c.other[id] == reach {
				equal++
			}
		}
		// Of 1000 windows some 300 agree by chance.
		if c.same && equal != len(first) || !c.same && equal > 500 {
			t.Errorf("%s: %d of %d windows reach as far, expected the same: %v", c.name, equal, len(first), c.same)
		}
	}
}

// Pairs is the mean of what the definition says for each reach, and what passes have on average. A reach of one pair's
// variance: passes of 1000 windows with up to 2*4 pairs have a standard deviation below sqrt(1000)*4.
func TestPairsOfShrunkWindows(t *testing.T) {
	for name, c := range streams(t) {
		if c.o.Batch > 1<<30 || name == "largest window" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			c.o.Order, c.o.Shrink = walks.Shuffled, true
			s := newStream(t, c.src, c.vertices, c.o)
			var mean, windows float64
			for size := 1; size <= c.o.Window; size++ {
				mean += float64(len(everyPair(c.src, size))) / float64(c.o.Window)
			}
			for i := range c.src.Walks() {
				windows += float64(len(c.src.Walk(i, nil)))
			}
			if got := float64(s.Pairs()); math.Abs(got-mean) > 0.5 {
				t.Errorf("Pairs() = %v, expected %v rounded", got, mean)
			}
			var total float64
			for pass := range uint64(3) {
				for b := range s.Pass(context.Background(), pass) {
					total += float64(b.Pairs) / 3
				}
			}
			if bound := 5 * math.Sqrt(windows/3) * float64(c.o.Window); math.Abs(total-mean) > bound {
				t.Errorf("passes have %v pairs on average, expected %v ± %.0f", total, mean, bound)
			}
		})
	}
}
