package main

import (
	"testing"

	"github.com/asp2vec/asp2vec/network"
)

// Links of merged vertices are those of either vertex, each labelled by whose it was.
func TestMerge(t *testing.T) {
	net, _ := network.Karate()
	m, err := merge(net, 1, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.links) < 8 || m.net.Vertices() != net.Vertices()-len(m.links) {
		t.Fatalf("%d vertices of %d, %d merged: want one fewer for each of some", m.net.Vertices(), net.Vertices(), len(m.links))
	}
	old := func(v int32) int32 {
		i, _ := net.Index(m.net.Name(v))
		return i
	}
	several := 0
	for _, l := range m.links {
		a := old(l.Vertex)
		count := [2]int{}
		for i, u := range l.Near {
			if !m.net.Has(l.Vertex, u) {
				t.Errorf("%d and %d are not linked", l.Vertex, u)
			}
			count[l.Label[i]]++
			// A neighbour that is no pair itself was one of the first vertex, or was not, as its label says.
			if pair(m, u) {
				continue
			}
			if was := net.Has(a, old(u)); was != (l.Label[i] == 0) {
				t.Errorf("link %d-%d has label %d, and the first vertex was linked: %v", l.Vertex, u, l.Label[i], was)
			}
		}
		if count[0] > 0 && count[1] > 0 {
			several++
		}
	}
	if several == 0 {
		t.Error("no vertex has links of both")
	}
	again, err := merge(net, 1, 2, 3)
	if err != nil || again.net.Checksum() != m.net.Checksum() {
		t.Errorf("another network for the same seed (%v)", err)
	}
}

func pair(m *merged, v int32) bool {
	for _, l := range m.links {
		if l.Vertex == v {
			return true
		}
	}
	return false
}
