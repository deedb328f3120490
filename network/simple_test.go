package network

import (
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

func TestSimple(t *testing.T) {
	net := call.Of(New([]string{"a", "b", "c", "d"}, []Link{{0, 1}, {1, 0}, {2, 1}, {2, 2}}, []float32{1, 2, 3, 4}, true))(t)
	s := net.Simple()
	if s.Directed() || s.Vertices() != 4 || s.SelfLoops() != 0 {
		t.Fatalf("directed %v, %d vertices, %d self-loops: expected an undirected network of 4 without", s.Directed(), s.Vertices(), s.SelfLoops())
	}
	if got, want := s.List(), []Link{{0, 1}, {1, 2}}; !slices.Equal(got, want) {
		t.Errorf("links %v: expected %v", got, want)
	}
	if w := s.OutWeights(1); w != nil {
		t.Errorf("weights %v: expected none", w)
	}
	if s.Simple() != s {
		t.Error("a simple network is copied: expected itself")
	}
}

// A pair that is linked both ways has the weight of both.
func TestUndirected(t *testing.T) {
	net := call.Of(New([]string{"a", "b", "c", "d"}, []Link{{0, 1}, {1, 0}, {2, 1}, {2, 2}}, []float32{1, 2, 3, 4}, true))(t)
	u := net.Undirected()
	if got, want := u.List(), []Link{{0, 1}, {1, 2}, {2, 2}}; u.Directed() || !slices.Equal(got, want) || !slices.Equal(u.listWeights(), []float32{3, 3, 4}) {
		t.Errorf("links %v with weights %v, directed %v", got, u.listWeights(), u.Directed())
	}
	if plain := call.Of(New([]string{"a", "b"}, []Link{{0, 1}, {1, 0}}, nil, true))(t).Undirected(); plain.Links() != 1 || plain.Weighted() {
		t.Errorf("%d links, weighted %v", plain.Links(), plain.Weighted())
	}
	if u.Undirected() != u {
		t.Error("a network without directions is copied: expected itself")
	}
}
