package network

import (
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
