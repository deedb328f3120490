package walks

import (
	"fmt"
	"math/bits"

	"github.com/asp2vec/asp2vec/internal/memory"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
)

// Node2Vec is the corpus of second-order random walks: a step from x, come to from t, goes to out-neighbour y with
// probability proportional to
//
//	w(x,y)/p  if y is t
//	w(x,y)    else, if there is an arc from y to t
//	w(x,y)/q  else
//
// where w is the weight of an arc. The first step is proportional to w. A small p turns back often, a small q moves away
// from t. Walks start and end as those of Uniform; with p = q = 1 on a network without weights they are Uniform's, bit for
// bit.
//
// It keeps the network and, where that has weights, 16 bytes an arc and 8 a vertex; no table for each pair of arcs. A step
// proposes neighbours by weight and rejects some, so that the distribution is exact: its expected cost is that of the
// inverse of the share accepted, and at most that of the degree of x, whatever p and q.
//
// Source: node2vec (Grover and Leskovec, KDD 2016), and its published code for the direction of the arc between y and t.
// Rejection, and the arc back apart from it, as in KnightKing (Yang et al., SOSP 2019).
// Differs: starts are not shuffled within a round, since Stream permutes walks.
type Node2Vec struct {
	rounds
	turn, near, far float64 // weights of the arcs back, to a neighbour of the previous vertex, and elsewhere
	bound           float64 // of the weights near and far
	excess          float64 // of turn over bound, or 0
	sure            float64 // no arc has less
	arcs            []choice
	total           []float64 // (N) sum of the weights of the arcs from each vertex; nil as arcs are, without weights
	first           []int64   // (N+1) where the arcs of each vertex begin
}

// MaxBias is the largest of the p and q of Node2Vec, and its inverse the smallest: far beyond any use, and such that products
// with weights are in range.
const MaxBias = 1e100

// NewNode2Vec returns the second-order walks of a network, with the return parameter p and the in-out parameter q, from
// 1/MaxBias to MaxBias. It returns an error if an option or parameter is out of range or if the network has no link to walk
// over.
func NewNode2Vec(net *network.Network, o Options, p, q float64) (*Node2Vec, error) {
	for _, bias := range []struct {
		name  string
		value float64
	}{{"p", p}, {"q", q}} {
		if !(bias.value >= 1/MaxBias && bias.value <= MaxBias) { // written so that NaN fails too
			return nil, fmt.Errorf("walks: node2vec: %s = %v: expected a number > 0, from %g to %g", bias.name, bias.value, 1/MaxBias, MaxBias)
		}
	}
	r, err := newRounds(net, o)
	if err != nil {
		return nil, err
	}
	n := &Node2Vec{rounds: r, turn: 1 / p, near: 1, far: 1 / q}
	n.bound = max(n.near, n.far)
	n.excess = max(n.turn-n.bound, 0)
	n.sure = min(n.turn, n.near, n.far)
	if net.Weighted() {
		n.tabulate()
	}
	return n, nil
}

// tabulate makes the alias tables of the weights of each vertex's arcs.
func (n *Node2Vec) tabulate() {
	n.arcs = make([]choice, n.net.Arcs())
	n.total = make([]float64, n.net.Vertices())
	n.first = make([]int64, n.net.Vertices()+1)
	var f aliasFiller
	for v := range int32(n.net.Vertices()) {
		n.first[v+1] = n.first[v] + int64(n.net.Degree(v))
		if weights := n.net.OutWeights(v); len(weights) > 0 {
			n.total[v] = f.fill(n.arcsOf(v), n.net.Out(v), func(i int) float64 { return float64(weights[i]) })
		}
	}
}

// Walk draws walk i. i is from 0 to Walks()-1; see Source.
func (n *Node2Vec) Walk(i int, buf []int32) []int32 { return one(n, i, buf) }

// draw takes each step in sweeps over the walks, as that of Uniform does. How often a step reads memory is a matter of chance,
// but mostly it is the list of the vertex where the walk is, which is asked for before; that of the previous one is at hand.
func (n *Node2Vec) draw(numbers []int, room []int32, lengths *[lanes]int) {
	var (
		streams    [lanes]rng.Stream
		before, at [lanes]int32
		next       [lanes][]int32
		walking    [lanes]int // the walks that have not ended, in the first places
	)
	length, large := n.o.Length, memory.OutgrowsCache(n.net.Arcs())
	for l, i := range numbers {
		streams[l], at[l] = n.begin(i)
		room[l*length], before[l] = at[l], -1
		walking[l], lengths[l] = l, length
	}
	count := len(numbers)
	for step := 1; step < length && count > 0; step++ {
		on := 0
		for _, l := range walking[:count] {
			if next[l] = n.net.Out(at[l]); len(next[l]) == 0 {
				lengths[l] = step
				continue
			}
			walking[on] = l
			on++
		}
		count = on
		if large {
			for _, l := range walking[:count] {
				n.prefetch(at[l], next[l])
			}
		}
		for _, l := range walking[:count] {
			before[l], at[l] = at[l], n.step(before[l], at[l], next[l], &streams[l])
			room[l*length+step] = at[l]
		}
	}
}

