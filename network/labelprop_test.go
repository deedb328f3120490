package network

import (
	"context"
	"slices"
	"testing"
)

// propagated returns the labels of a network, which is the ego-net of one more vertex that is linked to all of it.
func propagated(t *testing.T, vertices int, links []Link) []int32 {
	t.Helper()
	for v := range int32(vertices) {
		links = append(links[:len(links):len(links)], Link{v, int32(vertices)})
	}
	n := mustNew(t, vertices+1, links, false)
	e := Ego{place: make([]int32, n.Vertices())}
	e.load(n, n.upward(), int32(vertices))
	e.mirror()
	labels := make([]int32, vertices)
	var p propagation
	p.run(context.Background(), &e.among, labels)
	return labels
}

// clique appends the links among the vertices first to end-1.
func clique(links []Link, first, end int32) []Link {
	for u := first; u < end; u++ {
		for v := u + 1; v < end; v++ {
			links = append(links, Link{u, v})
		}
	}
	return links
}

func TestPropagation(t *testing.T) {
	tests := []struct {
		name     string
		vertices int
		links    []Link
		want     []int32
	}{
		{"nothing", 0, nil, []int32{}},
		{"no links", 3, nil, []int32{0, 1, 2}},
		// Vertex 0 has the first colour; it takes the label of 1, and 1 then finds its own.
		{"pair", 2, []Link{{0, 1}}, []int32{1, 1}},
		// The centre of the star, 1, is coloured first and takes the largest label; its leaves follow.
		{"star", 4, []Link{{1, 0}, {1, 2}, {1, 3}}, []int32{3, 3, 3, 3}},
		// 1 and 3 have the first colour and take 2 and 4, the larger labels; then 0 follows 1, and 2 and 4 keep theirs.
		{"path", 5, []Link{{0, 1}, {1, 2}, {2, 3}, {3, 4}}, []int32{2, 2, 2, 4, 4}},
		{"clique", 5, clique(nil, 0, 5), []int32{4, 4, 4, 4, 4}},
		{"two cliques and a link", 10, append(clique(clique(nil, 0, 5), 5, 10), Link{4, 5}), nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := propagated(t, test.vertices, test.links)
			if test.want != nil && !slices.Equal(got, test.want) {
				t.Errorf("labels %v: expected %v", got, test.want)
			}
			if test.want == nil && (got[0] == got[9] || len(slices.Compact(slices.Clone(got))) != 2 || got[4] != got[0]) {
				t.Errorf("labels %v: expected one for each clique", got)
			}
		})
	}
}
