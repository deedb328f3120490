package layout

import (
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/network"
)

// cliques returns as many cliques of size vertices, on a chain.
func cliques(t *testing.T, count, size int) *network.Network {
	t.Helper()
	var names []string
	var links []network.Link
	for c := range count {
		for i := range size {
			names = append(names, string(rune('a'+c))+string(rune('a'+i)))
			for j := range i {
				links = append(links, network.Link{From: int32(c*size + j), To: int32(c*size + i)})
			}
		}
		if c > 0 {
			links = append(links, network.Link{From: int32((c-1)*size + size - 1), To: int32(c * size)})
		}
	}
	n, err := network.New(names, links, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Links are shorter than other pairs are apart, no two vertices fall together, and the same seed gives the same drawing.
func TestForces(t *testing.T) {
	net := cliques(t, 3, 5)
	at, err := Forces(t.Context(), net, 1)
	if err != nil {
		t.Fatal(err)
	}
	var linked, others []float64
	for u := range net.Vertices() {
		for v := range u {
			d := math.Hypot(at[2*u]-at[2*v], at[2*u+1]-at[2*v+1])
			if net.Has(int32(u), int32(v)) {
				linked = append(linked, d)
			} else {
				others = append(others, d)
			}
		}
	}
	slices.Sort(linked)
	slices.Sort(others)
	if linked[0] < .05 || linked[len(linked)/2] > others[len(others)/2]/2 {
		t.Errorf("links of lengths %v, other distances %v", linked, others)
	}
	if again, err := Forces(t.Context(), net, 1); err != nil || !slices.Equal(again, at) {
		t.Errorf("the same seed gives another drawing, %v", err)
	}
}
