package graphs

import (
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
)

// What the aspects of a vertex begin as after the warm-up.
const (
	StartAlike     = "alike"     // all as the vector of the warm-up, as in the authors' code
	StartNeighbors = "neighbors" // drawn towards groups of the vertex's neighbours; see startByNeighbors
)

const (
	startPull   = 0.5 // how far an aspect is drawn from the vertex's own vector towards its group of neighbours, of 1
	startSweeps = 10  // over the vertices, to make both ends of a link count it to the same aspect; few change after three
	startBlock  = 16  // vertices that a thread takes at a time

	startCollect = 256 // blocks after which the memory of k-means is given back, which would add up to as much as the model takes
)

// startByNeighbors draws the aspects of each vertex apart. The neighbours of a vertex, in the undirected network, are grouped by k-means
// of the directions of their vectors in u (N,D), into as many groups as there are aspects, but at most half as many as neighbours. Each group
// gets an aspect, which is moved half of the way from the vertex's own vector to one as long in the direction of the group's mean. Aspects
// without a group stay as they are.
//
// A window is trained in one aspect of all its contexts, so that aspect k of a vertex and of its neighbours should be about the same links.
// Vertices therefore take turns in giving each of their groups the aspect to which most of the other ends count the links to it.
//
// The result depends on u, the network and the seed alone. It takes time in proportion to links and dimensions, and cannot be stopped halfway.
func (m *SkipGram) startByNeighbors(net *network.Network, u []float32, threads int) {
	net = net.Simple()
	d, k := m.o.Dim, m.o.Aspects
	unit := eval.Embedding{N: net.Vertices(), D: d, Data: eval.UnitRows(eval.Embedding{N: net.Vertices(), D: d, Data: u})}
	group := neighborGroups(net, unit, k, m.o.Seed, threads)
	aspectOf := alignGroups(net, group, k)
	means := make([]float64, k*d)
	for v := range m.Q.Rows {
		clear(means)
		for i, w := range net.Out(int32(v)) {
			for j, x := range unit.Row(int(w)) {
				means[int(group[v][i])*d+j] += float64(x)
			}
		}
		own, row := u[v*d:(v+1)*d], m.Q.Row(v)
		length := norm(own)
		for g, aspect := range aspectOf[v] {
			mean := means[g*d:][:d]
			of := norm(mean)
			if of == 0 {
				continue
			}
			q := row[int(aspect)*d:][:d]
			for i := range q {
				q[i] = float32((1-startPull)*float64(own[i]) + startPull*length/of*mean[i])
			}
		}
	}
}

// groupsOf is into how many groups so many neighbours are grouped, for k aspects.
func groupsOf(neighbors, k int) int {
	if neighbors == 0 {
		return 0
	}
	return min(k, max(neighbors/2, 1))
}

// neighborGroups returns the group of each neighbour of each vertex, in the order of Network.Out. unit (N,D) are the vectors at length 1, which
// must be finite.
func neighborGroups(net *network.Network, unit eval.Embedding, k int, seed uint64, threads int) [][]int32 {
	key := rng.NewKey(seed, "aspect-start")
	n := net.Vertices()
	group := make([][]int32, n)
	near := make([][]float32, max(threads, 1)) // vectors of the neighbours of one vertex
	par.Blocks(threads, (n+startBlock-1)/startBlock, func(worker, block int) {
		if block%startCollect == 0 {
			runtime.GC()
		}
		for v := block * startBlock; v < min((block+1)*startBlock, n); v++ {
			x := near[worker][:0]
			for _, w := range net.Out(int32(v)) {
				x = append(x, unit.Row(int(w))...)
			}
			near[worker] = x
			degree := net.Degree(int32(v))
			if group[v] = make([]int32, degree); groupsOf(degree, k) < 2 {
				continue // all are in the one group
			}
			of, _, err := eval.KMeans(context.Background(), eval.Embedding{N: degree, D: unit.D, Data: x}, groupsOf(degree, k), uint64(key.With(uint64(v))), 1)
			if err == nil {
				group[v] = of
			} // else vectors are not finite, which training refuses
		}
	})
	return group
}

// alignGroups returns an aspect, from 0 to k-1, for each group of each vertex, so that both ends of a link mostly count it to the same.
// Vertices choose in the order of their degrees, those with the most links first; at first only neighbours that have chosen have a say.
func alignGroups(net *network.Network, group [][]int32, k int) [][]int32 {
	order := make([]int32, len(group))
	for v := range order {
		order[v] = int32(v)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return net.Degree(b) - net.Degree(a) })
	aspectOf := make([][]int32, len(group))
	votes := make([]int, k*k)
	for range startSweeps {
		for _, v := range order {
			n := groupsOf(net.Degree(v), k)
			if n == 0 {
				continue
			}
			clear(votes)
			for i, w := range net.Out(v) {
				if aspectOf[w] != nil {
					at, _ := slices.BinarySearch(net.Out(w), v)
					votes[int(group[v][i])*k+int(aspectOf[w][group[w][at]])]++
				}
			}
			if aspectOf[v] == nil {
				aspectOf[v] = make([]int32, n)
			}
			elect(aspectOf[v], votes[:n*k])
		}
	}
	return aspectOf
}

// elect gives each group the aspect with the most of its votes (groups, K) that no other group has: the group with the most votes for one chooses
// first. Ties go to the smaller group and aspect. The votes are spent.
func elect(aspectOf []int32, votes []int) {
	const spent = -1
	k := len(votes) / len(aspectOf)
	for range aspectOf {
		most := 0
		for i, n := range votes {
			if n > votes[most] {
				most = i
			}
		}
		group, aspect := most/k, most%k
		aspectOf[group] = int32(aspect)
		for s := range k {
			votes[group*k+s] = spent
		}
		for c := range aspectOf {
			votes[c*k+aspect] = spent
		}
	}
}

// norm returns the length of a vector.
func norm[T float32 | float64](x []T) float64 {
	var sum float64
	for _, y := range x {
		sum += float64(y) * float64(y)
	}
	return math.Sqrt(sum)
}
