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
