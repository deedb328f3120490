package walks_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/walks"
)

// The published order: by centre in the order of first appearance, then as in the corpus; the same in each pass.
func TestGroupedOrder(t *testing.T) {
	for name, c := range streams(t) {
		t.Run(name, func(t *testing.T) {
			c.o.Order = walks.Grouped
			of := map[int32][]pair{}
			for _, p := range everyPair(c.src, c.o.Window) {
				of[p.center] = append(of[p.center], p)
			}
			var met []int32
			for i := range c.src.Walks() {
				for _, v := range c.src.Walk(i, nil) {
					if !slices.Contains(met, v) {
						met = append(met, v)
					}
				}
			}
			var want []pair
			for _, v := range met {
				want = append(want, of[v]...)
			}
			s := newStream(t, c.src, c.vertices, c.o)
			for pass := range uint64(2) {
				if got := slices.Concat(epoch(s, pass)...); !slices.Equal(got, want) {
					t.Fatalf("pass %d is in another order", pass)
				}
			}
		})
	}
}

// A shuffled pass differs from the next and from another seed's, and is the same when asked for again. Windows of one centre
// or one walk do not stay together.
func TestShuffledOrder(t *testing.T) {
	o := walks.StreamOptions{Window: 3, Negatives: 2, Batch: 500, Order: walks.Shuffled}
	src := uniform(t, ring(t, 50), walks.Options{PerVertex: 4, Length: 20, Seed: 1})
	s := newStream(t, src, 50, o)
	first := slices.Concat(epoch(s, 1)...)
	if !slices.Equal(first, slices.Concat(epoch(s, 1)...)) {
		t.Error("pass 1 differs from itself")
	}
	o.Seed = 1
	for name, other := range map[string][]pair{
		"pass 2": slices.Concat(epoch(s, 2)...), "another seed": slices.Concat(epoch(newStream(t, src, 50, o), 1)...),
	} {
		same := 0
		for i, p := range first {
			if p == other[i] {
				same++
			}
		}
		// A window of 6 pairs keeps its place with probability 1/4000.
		if same > len(first)/100 {
			t.Errorf("%s: %d of %d pairs at the same place as in pass 1", name, same, len(first))
		}
	}
	together := 0
	for i := 1; i < len(first); i++ {
		if a, b := first[i-1].id, first[i].id; a != b && a/20 == b/20 {
			together++
		}
	}
	// Two random windows of 200 walks are of one walk with probability 1/200: 20 of 4000 steps from window to window.
	if together > 60 {
		t.Errorf("%d neighbouring windows are of one walk, expected about 20", together)
	}
}

// Batches do not depend on whether walks are stored or drawn anew.
func TestStoredWalksGiveTheSameBatches(t *testing.T) {
	src := uniform(t, ring(t, 50), walks.Options{PerVertex: 4, Length: 20, Seed: 1})
	stored := call.Of(walks.Store(context.Background(), src, 2))(t)
	for _, order := range []string{walks.Shuffled, walks.Grouped} {
		o := walks.StreamOptions{Window: 3, Negatives: 2, Batch: 500, Order: order, Resample: true}
		a, b := newStream(t, src, 50, o), newStream(t, stored, 50, o)
		if x, y := fmt.Sprint(all(a, 3)), fmt.Sprint(all(b, 3)); x != y {
			t.Errorf("%s: stored walks give other batches", order)
		}
	}
}

// all lists every array of the batches of a pass.
func all(s *walks.Stream, pass uint64) (list [][]int32) {
	for b := range s.Pass(context.Background(), pass) {
		owners := make([]int32, len(b.Index.Owners)) // by their centres
		for i, w := range b.Index.Owners {
			owners[i] = b.Center[w]
		}
		slots := make([]int32, len(owners)) // window by window, each with its contexts first: as frozen hashes have them
		negatives, m := int32(b.Windows()*b.Slots), int32(b.Negatives)
		for i, s := range b.Index.Slots {
			w, c := b.Index.Owners[i], int32(b.Slots)
			if s < negatives {
				slots[i] = w*c*(1+m) + s - w*c
			} else {
				slots[i] = w*c*(1+m) + c + s - negatives - w*c*m
			}
		}
		for _, x := range [][]int32{
			b.Center, b.Context, b.Count, b.First, b.Last, b.Negative,
			b.Index.Start, slots, owners, b.Index.CenterStart, b.Index.Windows,
		} {
			list = append(list, slices.Clone(x))
		}
	}
	return list
}

// A window that two batches share has its whole bag and the same negatives in both.
func TestSplitWindow(t *testing.T) {
	src := uniform(t, ring(t, 20), walks.Options{PerVertex: 1, Length: 9})
	for _, order := range []string{walks.Shuffled, walks.Grouped} {
		s := newStream(t, src, 20, walks.StreamOptions{Window: 3, Negatives: 2, Batch: 4, Order: order})
		type window struct {
			contexts, negatives []int32
			bag                 uint64
			last                int32
		}
		seen := map[uint64]window{}
		split := 0
		for b := range s.Pass(context.Background(), 1) {
			for w, id := range b.ID {
				now := window{
					slices.Clone(b.Context[w*b.Slots:][:b.Slots]), slices.Clone(b.Negative[w*b.Slots*b.Negatives:][:b.Slots*b.Negatives]),
					b.Bag[w], b.Last[w],
				}
				before, again := seen[id]
				seen[id] = now
				if !again {
					continue
				}
				split++
				if b.First[w] != before.last {
					t.Errorf("%s: window %d goes on at slot %d, expected %d", order, id, b.First[w], before.last)
				}
				if !slices.Equal(now.contexts, before.contexts) || now.bag != before.bag || !slices.Equal(now.negatives, before.negatives) {
					t.Errorf("%s: window %d is %v in one batch and %v in the next", order, id, before, now)
				}
			}
		}
		if split == 0 {
			t.Errorf("%s: no window was split: nothing was tested", order)
		}
	}
}
