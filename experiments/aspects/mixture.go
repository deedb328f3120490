package aspects

import (
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/network"
)

const (
	mixtureRounds = 20
	leastShare    = 1e-3 // of a link: less of a community is none
)

// mixture has each link of a network in several communities, by shares that add up to 1 (Ball, Karrer and Newman, Physical Review E 84, 2011).
type mixture struct {
	net  *network.Network
	of   [][]share // (N) of each vertex: its communities, ascending
	size []float64 // (communities) the links of all vertices in each
	work []scratch // of each thread
}

// share is how many of a vertex's links are in a community.
type share struct {
	community int32
	links     float64
}

// scratch are numbers of each community; they are 0 between calls.
type scratch struct{ per, sum, count []float64 }

// newMixture begins with each link half in the community that either end has it in.
func newMixture(net *network.Network, of [][]int32, communities, threads int) *mixture {
	m := &mixture{net: net, of: make([][]share, len(of)), size: make([]float64, communities), work: make([]scratch, max(1, threads))}
	for w := range m.work {
		m.work[w] = scratch{make([]float64, communities), make([]float64, communities), make([]float64, communities)}
	}
	ends := make([][]int32, len(of))
	for v, own := range of {
		for i, u := range net.Out(int32(v)) {
			ends[v] = append(ends[v], own[i])
			ends[u] = append(ends[u], own[i])
		}
	}
	for v, all := range ends {
		slices.Sort(all)
		for i, c := range all {
			if i == 0 || c != all[i-1] {
				m.of[v] = append(m.of[v], share{community: c})
			}
			m.of[v][len(m.of[v])-1].links += .5
		}
	}
	m.resize()
	return m
}

func (m *mixture) resize() {
	clear(m.size)
	for _, shares := range m.of {
		for _, s := range shares {
			m.size[s.community] += s.links
		}
	}
}

// round is one of expectation and maximisation.
func (m *mixture) round() {
	next := make([][]share, len(m.of))
	par.Blocks(len(m.work), len(m.of), func(worker, v int) {
		per, sum := m.work[worker].per, m.work[worker].sum
		for _, s := range m.of[v] {
			per[s.community] = s.links / m.size[s.community]
		}
		for _, u := range m.net.Out(int32(v)) {
			if all := m.weight(per, u); all > 0 {
				for _, s := range m.of[u] {
					sum[s.community] += s.links * per[s.community] / all
				}
			}
		}
		for _, s := range m.of[v] { // others have sums of 0
			if x := sum[s.community]; x >= leastShare {
				next[v] = append(next[v], share{s.community, x})
			}
			per[s.community], sum[s.community] = 0, 0
		}
	})
	m.of = next
	m.resize()
}

// weight returns that of a link to u, by the links of a vertex in each community over this community's size.
func (m *mixture) weight(per []float64, u int32) (all float64) {
	for _, s := range m.of[u] {
		all += s.links * per[s.community]
	}
	return all
}

// best returns the community of the largest share of a link between a vertex and u, and by how much the community's other links make that link likelier than
// degrees do. It returns -1 where they share none.
func (m *mixture) best(per []float64, v, u int32) (community int32, odds float64) {
	var top share
	var most, all float64
	community = -1
	for _, s := range m.of[u] {
		x := s.links * per[s.community]
		if all += x; x > most {
			most, top, community = x, s, s.community
		}
	}
	if community < 0 {
		return community, 0
	}
	size, q := m.size[community], most/all
	odds = max(0, top.links-q) * max(0, per[community]*size-q) / size
	return community, odds * float64(m.net.Arcs()) / float64(m.net.Degree(v)) / float64(m.net.Degree(u))
}

// keep returns the community (n) of each link of a vertex, -1 for a link of none that it keeps. While there are more than most it drops the one that says least
// of its links; and, unless the vertex is plain, any whose other links do not make them twice as likely as degrees do.
func (m *mixture) keep(worker int, v int32, plain bool, most int) []int32 {
	near, w := m.net.Out(v), &m.work[worker]
	of := slices.Repeat([]int32{-1}, len(near))
	for _, s := range m.of[v] {
		w.per[s.community] = s.links / m.size[s.community]
	}
	for drop := int32(-1); ; {
		for i, u := range near {
			if of[i] != drop {
				continue
			}
			c, odds := m.best(w.per, v, u)
			if of[i] = c; c >= 0 {
				w.sum[c] += math.Log(.5 + .5*odds)
				w.count[c]++
			}
		}
		drop = -1
		kept := 0
		for _, s := range m.of[v] {
			if w.count[s.community] > 0 {
				if kept++; drop < 0 || w.sum[s.community] < w.sum[drop] {
					drop = s.community
				}
			}
		}
		if kept <= 1 || kept <= most && (plain || w.sum[drop] >= math.Ln2) {
			break
		}
		w.per[drop], w.count[drop] = 0, 0
	}
	for _, s := range m.of[v] {
		w.per[s.community], w.sum[s.community], w.count[s.community] = 0, 0, 0
	}
	return of
}