// prefetch asks for what a step from x reads.
func (n *Node2Vec) prefetch(x int32, next []int32) {
	few := min(len(next), 32) // the arcs of a hub are in the cache if any are
	memory.Prefetch(next[:few])
	if n.arcs != nil {
		memory.Prefetch(n.arcsOf(x)[:few])
	}
}

// step returns a neighbour of x, of which next has all, come to from t, or from nowhere if t is -1.
func (n *Node2Vec) step(t, x int32, next []int32, stream *rng.Stream) int32 {
	if t < 0 || n.sure == n.bound && n.excess == 0 { // the first step, or p = q = 1
		y, _ := n.propose(x, next, stream)
		return y
	}
	// The arc back is apart, as far as its weight is above the bound of the others: that part of it is never rejected.
	var back, all float64
	if n.excess > 0 {
		back = n.excess * n.back(x, t)
		all = back + n.bound*n.sum(x)
	}
	// Rejection is exact however often it is tried, and so is what follows when it was for as long as that takes.
	for range next {
		if back > 0 && stream.Float64()*all < back {
			return t
		}
		y, rest := n.propose(x, next, stream)
		if height := n.bound * unit(rest); height < n.sure || height < n.bias(t, y) {
			return y
		}
	}
	return n.among(t, x, next, stream)
}

// propose returns an out-neighbour of x by weight, and 64 bits that are random still.
func (n *Node2Vec) propose(x int32, next []int32, stream *rng.Stream) (int32, uint64) {
	if n.arcs == nil {
		i, rest := bits.Mul64(stream.Uint64(), uint64(len(next)))
		return next[i], rest
	}
	return draw(n.arcsOf(x), stream), stream.Uint64()
}

// bias returns what the weight of an arc to y is multiplied by, when the previous vertex was t. (The arc back has more than
// the bound if it has an excess: the caller's comparison is true for any such number.)
func (n *Node2Vec) bias(t, y int32) float64 {
	switch {
	case y == t:
		return n.turn
	case n.linked(y, t):
		return n.near
	}
	return n.far
}

// linked says whether y points to t. Where that is the same the other way round, it looks in the list of t, where the walk
// has just been, and not in that of a proposal from far away.
func (n *Node2Vec) linked(y, t int32) bool {
	if !n.net.Directed() {
		y, t = t, y
	}
	_, ok := find(n.net.Out(y), t)
	return ok
}

// find returns where v is in an increasing list. It is a binary search without a branch that depends on what it finds: the
// processor would mispredict every other one.
func find(list []int32, v int32) (at int, ok bool) {
	if len(list) == 0 {
		return 0, false
	}
	for n := len(list); n > 1; {
		half := n / 2
		above := (v - list[at+half]) >> 31 // all ones if the middle is above v: vertices are not negative
		at += half &^ int(above)
		n -= half
	}
	return at, list[at] == v
}

// among draws from all neighbours of x at once.
func (n *Node2Vec) among(t, x int32, next []int32, stream *rng.Stream) int32 {
	weights := n.net.OutWeights(x)
	weight := func(i int) float64 {
		w := n.bias(t, next[i])
		if weights != nil {
			w *= float64(weights[i])
		}
		return w
	}
	var all float64
	for i := range next {
		all += weight(i)
	}
	left := stream.Float64() * all
	for i, y := range next {
		if left -= weight(i); left < 0 {
			return y
		}
	}
	return next[len(next)-1] // by rounding
}

// back returns the weight of the arc from x to t, 0 if there is none.
func (n *Node2Vec) back(x, t int32) float64 {
	weights := n.net.OutWeights(x)
	if weights == nil && !n.net.Directed() {
		return 1 // the one that has led to x
	}
	i, ok := find(n.net.Out(x), t)
	switch {
	case !ok:
		return 0
	case weights == nil:
		return 1
	}
	return float64(weights[i])
}

// sum returns the sum of the weights of the arcs from x.
func (n *Node2Vec) sum(x int32) float64 {
	if n.total == nil {
		return float64(n.net.Degree(x))
	}
	return n.total[x]
}

// arcsOf returns the alias table of the arcs from x.
func (n *Node2Vec) arcsOf(x int32) []choice { return n.arcs[n.first[x]:n.first[x+1]] }
