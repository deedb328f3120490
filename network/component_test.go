package network

import (
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// Vertices are apart from the first ones where no path of links joins them, whatever their directions.
func TestApart(t *testing.T) {
	for _, directed := range []bool{false, true} {
		n := call.Of(New([]string{"a", "b", "c", "d", "e", "f"}, []Link{{0, 1}, {2, 1}, {4, 5}, {3, 2}}, nil, directed))(t)
		for first, want := range map[int]int{2: 2, 5: 0, 4: 2, 0: 6, 6: 0} {
			if got := n.Apart(first); got != want {
				t.Errorf("directed %v: %d vertices apart from the first %d, expected %d", directed, got, first, want)
			}
		}
	}
}
