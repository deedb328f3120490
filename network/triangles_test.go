package network

import (
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// randomSimple returns a simple network with some empty vertices, hubs and many triangles: the linked vertices are near one
// another, but for those of a few hubs.
func randomSimple(t testing.TB, seed uint64) *Network {
	t.Helper()
	r := rng.New(seed, "test-personas")
	n := 2 + r.Intn(60)
	var links []Link
	for range r.Intn(5 * n) {
		u := int32(r.Intn(n))
		v := (u + 1 + int32(r.Intn(8))) % int32(n)
		if r.Intn(4) == 0 {
			v = int32(r.Intn(min(n, 3)))
		}
		links = append(links, Link{u, v})
	}
	return mustNew(t, n, links, false).Simple()
}

// Each ego-net holds the links among the neighbours, once in up and in both directions in all.
func TestEgoNets(t *testing.T) {
	for seed := range uint64(50) {
		n := randomSimple(t, seed)
		up := n.upward()
		if len(up.targets) != n.Links() {
			t.Fatalf("%d upward arcs of %d links", len(up.targets), n.Links())
		}
		e := egoNet{place: make([]int32, n.Vertices())}
		for ego := range int32(n.Vertices()) {
			e.load(n, up, ego)
			e.mirror()
			neighbours := n.Out(ego)
			links := 0
			for i, v := range neighbours {
				var want []int32
				for j, w := range neighbours {
					if n.Has(v, w) {
						want = append(want, int32(j))
					}
				}
				got := slices.Sorted(slices.Values(e.all.of(int32(i))))
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d, ego %d: neighbour %d is linked to %v: want %v", seed, ego, i, got, want)
				}
				links += len(want)
			}
			if 2*len(e.up.targets) != links {
				t.Fatalf("seed %d, ego %d: %d links upwards: want %d", seed, ego, len(e.up.targets), links/2)
			}
		}
	}
}

// A list of upward arcs is at most √(2·links) long, which is what keeps hubs cheap.
func TestUpwardIsShort(t *testing.T) {
	n := hub(t, 5000)
	up := n.upward()
	for v := range int32(n.Vertices()) {
		if l := len(up.of(v)); l*l > 2*n.Links() {
			t.Errorf("vertex %d of degree %d has %d upward arcs of %d links", v, n.Degree(v), l, n.Links())
		}
	}
}

// hub returns a network in which vertex 0 is linked to all others, and each of these to the next, but for every third: the
// neighbours of the hub are paths of three.
func hub(t testing.TB, degree int) *Network {
	t.Helper()
	var links []Link
	for v := 1; v <= degree; v++ {
		links = append(links, Link{0, int32(v)})
		if v%3 != 0 && v < degree {
			links = append(links, Link{int32(v), int32(v + 1)})
		}
	}
	return mustNew(t, degree+1, links, false)
}
