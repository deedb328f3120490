package network

import (
	"slices"
	"strconv"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

func mustNew(t testing.TB, vertices int, links []Link, directed bool) *Network {
	t.Helper()
	return call.Of(New(numbered(vertices), links, nil, directed))(t)
}

// numbered returns the names "0", "1", ...
func numbered(n int) []string {
	names := make([]string, n)
	for v := range names {
		names[v] = strconv.Itoa(v)
	}
	return names
}

func TestNewAdjacency(t *testing.T) {
	// 0-1 twice and once reversed, 1-2, a self-loop at 2 twice, 3 without links.
	links := []Link{{1, 0}, {0, 1}, {2, 1}, {0, 1}, {2, 2}, {2, 2}}
	tests := []struct {
		name     string
		directed bool
		out      [][]int32
		links    int
		list     []Link
	}{
		{"undirected", false, [][]int32{{1}, {0, 2}, {1, 2}, {}}, 3, []Link{{0, 1}, {1, 2}, {2, 2}}},
		{"directed", true, [][]int32{{1}, {0}, {1, 2}, {}}, 4, []Link{{0, 1}, {1, 0}, {2, 1}, {2, 2}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			n := mustNew(t, 4, links, test.directed)
			arcs := 0
			for v, want := range test.out {
				if got := n.Out(int32(v)); !slices.Equal(got, want) || n.Degree(int32(v)) != len(want) {
					t.Errorf("Out(%d) = %v: expected %v", v, got, want)
				}
				arcs += len(want)
			}
			if n.Links() != test.links || n.Arcs() != arcs || n.SelfLoops() != 1 || n.Directed() != test.directed || n.Weighted() {
				t.Errorf("%d links, %d arcs, %d loops: expected %d, %d, 1", n.Links(), n.Arcs(), n.SelfLoops(), test.links, arcs)
			}
			if got := n.List(); !slices.Equal(got, test.list) {
				t.Errorf("List() = %v: expected %v", got, test.list)
			}
			for u := range int32(4) {
				for v := range int32(4) {
					if got, want := n.Has(u, v), slices.Contains(test.out[u], v); got != want {
						t.Errorf("Has(%d,%d) = %v: expected %v", u, v, got, want)
					}
				}
			}
		})
	}
}

func TestNewKeepsFirstWeight(t *testing.T) {
	links := []Link{{0, 2}, {1, 0}, {2, 0}, {0, 1}, {1, 1}}
	n := call.Of(New(numbered(3), links, []float32{5, 2, 7, 3, 4}, false))(t)
	want := [][]float32{{2, 5}, {2, 4}, {5}}
	for v, w := range want {
		if got := n.OutWeights(int32(v)); !slices.Equal(got, w) {
			t.Errorf("OutWeights(%d) = %v: expected %v", v, got, w)
		}
	}
	if n, err := New(numbered(2), links[3:4], []float32{1}, false); err != nil || n.Weighted() || n.OutWeights(0) != nil {
		t.Errorf("weights that are all 1: Weighted() = %v, error %v: expected none", n.Weighted(), err)
	}
}

func TestLargestComponent(t *testing.T) {
	// 1-4 and 2-3-6 (with a loop at 6), 0-7-5: the two large ones are equal, that of vertex 0 wins.
	links := []Link{{1, 4}, {3, 2}, {6, 3}, {6, 6}, {7, 0}, {5, 7}}
	for _, directed := range []bool{false, true} {
		n := mustNew(t, 8, links, directed)
		c := n.LargestComponent()
		if got := c.Names(); !slices.Equal(got, []string{"0", "5", "7"}) {
			t.Errorf("directed %v: vertices %v: expected 0 5 7", directed, got)
		}
		want := []Link{{0, 2}, {1, 2}}
		if directed {
			want = []Link{{1, 2}, {2, 0}}
		}
		if got := c.List(); !slices.Equal(got, want) || c.Directed() != directed {
			t.Errorf("directed %v: links %v: expected %v", directed, got, want)
		}
		if v, ok := c.Index("7"); v != 2 || !ok {
			t.Errorf("Index(7) = %d, %v: expected 2", v, ok)
		}
		if c.LargestComponent() != c {
			t.Error("a connected network is copied")
		}
	}
	w := call.Of(New(numbered(4), []Link{{2, 3}, {3, 3}}, []float32{1, 2}, false))(t)
	c := w.LargestComponent()
	if c.Vertices() != 2 || c.SelfLoops() != 1 || !slices.Equal(c.OutWeights(1), []float32{1, 2}) {
		t.Errorf("%d vertices, %d loops, weights %v: expected 2, 1, [1 2]", c.Vertices(), c.SelfLoops(), c.OutWeights(1))
	}
	empty := mustNew(t, 0, nil, false)
	if empty.LargestComponent().Vertices() != 0 {
		t.Error("the largest component of nothing is not nothing")
	}
}

func TestStats(t *testing.T) {
	// 0<->1, 0->2, 2->2, 3 alone.
	links := []Link{{0, 1}, {1, 0}, {0, 2}, {2, 2}}
	want := Stats{Vertices: 4, Links: 4, SelfLoops: 1, Components: 2, MeanDegree: 1, MaxDegree: 2, Reciprocity: 2.0 / 3}
	if got := mustNew(t, 4, links, true).Stats(); got != want {
		t.Errorf("directed:\n got %+v\nwant %+v", got, want)
	}
	want = Stats{Vertices: 4, Links: 3, SelfLoops: 1, Components: 2, MeanDegree: 5.0 / 4, MaxDegree: 2, Reciprocity: 1}
	if got := mustNew(t, 4, links, false).Stats(); got != want {
		t.Errorf("undirected:\n got %+v\nwant %+v", got, want)
	}
	if got := mustNew(t, 0, nil, true).Stats(); got != (Stats{}) {
		t.Errorf("empty: got %+v", got)
	}
}

func TestChecksum(t *testing.T) {
	base := mustNew(t, 3, []Link{{0, 1}, {1, 2}}, false)
	same := mustNew(t, 3, []Link{{2, 1}, {1, 0}, {0, 1}}, false)
	if base.Checksum() != same.Checksum() {
		t.Error("the order of links changes the checksum")
	}
	weighted := call.Of(New(numbered(3), []Link{{0, 1}, {1, 2}}, []float32{1, 2}, false))(t)
	renamed := call.Of(New([]string{"0", "1", "3"}, []Link{{0, 1}, {1, 2}}, nil, false))(t)
	others := map[string]*Network{
		"a link more": mustNew(t, 3, []Link{{0, 1}, {1, 2}, {0, 2}}, false), "a vertex more": mustNew(t, 4, []Link{{0, 1}, {1, 2}}, false),
		"direction": mustNew(t, 3, []Link{{0, 1}, {1, 2}}, true), "weights": weighted, "a name": renamed,
	}
	for what, n := range others {
		if n.Checksum() == base.Checksum() {
			t.Errorf("%s does not change the checksum", what)
		}
	}
}
