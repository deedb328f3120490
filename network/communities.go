package network

import (
	"context"
	"slices"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// Communities returns the community (N) of each vertex, numbered from 0 by size, the largest first, and of one size by their
// first vertex. They are those of Louvain's method at a resolution in percent, 100 in most uses, which takes links for undirected and without weights; the same
// seed gives the same. The higher the resolution, the smaller they are. Those to begin with (N), from 0, only merge; nil is each vertex on its own.
// It returns ctx's error when that ends.
//
// Source: Blondel et al., Journal of Statistical Mechanics, 2008; Reichardt and Bornholdt, Physical Review E 74, 2006, of the resolution.
func (n *Network) Communities(ctx context.Context, percent int64, begin []int32, seed uint64) ([]int32, error) {
	r := rng.New(seed, "communities")
	m := modulesOf(n.Simple())
	of := seq.Upto(int32(n.Vertices())) // the module of each vertex
	if len(begin) > 0 {
		of = slices.Clone(begin)
		m = m.merged(of, int(slices.Max(of))+1)
	}
	for {
		community, err := m.move(ctx, r, percent)
		if err != nil {
			return nil, err
		}
		count := int32(0)
		place := make([]int32, len(community))
		for i := range place {
			place[i] = -1
		}
		for i, c := range community {
			if place[c] < 0 {
				place[c], count = count, count+1
			}
			community[i] = place[c]
		}
		if int(count) == len(community) {
			return bySize(of), nil
		}
		for v, i := range of {
			of[v] = community[i]
		}
		m = m.merged(community, int(count))
	}
}

// modules are groups of vertices with the links among them. Numbers are whole, so that nothing is rounded.
type modules struct {
	first  []int   // (n+1) the neighbours of module i are first[i] to first[i+1]-1 of to
	to     []int32 // other modules
	links  []int64 // with each of these
	degree []int64 // (n) ends of links, of those within too
	ends   int64   // of all links
}

func modulesOf(net *Network) *modules {
	m := &modules{first: make([]int, 1, net.Vertices()+1)}
	for v := range int32(net.Vertices()) {
		m.to = append(m.to, net.Out(v)...)
		m.first = append(m.first, len(m.to))
		m.degree = append(m.degree, int64(net.Degree(v)))
	}
	m.links, m.ends = slices.Repeat([]int64{1}, len(m.to)), int64(len(m.to))
	return m
}

// move puts modules one by one, in a random order, into that community of their neighbours which adds most to the modularity, until none moves,
// and returns the community of each.
func (m *modules) move(ctx context.Context, r *rng.Stream, percent int64) ([]int32, error) {
	n := len(m.degree)
	community, total := seq.Upto(int32(n)), slices.Clone(m.degree)
	with := make([]int64, n) // links of the module at hand with each community
	var near []int32         // communities with such links
	order := r.Perm(n)
	fresh := make([]bool, n) // a neighbour has moved since: only these are looked at, until none of them moves, and then all
	for all := true; ; {
		moved := false
		for at, i := range order {
			if at%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if !all && !fresh[i] {
				continue
			}
			old := community[i]
			fresh[i] = false
			near = append(near[:0], old)
			for at := m.first[i]; at < m.first[i+1]; at++ {
				c := community[m.to[at]]
				if with[c] == 0 && c != old {
					near = append(near, c)
				}
				with[c] += m.links[at]
			}
			total[old] -= m.degree[i]
			gain := func(c int32) int64 { return with[c]*m.ends*100 - total[c]*m.degree[i]*percent }
			best := old
			for _, c := range near[1:] {
				if g, most := gain(c), gain(best); g > most || g == most && best != old && c < best {
					best = c
				}
			}
			total[best] += m.degree[i]
			if best != old {
				community[i], moved = best, true
				for at := m.first[i]; at < m.first[i+1]; at++ {
					fresh[m.to[at]] = true
				}
			}
			for _, c := range near {
				with[c] = 0
			}
		}
		if all && !moved {
			return community, nil
		}
		all = !moved
	}
}

// merged returns the modules that communities, numbered below n, make.
func (m *modules) merged(community []int32, n int) *modules {
	out := &modules{first: make([]int, 1, n+1), degree: make([]int64, n), ends: m.ends}
	members := make([][]int32, n)
	for i, c := range community {
		members[c] = append(members[c], int32(i))
		out.degree[c] += m.degree[i]
	}
	with := make([]int64, n)
	for c, list := range members {
		begin := len(out.to)
		for _, i := range list {
			for at := m.first[i]; at < m.first[i+1]; at++ {
				other := community[m.to[at]]
				if other == int32(c) {
					continue
				}
				if with[other] == 0 {
					out.to = append(out.to, other)
				}
				with[other] += m.links[at]
			}
		}
		for _, other := range out.to[begin:] {
			out.links = append(out.links, with[other])
			with[other] = 0
		}
		out.first = append(out.first, len(out.to))
	}
	return out
}

// bySize numbers groups by their sizes, the largest first, and those of one size by their first member.
func bySize(of []int32) []int32 {
	var count, order []int32
	for _, c := range of {
		for int(c) >= len(count) {
			count, order = append(count, 0), append(order, int32(len(order)))
		}
		count[c]++
	}
	first := make([]int, len(count))
	for v, c := range slices.Backward(of) {
		first[c] = v
	}
	slices.SortFunc(order, func(a, b int32) int {
		if count[a] != count[b] {
			return int(count[b] - count[a])
		}
		return first[a] - first[b]
	})
	place := make([]int32, len(count))
	for i, c := range order {
		place[c] = int32(i)
	}
	return seq.Map(of, func(c int32) int32 { return place[c] })
}
