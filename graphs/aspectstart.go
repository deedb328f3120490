package graphs

import (
	"context"
	"math"
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
	groups := neighborGroups(net, u, m.o, threads)
	aspectOf := alignGroups(net, groups, m.o.Aspects)
	d := m.o.Dim
	for v := range m.Q.Rows {
		own, row := u[v*d:(v+1)*d], m.Q.Row(v)
		length := norm(own)
		for g, mean := range groups[v].means {
			of := norm(mean)
			if of == 0 {
				continue
			}
			q := row[int(aspectOf[v][g])*d:][:d]
			for i := range q {
				q[i] = float32((1-startPull)*float64(own[i]) + startPull*length/of*mean[i])
			}
		}
	}
}

// grouping is how the neighbours of a vertex are grouped.
type grouping struct {
	of    []int32     // (degree) the group of each neighbour, in the order of Network.Out
	means [][]float64 // (groups, D)
}

// neighborGroups groups the neighbours of each vertex.
func neighborGroups(net *network.Network, u []float32, o Options, threads int) []grouping {
	n, d := net.Vertices(), o.Dim
	unit := make([]float32, len(u))
	for v := range n {
		if length := norm(u[v*d : (v+1)*d]); length > 0 {
			for i, x := range u[v*d : (v+1)*d] {
				unit[v*d+i] = float32(float64(x) / length)
			}
		}
	}
	key := rng.NewKey(o.Seed, "aspect-start")
	groups := make([]grouping, n)
	par.Blocks(threads, (n+startBlock-1)/startBlock, func(_, block int) {
		for v := block * startBlock; v < min((block+1)*startBlock, n); v++ {
			near := net.Out(int32(v))
			k := min(o.Aspects, max(len(near)/2, 1))
			if len(near) == 0 {
				continue
			}
			e := eval.Embedding{N: len(near), D: d}
			for _, w := range near {
				e.Data = append(e.Data, unit[int(w)*d:][:d]...)
			}
			of, _, err := eval.KMeans(context.Background(), e, k, uint64(key.With(uint64(v))), 1)
			if err != nil {
				continue // vectors that are not finite, which training refuses
			}
			g := grouping{of, make([][]float64, k)}
			for c := range g.means {
				g.means[c] = make([]float64, d)
			}
			for i, c := range of {
				for j, x := range e.Row(i) {
					g.means[c][j] += float64(x)
				}
			}
			groups[v] = g
		}
	})
	return groups
}

// alignGroups returns an aspect, from 0 to k-1, for each group of each vertex, so that both ends of a link mostly count it to the same.
// Vertices choose in the order of their degrees, those with the most links first; at first only neighbours that have chosen have a say.
func alignGroups(net *network.Network, groups []grouping, k int) [][]int32 {
	order := make([]int32, len(groups))
	for v := range order {
		order[v] = int32(v)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return net.Degree(b) - net.Degree(a) })
	aspectOf := make([][]int32, len(groups))
	for range startSweeps {
		for _, v := range order {
			votes := make([][]int, len(groups[v].means))
			for c := range votes {
				votes[c] = make([]int, k)
			}
			for i, w := range net.Out(v) {
				if aspectOf[w] != nil {
					at, _ := slices.BinarySearch(net.Out(w), v)
					votes[groups[v].of[i]][aspectOf[w][groups[w].of[at]]]++
				}
			}
			if len(votes) > 0 {
				aspectOf[v] = elect(votes)
			}
		}
	}
	return aspectOf
}

// elect gives each group the aspect with the most votes that no other group has: the group with the most votes for one chooses first. Ties go to
// the smaller group and aspect.
func elect(votes [][]int) []int32 {
	aspectOf, given, taken := make([]int32, len(votes)), make([]bool, len(votes)), make([]bool, len(votes[0]))
	for range votes {
		group, aspect, most := -1, -1, -1
		for c := range votes {
			if given[c] {
				continue
			}
			for s, n := range votes[c] {
				if !taken[s] && n > most {
					group, aspect, most = c, s, n
				}
			}
		}
		given[group], taken[aspect], aspectOf[group] = true, true, int32(aspect)
	}
	return aspectOf
}

// norm returns the length of a vector.
func norm[T float32 | float64](x []T) float64 {
	var sum float64
	for _, y := range x {
		sum += float64(y) * float64(y)
	}
	return math.Sqrt(sum)
}
