package walks_test

import (
	"context"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/walks"
)

// The pairs of an epoch are known without drawing walks where no walk can end early, and counted where one can: they must be
// what the walks, one by one, hold.
func TestPairsWithoutDrawingWalks(t *testing.T) {
	for name, directed := range map[string]bool{"undirected": false, "directed, with an end": true} {
		t.Run(name, func(t *testing.T) {
			net := walks.Linked(t, 5, directed, nil, 0, 1, 1, 2, 2, 3, 3, 0, 1, 4, 4, 4)
			if directed {
				net = walks.Linked(t, 5, directed, nil, 0, 1, 1, 2, 2, 3, 3, 0, 1, 4)
			}
			src := uniform(t, net, walks.Options{PerVertex: 3, Length: 9, Seed: 1})
			stored := call.Of(walks.Store(context.Background(), src, 1))(t)
			o := walks.StreamOptions{Window: 2, Negatives: 1, Batch: 10, Order: walks.Shuffled, Seed: 1}
			want := int64(len(everyPair(src, o.Window)))
			for what, s := range map[string]walks.Source{"drawn anew": src, "stored": stored} {
				if got := newStream(t, s, 5, o).Pairs(); got != want {
					t.Errorf("%s: %d pairs, expected %d", what, got, want)
				}
			}
			if full := int64(src.Walks()) * (2*(2+3) + 5*4); (want == full) == directed {
				t.Errorf("%d pairs, %d if no walk ends early: the test does not test what it says", want, full)
			}
		})
	}
}

// Walks of different lengths, over more of them than one block has, are kept as they are drawn.
func TestStoreOfUnevenWalks(t *testing.T) {
	net := walks.Linked(t, 5, true, nil, 0, 1, 1, 2, 2, 3, 3, 0, 1, 4)
	src := uniform(t, net, walks.Options{PerVertex: 4000, Length: 9, Seed: 1})
	lengths := map[int]bool{}
	for _, threads := range []int{1, 2, 16} {
		stored := call.Of(walks.Store(context.Background(), src, threads))(t)
		if stored.Walks() != src.Walks() {
			t.Fatalf("%d threads: %d walks, expected %d", threads, stored.Walks(), src.Walks())
		}
		for i := range src.Walks() {
			want := src.Walk(i, nil)
			lengths[len(want)] = true
			if got := stored.Walk(i, nil); !slices.Equal(got, want) {
				t.Fatalf("%d threads: walk %d is %v, expected %v", threads, i, got, want)
			}
		}
	}
	if len(lengths) < 2 {
		t.Errorf("lengths %v: the test does not test what it says", lengths)
	}
}
