package layout

import (
	"cmp"
	"slices"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/community"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/simple"
)

// Communities returns the community (N) of each vertex, numbered from 0 by size, the largest first, and of one size by their
// first vertex. They are those of Louvain's method at resolution 1, which takes links for undirected and without weights; the same
// seed gives the same.
//
// Source: Blondel et al., Journal of Statistical Mechanics, 2008.
func Communities(net *network.Network, seed uint64) []int32 {
	found := community.Modularize(undirected{net.Simple()}, 1, rng.New(seed, "communities")).Communities()
	for _, c := range found {
		slices.SortFunc(c, func(a, b graph.Node) int { return cmp.Compare(a.ID(), b.ID()) })
	}
	slices.SortFunc(found, func(a, b []graph.Node) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0].ID(), b[0].ID()))
	})
	out := make([]int32, net.Vertices())
	for i, c := range found {
		for _, v := range c {
			out[v.ID()] = int32(i)
		}
	}
	return out
}

// undirected shows a simple network to gonum, whose own graphs list their nodes in another order each time.
type undirected struct{ net *network.Network }

var _ graph.Undirected = undirected{}

func vertex(v int) graph.Node { return simple.Node(v) }

func (u undirected) Node(id int64) graph.Node {
	if id < 0 || id >= int64(u.net.Vertices()) {
		return nil
	}
	return simple.Node(id)
}

func (u undirected) Nodes() graph.Nodes {
	return iterator.NewImplicitNodes(0, u.net.Vertices(), vertex)
}

func (u undirected) From(id int64) graph.Nodes {
	out := u.net.Out(int32(id))
	nodes := make([]graph.Node, len(out))
	for i, v := range out {
		nodes[i] = simple.Node(v)
	}
	return iterator.NewOrderedNodes(nodes)
}

func (u undirected) HasEdgeBetween(a, b int64) bool { return u.net.Has(int32(a), int32(b)) }

func (u undirected) Edge(a, b int64) graph.Edge {
	if !u.HasEdgeBetween(a, b) {
		return nil
	}
	return simple.Edge{F: simple.Node(a), T: simple.Node(b)}
}

func (u undirected) EdgeBetween(a, b int64) graph.Edge { return u.Edge(a, b) }
