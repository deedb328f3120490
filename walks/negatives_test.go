package walks_test

import (
	"context"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/walks"
)

// negativesOf returns the negatives of every window of a pass, by the window's number.
func negativesOf(s *walks.Stream, pass uint64) map[uint64][]int32 {
	of := map[uint64][]int32{}
	for b := range s.Pass(context.Background(), pass) {
		for w, id := range b.ID {
			of[id] = slices.Clone(b.Negative[w*b.Slots*b.Negatives:][:b.Slots*b.Negatives])
		}
	}
	return of
}

// No negative is a context of its window, unless the window's contexts are all the vertices there are, and each is a vertex:
// those of slots without a pair too, since they are looked up.
func TestNegativesAreOutsideTheWindow(t *testing.T) {
	for name, c := range streams(t) {
		t.Run(name, func(t *testing.T) {
			c.o.Order = walks.Shuffled
			for b := range newStream(t, c.src, c.vertices, c.o).Pass(context.Background(), 0) {
				m := b.Slots * b.Negatives
				for w := range b.Windows() {
					contexts := b.Context[w*b.Slots:][:b.Count[w]]
					for i, v := range b.Negative[w*m:][:m] {
						if v < 0 || int(v) >= c.vertices {
							t.Fatalf("negative %d of %d vertices", v, c.vertices)
						}
						used := i < len(contexts)*b.Negatives
						if used && slices.Contains(contexts, v) && b.BagSize(w) < c.vertices {
							t.Fatalf("negative %d is a context of its window %v", v, contexts)
						}
					}
				}
			}
		})
	}
}

// A window's negatives are a matter of the seed and its number: the same in each pass, in either order and for any size of
// batches; drawn anew in each pass if asked for.
func TestNegativesOfPasses(t *testing.T) {
	src := uniform(t, ring(t, 50), walks.Options{PerVertex: 2, Length: 10})
	o := walks.StreamOptions{Window: 2, Negatives: 2, Batch: 100, Order: walks.Shuffled}
	of := func(pass uint64, edit func(*walks.StreamOptions)) map[uint64][]int32 {
		changed := o
		edit(&changed)
		return negativesOf(newStream(t, src, 50, changed), pass)
	}
	resample := func(o *walks.StreamOptions) { o.Resample = true }
	fixed, drawn := of(0, func(*walks.StreamOptions) {}), of(0, resample)
	cases := []struct {
		name string
		a, b map[uint64][]int32
		same bool
	}{
		{"pass 7", fixed, of(7, func(*walks.StreamOptions) {}), true},
		{"grouped", fixed, of(0, func(o *walks.StreamOptions) { o.Order = walks.Grouped }), true},
		{"other batches", fixed, of(0, func(o *walks.StreamOptions) { o.Batch = 33 }), true},
		{"other seed", fixed, of(0, func(o *walks.StreamOptions) { o.Seed = 1 }), false},
		{"fixed and drawn anew", fixed, drawn, false},
		{"drawn anew, same pass", drawn, of(0, resample), true},
		{"drawn anew, pass 1", drawn, of(1, resample), false},
		{"drawn anew, pass 0 and grouped", drawn, of(0, func(o *walks.StreamOptions) { o.Order, o.Resample = walks.Grouped, true }), true},
	}
	for _, c := range cases {
		if len(c.a) != len(c.b) || len(c.a) != 1000 {
			t.Fatalf("%s: %d and %d windows, expected 1000", c.name, len(c.a), len(c.b))
		}
		equal := 0
		for id, negatives := range c.a {
			if slices.Equal(negatives, c.b[id]) {
				equal++
			}
		}
		// Four to eight draws of some 47 vertices agree by chance with probability below 1e-6.
		if c.same && equal != len(c.a) || !c.same && equal > 1 {
			t.Errorf("%s: %d of %d windows have the same negatives, expected the same: %v", c.name, equal, len(c.a), c.same)
		}
	}
}
