package network

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// naiveRemoval is the loop of the published preprocessing, word for word: delete, look at the whole network at every so many
// positions, put back. Only the links left over at the end differ: they are lost if that leaves the network connected.
func naiveRemoval(vertices int, links []Link, target, every int) []fate {
	left := make(map[Link]int) // undirected edge to the number of its links
	for _, l := range links {
		left[l.ordered()]++
	}
	connected := func() bool {
		f, parts := newForest(vertices), vertices
		for l, count := range left {
			if count > 0 && f.join(l.From, l.To) {
				parts--
			}
		}
		return parts == 1
	}
	fates := make([]fate, len(links))
	var pending []int
	settle := func(good fate) bool {
		ok := connected()
		for _, i := range pending {
			if ok {
				fates[i] = good
			} else {
				left[links[i].ordered()]++
			}
		}
		pending = nil
		return ok
	}
	removed := 0
	for j, l := range links {
		left[l.ordered()]--
		pending = append(pending, j)
		if j%every == 0 {
			if count := len(pending); settle(remove) {
				removed += count
			}
			if removed >= target {
				return fates
			}
		}
	}
	settle(lose)
	return fates
}

// randomConnected returns a connected network: a random tree and further random links, self-loops among them.
func randomConnected(t *testing.T, vertices, extra int, directed bool, r *rng.Stream) *Network {
	t.Helper()
	var links []Link
	for v := 1; v < vertices; v++ {
		l := Link{int32(v), int32(r.Intn(v))}
		if r.Intn(2) == 0 {
			l = l.reversed()
		}
		links = append(links, l)
	}
	for range extra {
		links = append(links, Link{int32(r.Intn(vertices)), int32(r.Intn(vertices))})
	}
	return mustNew(t, vertices, links, directed)
}

// The fast rules must decide the fate of every link as the loop does.
func TestRemovalEqualsNaiveLoop(t *testing.T) {
	shapes := []struct{ vertices, extra int }{{1, 3}, {2, 4}, {5, 3}, {12, 4}, {12, 30}, {30, 12}, {40, 100}, {25, 400}}
	seen := make(map[fate]int)
	for _, shape := range shapes {
		for _, directed := range []bool{false, true} {
			for seed := range uint64(12) {
				r := rng.New(seed, "test-removal", uint64(shape.vertices), uint64(shape.extra))
				n := randomConnected(t, shape.vertices, shape.extra, directed, r)
				links := n.List()
				shuffle(links, r)
				for _, target := range []int{1, len(links) / 5, len(links) / 2, len(links)} {
					if target < 1 {
						continue
					}
					name := fmt.Sprintf("%+v directed=%v seed=%d target=%d", shape, directed, seed, target)
					fast := call.Of(removeBatches(context.Background(), n.Vertices(), links, one, target, checkEvery))(t)
					if want := naiveRemoval(n.Vertices(), links, target, checkEvery); !slices.Equal(fast, want) {
						t.Fatalf("ce5 %s:\n got %v\nwant %v", name, fast, want)
					}
					for _, f := range fast {
						seen[f]++
					}
					if n.Vertices() == 1 {
						continue // removeSingly keeps a vertex's last self-loop, so that the training links name it
					}
					single := removeSingly(n.Vertices(), links, one, target)
					if want := naiveRemoval(n.Vertices(), links, target, 1); !slices.Equal(single, want) {
						t.Fatalf("ce1 %s:\n got %v\nwant %v", name, single, want)
					}
					if batches, err := removeBatches(context.Background(), n.Vertices(), links, one, target, 1); err != nil || !slices.Equal(single, batches) {
						t.Fatalf("ce1 %s:\n  fast %v\nsearch %v, %v", name, single, batches, err)
					}
				}
			}
		}
	}
	for _, f := range []fate{keep, remove, lose} {
		if seen[f] == 0 {
			t.Errorf("no link had fate %d: the networks test nothing of it", f)
		}
	}
}
