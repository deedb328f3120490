package walks

import (
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// Walks have their vertex in the middle, go along links in their direction, and are the same each time.
func TestAround(t *testing.T) {
	links := []network.Link{{From: 0, To: 1}, {From: 1, To: 2}, {From: 2, To: 0}, {From: 3, To: 1}, {From: 2, To: 4}}
	for _, directed := range []bool{false, true} {
		net := call.Of(network.New([]string{"a", "b", "c", "d", "e"}, links, nil, directed))(t)
		a := call.Of(NewAround(net, []int32{1, 3}, Options{PerVertex: 200, Length: 2, Seed: 5}))(t)
		if a.Walks() != 400 || a.MaxLength() != 5 {
			t.Errorf("%d walks of %d: expected 400 of 5", a.Walks(), a.MaxLength())
		}
		seen := map[int32]bool{}
		for i := range a.Walks() {
			walk := slices.Clone(a.Walk(i, nil))
			if !slices.Equal(walk, a.Walk(i, make([]int32, 9))) {
				t.Fatalf("walk %d is another each time", i)
			}
			for j := range walk[1:] {
				if !net.Has(walk[j], walk[j+1]) {
					t.Fatalf("walk %v goes from %d to %d, where there is no link", walk, walk[j], walk[j+1])
				}
			}
			v := int32(1 + 2*(i%2))
			if !directed && (len(walk) != 5 || walk[2] != v) || directed && v == 3 && (walk[0] != 3 || len(walk) != 3) || !slices.Contains(walk, v) {
				t.Fatalf("walk %v around %d", walk, v)
			}
			for _, u := range walk {
				seen[u] = true
			}
		}
		if len(seen) != 5 {
			t.Errorf("the walks meet %d vertices: expected 5", len(seen))
		}
	}
}
