package network

import (
	"cmp"
	"context"
	"slices"

	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// adjacency holds the arcs of a small or partial network, one list after the other.
type adjacency struct {
	offsets []int   // (N+1) the arcs of v are offsets[v] to offsets[v+1]
	targets []int32 // (arcs)
}

func (a *adjacency) of(v int32) []int32 { return a.targets[a.offsets[v]:a.offsets[v+1]] }

// upward returns one arc of each link of a simple network: from the end of lower degree to the other, of equal ends from the
// smaller. A list is in increasing order, and has at most √(2·links) targets, those of hubs too.
func (n *Network) upward() *adjacency {
	up := &adjacency{offsets: make([]int, 1, n.Vertices()+1), targets: make([]int32, 0, n.Links())}
	for u := range int32(n.Vertices()) {
		for _, v := range n.Out(u) {
			if du, dv := n.Degree(u), n.Degree(v); du < dv || du == dv && u < v {
				up.targets = append(up.targets, v)
			}
		}
		up.offsets = append(up.offsets, len(up.targets))
	}
	return up
}

// Ego is the network among the neighbours of one vertex, without that vertex: a link of it and the vertex are a triangle.
type Ego struct {
	Vertex int32
	place  []int32   // (N) 1 + place among the neighbours of the vertex; 0 for all others, and for all between two egos
	up     adjacency // each link once; its vertex i is the i-th neighbour
	among  adjacency // both arcs of each
}

// Common returns which of the vertex's neighbours the i-th of them is linked with: their places in Network.Out, in no order that means
// anything. The list is for the time of the call of Egos' function.
func (e *Ego) Common(i int32) []int32 { return e.among.of(i) }

// Egos calls do with the network among the neighbours of each vertex of a simple network (see Simple), on up to threads goroutines at a
// time (one if threads < 1): worker, below that number, is the one of the call. What do writes may depend on the vertex alone. It takes the
// time of listing all triangles. It returns ctx's error when that ends, before which not all calls may have been made.
//
// A block is a vertex. Hubs come first, so that none is begun when the other threads have run out of work.
func (n *Network) Egos(ctx context.Context, threads int, do func(worker int, ego *Ego)) error {
	up := n.upward()
	order := seq.Upto(int32(n.Vertices()))
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(n.Degree(b), n.Degree(a)), cmp.Compare(a, b))
	})
	egos := make([]*Ego, max(1, min(threads, len(order))))
	par.Blocks(len(egos), len(order), func(worker, block int) {
		if ctx.Err() != nil {
			return
		}
		if egos[worker] == nil {
			egos[worker] = &Ego{place: make([]int32, n.Vertices())}
		}
		egos[worker].load(n, up, order[block])
		egos[worker].mirror()
		do(worker, egos[worker])
	})
	return ctx.Err()
}

// load finds the links among the neighbours of the ego by going through the upward lists of each. Over all egos that is
// Σ deg(v)·|up(v)| = Σ over links of the lower degree of the two ends, the bound for listing each triangle once (Chiba and
// Nishizeki, SIAM J. Comput. 14 (1985) 210), so going ego by ego costs no more than listing the triangles, and nothing but
// one ego-net has to be held at a time.
func (e *Ego) load(n *Network, up *adjacency, v int32) {
	e.Vertex = v
	neighbours := n.Out(v)
	for i, v := range neighbours {
		e.place[v] = int32(i) + 1
	}
	e.up.offsets, e.up.targets = append(e.up.offsets[:0], 0), e.up.targets[:0]
	for _, v := range neighbours {
		for _, w := range up.of(v) {
			if i := e.place[w]; i > 0 {
				e.up.targets = append(e.up.targets, i-1)
			}
		}
		e.up.offsets = append(e.up.offsets, len(e.up.targets))
	}
	for _, v := range neighbours {
		e.place[v] = 0
	}
}

// mirror fills among from up.
func (e *Ego) mirror() {
	size := int32(len(e.up.offsets) - 1)
	offsets, targets := resized(e.among.offsets, int(size)+1), resized(e.among.targets, 2*len(e.up.targets))
	clear(offsets)
	for v := range size {
		for _, w := range e.up.of(v) {
			offsets[v]++
			offsets[w]++
		}
	}
	end := 0
	for v, degree := range offsets {
		end += degree
		offsets[v] = end // and goes down to the start as the list is filled
	}
	for v := range size {
		for _, w := range e.up.of(v) {
			offsets[v]--
			targets[offsets[v]] = w
			offsets[w]--
			targets[offsets[w]] = v
		}
	}
	e.among = adjacency{offsets, targets}
}

// resized returns a slice of that length whose elements may be anything, in the memory of s if it is large enough.
func resized[T any](s []T, length int) []T {
	if length > cap(s) {
		return make([]T, length, length+length/2)
	}
	return s[:length]
}
