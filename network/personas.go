package network

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The ways to part the neighbours of a vertex.
const (
	ClusteringLabels     = "labels"     // semi-synchronous label propagation, the default of the published code
	ClusteringComponents = "components" // connected components
)

// Clusterings returns the names of the ways to part the neighbours of a vertex, the published code's default first.
func Clusterings() []string { return []string{ClusteringLabels, ClusteringComponents} }

// Personas is a network in which each vertex is split into personas, one for each group of neighbours that know one another
// without it.
type Personas struct {
	Network *Network // (R personas) simple and undirected, with as many links as the network that was split
	Owner   []int32  // (R) the vertex of each persona
	First   []int32  // (N+1) the personas of vertex v are First[v] to First[v+1]-1
}

// Personas splits the vertices of a simple network (see Simple) by ego-splitting. The neighbours of a vertex u, with the links
// among them, are parted by the clustering, one of Clusterings; each part is a persona of u. Each link {u,v} becomes a link
// between the persona of u whose part holds v and the persona of v whose part holds u. A vertex without neighbours has one
// persona. Personas are numbered by vertex, then by the smallest member of the part; the i-th of a vertex has its id, # and i
// as id, i from 0.
//
// Up to threads goroutines work at a time (one if threads < 1), and their number does not change the result. Time is that of
// listing all triangles, times the few rounds that labels take; memory is two numbers per arc, what the result takes, and per
// thread one number per vertex and the largest ego-net. It fails when the network is not simple, when the clustering is not
// known, when there would be more than 2³¹-1 personas, and with ctx's error when ctx ends.
//
// Source: Epasto, Lattanzi and Paes Leme, KDD 2017; google-research, graph_embedding/persona/persona.py. Differs: there a
// vertex without neighbours has no persona, and labels that tie are told apart by the order in which triangles were found,
// here by the numbers of the vertices.
func (n *Network) Personas(ctx context.Context, clustering string, threads int) (*Personas, error) {
	if n.directed || n.weights != nil || n.loops > 0 {
		return nil, fmt.Errorf("network: personas: directed %v, weighted %v, %d self-loops: expected none of it, as Simple returns",
			n.directed, n.Weighted(), n.loops)
	}
	if !slices.Contains(Clusterings(), clustering) {
		return nil, fmt.Errorf("network: personas: clustering = %q: expected one of %s", clustering, strings.Join(Clusterings(), ", "))
	}
	parts, counts, err := n.egoParts(ctx, clustering, threads)
	if err != nil {
		return nil, fmt.Errorf("network: personas: %w", err)
	}
	first := make([]int32, n.Vertices()+1)
	personas := 0
	for v, count := range counts {
		if personas += int(count); personas > math.MaxInt32 {
			return nil, fmt.Errorf("network: personas: more than %d: expected a smaller network", math.MaxInt32)
		}
		first[v+1] = int32(personas)
	}
	return n.SplitVertices(first, parts), nil
}

// egoParts returns, of the parts of each vertex's neighbours, the part that the target of each arc is in (arcs), numbered from
// 0 by smallest member, and how many there are (N), at least one.
func (n *Network) egoParts(ctx context.Context, clustering string, threads int) (parts, counts []int32, err error) {
	parts, counts = make([]int32, n.Arcs()), make([]int32, n.Vertices())
	splitters := make([]splitter, max(1, threads))
	err = n.Egos(ctx, threads, func(worker int, ego *Ego) {
		counts[ego.Vertex] = splitters[worker].split(ctx, ego, clustering, parts[n.offsets[ego.Vertex]:n.offsets[ego.Vertex+1]])
	})
	return parts, counts, err
}

// splitter is the memory that one thread parts ego-nets with.
type splitter struct {
	labels  propagation
	renamed []int32
}

// split writes the part of each neighbour of the ego to parts, and returns how many there are, at least one.
func (s *splitter) split(ctx context.Context, ego *Ego, clustering string, parts []int32) int32 {
	if clustering == ClusteringLabels {
		s.labels.run(ctx, &ego.among, parts)
	} else {
		f := newForest(len(parts))
		for v := range int32(len(parts)) {
			for _, w := range ego.Common(v) {
				f.join(v, w)
			}
		}
		for v := range parts {
			parts[v] = f.find(int32(v))
		}
	}
	s.renamed = resized(s.renamed, len(parts))
	for i := range s.renamed {
		s.renamed[i] = -1
	}
	count := int32(0)
	for i, label := range parts { // in increasing order of neighbours, so that the smallest member decides
		if s.renamed[label] < 0 {
			s.renamed[label] = count
			count++
		}
		parts[i] = s.renamed[label]
	}
	return max(count, 1)
}

// SplitVertices returns the network of personas of a simple network, given the first persona of each vertex (N+1) and, for each arc in the
// order of Out, to which of its vertex's personas it belongs, from 0. Each must have a link, but for a vertex without any.
//
// Its lists come out sorted without sorting: the targets of a persona belong to different vertices, and are numbered as these.
func (n *Network) SplitVertices(first, parts []int32) *Personas {
	p := &Personas{First: first, Owner: make([]int32, first[n.Vertices()])}
	names := make([]string, len(p.Owner))
	offsets := make([]int64, len(p.Owner)+1)
	for v := range int32(n.Vertices()) {
		for i := first[v]; i < first[v+1]; i++ {
			p.Owner[i] = v
			names[i] = n.names[v] + "#" + strconv.Itoa(int(i-first[v]))
		}
		for _, part := range parts[n.offsets[v]:n.offsets[v+1]] {
			offsets[first[v]+part+1]++
		}
	}
	for i := range p.Owner {
		offsets[i+1] += offsets[i]
	}
	// The arcs to u lie in the lists of its neighbours. While u goes up, back[v] goes through the list of v.
	back := slices.Clone(n.offsets)
	next := slices.Clone(offsets)
	targets := make([]int32, n.Arcs())
	for u := range int32(n.Vertices()) {
		own := parts[n.offsets[u]:n.offsets[u+1]]
		for i, v := range n.Out(u) {
			persona := first[u] + own[i]
			targets[next[persona]] = first[v] + parts[back[v]]
			next[persona]++
			back[v]++
		}
	}
	p.Network = &Network{offsets: offsets, targets: targets, names: names, index: lazyIndex(names)}
	return p
}
