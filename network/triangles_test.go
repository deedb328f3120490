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

// Any parting of links makes a network of its parts; a vertex without links may have one part or none.
func TestSplitVertices(t *testing.T) {
	for seed := range uint64(30) {
		n, r := randomSimple(t, seed), rng.New(seed, "test-split")
		first, parts := []int32{0}, []int32(nil)
		for v := range int32(n.Vertices()) {
			k := n.Degree(v)
			if k > 0 {
				k = 1 + r.Intn(k)
			}
			first = append(first, first[v]+int32(k))
			for _, j := range r.Perm(n.Degree(v)) { // each has a link
				if j >= k {
					j = r.Intn(k)
				}
				parts = append(parts, int32(j))
			}
		}
		p := n.SplitVertices(first, parts)
		var want []Link
		for v := range int32(n.Vertices()) {
			for i, u := range n.Out(v) {
				if back, _ := slices.BinarySearch(n.Out(u), v); v < u {
					want = append(want, Link{first[v] + parts[int(n.offsets[v])+i], first[u] + parts[int(n.offsets[u])+back]})
				}
			}
		}
		slices.SortFunc(want, compareLinks)
		if got := p.Network.List(); !slices.Equal(got, want) || p.Network.Vertices() != int(first[n.Vertices()]) {
			t.Fatalf("seed %d: links %v of %d personas, expected %v of %d", seed, got, p.Network.Vertices(), want, first[n.Vertices()])
		}
		for v := range int32(n.Vertices()) {
			for i := first[v]; i < first[v+1]; i++ {
				if p.Owner[i] != v {
					t.Errorf("seed %d: the owner of %d is %d, expected %d", seed, i, p.Owner[i], v)
				}
			}
		}
	}
}
