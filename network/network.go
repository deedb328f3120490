package network

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/asp2vec/asp2vec/internal/digest"
)

// Link joins two vertices. In a directed network it points from From to To; in an undirected one the order is free.
type Link struct{ From, To int32 }

// reversed returns the link that points the other way.
func (l Link) reversed() Link { return Link{l.To, l.From} }

// ordered returns the link with its smaller end first, the one form of an undirected link.
func (l Link) ordered() Link { return Link{min(l.From, l.To), max(l.From, l.To)} }

// compareLinks orders links by From, then To.
func compareLinks(a, b Link) int {
	if a.From != b.From {
		return int(a.From) - int(b.From)
	}
	return int(a.To) - int(b.To)
}

// Network is a simple network of N vertices, directed or not, with optional weights, that does not change once made. Its
// adjacency lists are stored one after the other (compressed sparse rows). It is safe for use by several goroutines.
type Network struct {
	offsets  []int64   // (N+1) the arcs of v are offsets[v] to offsets[v+1]
	targets  []int32   // (arcs) sorted within a vertex
	weights  []float32 // (arcs) or nil when all are 1
	names    []string  // (N)
	index    func() map[string]int32
	loops    int
	directed bool
}

// New returns the network of the named vertices and the links among them, which are positions in names.
//
// A link given again is dropped and the first weight stays; an undirected link is the same in either order. A self-loop is
// kept, with one adjacency entry. weights is nil, or one finite number > 0 per link. New keeps none of its arguments but
// names, which must not change afterwards. It fails when a name is given twice, when a link leaves the range of names, and
// when the weights do not fit.
func New(names []string, links []Link, weights []float32, directed bool) (*Network, error) {
	if len(names) > math.MaxInt32 {
		return nil, fmt.Errorf("network: New: %d vertices: expected at most %d", len(names), math.MaxInt32)
	}
	if weights != nil && len(weights) != len(links) {
		return nil, fmt.Errorf("network: New: %d weights for %d links: expected none or one for each", len(weights), len(links))
	}
	n := int32(len(names))
	for i, l := range links {
		if l.From < 0 || l.From >= n || l.To < 0 || l.To >= n {
			return nil, fmt.Errorf("network: New: link %d is %d to %d: expected vertices from 0 to %d", i, l.From, l.To, n-1)
		}
	}
	for i, w := range weights {
		if !validWeight(w) {
			return nil, fmt.Errorf("network: New: weight %d is %v: expected a finite number > 0", i, w)
		}
	}
	index := make(map[string]int32, n)
	for v, name := range names {
		if first, twice := index[name]; twice {
			return nil, fmt.Errorf("network: New: vertices %d and %d are both named %q: expected each name once", first, v, name)
		}
		index[name] = int32(v)
	}
	net, _ := build(names, links, weights, directed)
	net.index = func() map[string]int32 { return index }
	return net, nil
}

// validWeight says whether w can be the weight of a link. It is written so that NaN fails too.
func validWeight(w float32) bool { return w > 0 && w <= math.MaxFloat32 }

// lazyIndex returns the map from names to vertices, made when it is first asked for.
func lazyIndex(names []string) func() map[string]int32 {
	return sync.OnceValue(func() map[string]int32 {
		m := make(map[string]int32, len(names))
		for v, name := range names {
			m[name] = int32(v)
		}
		return m
	})
}

// Vertices returns N, the number of vertices.
func (n *Network) Vertices() int { return len(n.names) }

// Arcs returns the number of adjacency entries: of a directed network its links, of an undirected one two per link and one
// per self-loop.
func (n *Network) Arcs() int { return len(n.targets) }

// Links returns the number of links, self-loops included; an undirected link counts once.
func (n *Network) Links() int {
	if n.directed {
		return len(n.targets)
	}
	return (len(n.targets) + n.loops) / 2
}

// SelfLoops returns the number of links from a vertex to itself.
func (n *Network) SelfLoops() int { return n.loops }

// Directed says whether links have a direction.
func (n *Network) Directed() bool { return n.directed }

// Weighted says whether some weight differs from 1.
func (n *Network) Weighted() bool { return n.weights != nil }

// Out returns the vertices that v points to, in increasing order; in an undirected network its neighbours. The caller must
// not change the slice. v is from 0 to Vertices()-1.
func (n *Network) Out(v int32) []int32 { return n.targets[n.offsets[v]:n.offsets[v+1]] }

// OutWeights returns the weights of the links to Out(v), or nil when all weights are 1. The caller must not change the slice.
func (n *Network) OutWeights(v int32) []float32 {
	if n.weights == nil {
		return nil
	}
	return n.weights[n.offsets[v]:n.offsets[v+1]]
}

// Degree returns the number of adjacency entries of v; in a directed network its out-degree. v is from 0 to Vertices()-1.
func (n *Network) Degree(v int32) int { return int(n.offsets[v+1] - n.offsets[v]) }

// Has says whether u points to v, in time logarithmic in the degree of u. Both are from 0 to Vertices()-1.
func (n *Network) Has(u, v int32) bool {
	_, ok := slices.BinarySearch(n.Out(u), v)
	return ok
}

// weight returns the weight of a link, 0 where there is none, in time logarithmic in the degree of its first end.
func (n *Network) weight(l Link) float32 {
	i, ok := slices.BinarySearch(n.Out(l.From), l.To)
	switch {
	case !ok:
		return 0
	case n.weights == nil:
		return 1
	}
	return n.OutWeights(l.From)[i]
}

// Name returns the id of v as it stood in the input. v is from 0 to Vertices()-1.
func (n *Network) Name(v int32) string { return n.names[v] }

// Names returns the ids of all vertices. The caller must not change the slice.
func (n *Network) Names() []string { return n.names }

// Index returns the vertex of that name, and whether there is one.
func (n *Network) Index(name string) (int32, bool) {
	v, ok := n.index()[name]
	return v, ok
}

// List returns every link once, in increasing order; an undirected link has its smaller vertex first.
func (n *Network) List() []Link {
	links := make([]Link, 0, n.Links())
	for u := range int32(n.Vertices()) {
		for _, v := range n.Out(u) {
			if n.directed || u <= v {
				links = append(links, Link{u, v})
			}
		}
	}
	return links
}

// listWeights returns the weights of List, or nil.
func (n *Network) listWeights() []float32 {
	if n.weights == nil {
		return nil
	}
	ws := make([]float32, 0, n.Links())
	for u := range int32(n.Vertices()) {
		w := n.OutWeights(u)
		for i, v := range n.Out(u) {
			if n.directed || u <= v {
				ws = append(ws, w[i])
			}
		}
	}
	return ws
}

// Checksum returns the SHA-256, in hexadecimal, of the direction, names, links and weights. Two networks with the same
// vertices in the same order and the same links have the same checksum.
func (n *Network) Checksum() string {
	d := digest.New()
	d.Text("network/1")
	d.Flag(n.directed)
	d.Texts(n.names)
	addLinks(d, n.List())
	d.Floats(n.listWeights())
	return d.Sum()
}

// addLinks adds a list of links to a checksum.
func addLinks(d digest.Digest, links []Link) {
	d.Uint(uint64(len(links)))
	for _, l := range links {
		d.Uint(uint64(uint32(l.From))<<32 | uint64(uint32(l.To)))
	}
}
