package eval

import (
	"context"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/network"
)

// topology is what scores of a network read: who is linked with whom, without self-loops and weights. A directed network counts as if each arc
// were a link, but that in and out have its arcs.
type topology struct {
	n        int
	offsets  []int32 // (N+1) the neighbours of v are targets[offsets[v]:offsets[v+1]], sorted
	targets  []int32
	degree   []float64 // (N)
	weights  []hop     // (N)
	ones     []float32 // as many as the largest degree
	directed bool
	sides    [2][][]int32 // of a directed network: the targets of each vertex, and its sources
}

// hop is what a path through a vertex of degree k weighs: 1/log k, 1/k and 1/√k.
type hop struct{ log, share, root float64 }

// The sides of a vertex in a directed network.
const (
	outSide = iota
	inSide
)

func newTopology(n int, links []network.Link, directed bool) *topology {
	t := &topology{n: n, directed: directed, offsets: make([]int32, n+1), degree: make([]float64, n), weights: make([]hop, n)}
	near := make([][]int32, n)
	if directed {
		t.sides = [2][][]int32{make([][]int32, n), make([][]int32, n)}
	}
	for _, l := range links {
		if l.From == l.To {
			continue
		}
		near[l.From], near[l.To] = append(near[l.From], l.To), append(near[l.To], l.From)
		if directed {
			t.sides[outSide][l.From] = append(t.sides[outSide][l.From], l.To)
			t.sides[inSide][l.To] = append(t.sides[inSide][l.To], l.From)
		}
	}
	most := 0
	for v, list := range near {
		slices.Sort(list)
		list = slices.Compact(list) // both arcs of a pair are one link
		t.targets = append(t.targets, list...)
		t.offsets[v+1] = int32(len(t.targets))
		k := float64(len(list))
		if t.degree[v] = k; k > 0 {
			t.weights[v] = hop{1 / math.Log(max(k, 2)), 1 / k, 1 / math.Sqrt(k)} // of one link only for a vertex and itself
		}
		most = max(most, len(list))
	}
	for _, side := range t.sides {
		for _, list := range side {
			slices.Sort(list)
		}
	}
	t.ones = slices.Repeat([]float32{1}, most)
	return t
}

// out and in return the arcs from and to a vertex; of an undirected network both are its degree.
func (t *topology) out(v int32) float64 { return t.side(outSide, v) }
func (t *topology) in(v int32) float64  { return t.side(inSide, v) }

func (t *topology) side(side int, v int32) float64 {
	if !t.directed {
		return t.degree[v]
	}
	return float64(len(t.sides[side][v]))
}

func (t *topology) near(v int32) []int32 { return t.targets[t.offsets[v]:t.offsets[v+1]] }

// sourceBlock is how many sources are followed at a time: their numbers for one vertex are two lines of cache.
const sourceBlock = 32

// surround has what one worker knows of the surroundings of some sources.
type surround struct {
	t *topology

	// Of one source: sums over its common neighbours w with a vertex of 1, 1/log k_w and 1/k_w, and Σ_w 1/√k_w of the neighbours w that a vertex
	// shares with it, for paths of three.
	common, logs, shares, roots []float64
	triads                      [][4]float64 // of a directed network, by the directions of source-w and w-vertex: out out, out in, in out, in in
	touched                     []int32
	source                      int32
	third                       []float64 // sums over paths of three; zeros between calls

	walk, next []float32 // (N,sourceBlock) probabilities that a walk from a vertex ends at a source
}

func (t *topology) surround() *surround {
	s := &surround{
		t: t, common: make([]float64, t.n), logs: make([]float64, t.n), shares: make([]float64, t.n), roots: make([]float64, t.n),
	}
	if t.directed {
		s.triads = make([][4]float64, t.n)
	}
	return s
}

// around finds what lies two steps from a source.
func (s *surround) around(u int32) {
	for _, v := range s.touched {
		s.common[v], s.logs[v], s.shares[v], s.roots[v] = 0, 0, 0, 0
		if s.triads != nil {
			s.triads[v] = [4]float64{}
		}
	}
	s.touched, s.source = s.touched[:0], u
	for _, w := range s.t.near(u) {
		c := s.t.weights[w]
		for _, v := range s.t.near(w) {
			if s.common[v] == 0 {
				s.touched = append(s.touched, v)
			}
			s.common[v]++
			s.logs[v] += c.log
			s.shares[v] += c.share
			s.roots[v] += c.root
		}
	}
	if s.triads == nil {
		return
	}
	for first, near := range s.t.sides {
		for _, w := range near[u] {
			for second, far := range s.t.sides {
				for _, v := range far[w] {
					s.triads[v][2*first+second]++
				}
			}
		}
	}
}

// threes returns the sum over paths of three links from the source to v, through w and x, of 1/√(k_w k_x).
func (s *surround) threes(v int32) (sum float64) {
	for _, x := range s.t.near(v) {
		if y := s.roots[x]; y > 0 {
			sum += y * s.t.weights[x].root
		}
	}
	return sum
}

// eachThree hands use the vertices that paths of three links lead to from the source, with what threes returns of them, up to rounding.
func (s *surround) eachThree(use func(v int32, sum float64)) {
	if s.third == nil {
		s.third = make([]float64, s.t.n)
	}
	var reached []int32
	for _, x := range s.touched {
		y := s.roots[x] * s.t.weights[x].root
		for _, v := range s.t.near(x) {
			if s.third[v] == 0 {
				reached = append(reached, v)
			}
			s.third[v] += y
		}
	}
	for _, v := range reached {
		use(v, s.third[v])
		s.third[v] = 0
	}
}

// walks follows walks to a block of sources, at most sourceBlock. After each step from 1 to steps, visit gets x (N,sourceBlock): of vertex v and source j the
// probability that a walk of so many steps from v ends at the source. Of v alone they are x[v*sourceBlock:][:len(sources)].
func (s *surround) walks(sources []int32, steps int, visit func(step int, x []float32)) {
	if s.walk == nil {
		s.walk, s.next = make([]float32, s.t.n*sourceBlock), make([]float32, s.t.n*sourceBlock)
	}
	clear(s.walk)
	for j, u := range sources {
		s.walk[int(u)*sourceBlock+j] = 1
	}
	for step := 1; step <= steps; step++ {
		for v := range int32(s.t.n) {
			row, near := s.next[int(v)*sourceBlock:][:sourceBlock], s.t.near(v)
			clear(row)
			kernel.Combine(row, s.t.ones, s.walk, near, 1, sourceBlock)
			if len(near) > 1 {
				kernel.Scale(row, row, float32(s.t.weights[v].share))
			}
		}
		s.walk, s.next = s.next, s.walk
		visit(step, s.walk)
	}
}

// grouped are pairs by their sources.
type grouped struct {
	sources []int32
	pairs   [][]place // those of each source
}

// place is the other end of a pair and where the pair stands in its list.
type place struct {
	other   int32
	at      int32
	swapped bool // the source is its second end
}

// sourced says what scoring pairs costs that have a source.
type sourced struct {
	of   func(l network.Link) int32 // the source of a pair
	cost float64                    // additions of probabilities for each
}

func (t *topology) sourced(steps int) *sourced {
	return &sourced{func(l network.Link) int32 {
		if t.swapped(l) {
			return l.To
		}
		return l.From
	}, float64(steps) * float64(len(t.targets))}
}

// swapped says whether the second end of a pair is its source: that with more neighbours, so that sources are few, and the same whatever list the pair is in.
func (t *topology) swapped(l network.Link) bool {
	a, b := t.degree[l.From], t.degree[l.To]
	return b > a || b == a && l.To < l.From
}

// ends returns the pair as it stands in its list.
func (p place) ends(source int32) (u, v int32) {
	if p.swapped {
		return p.other, source
	}
	return source, p.other
}

// everyone returns each of some sources paired with all vertices from first on.
func (t *topology) everyone(sources, first int) [][]place {
	all := make([]place, t.n-first)
	for i := range all {
		all[i] = place{other: int32(first + i), at: int32(first + i)}
	}
	return slices.Repeat([][]place{all}, sources)
}

// group orders pairs by their sources.
func (t *topology) group(links []network.Link) grouped {
	all := make([][]place, t.n)
	for i, l := range links {
		p, u := place{l.To, int32(i), false}, l.From
		if t.swapped(l) {
			p, u = place{l.From, int32(i), true}, l.To
		}
		all[u] = append(all[u], p)
	}
	var g grouped
	for u, list := range all {
		if len(list) > 0 {
			g.sources, g.pairs = append(g.sources, int32(u)), append(g.pairs, list)
		}
	}
	return g
}

// scorer returns what scores pairs by block, which hands use the scores of the pairs of some sources.
func (t *topology) scorer(ctx context.Context, threads int, block func(s *surround, sources []int32, pairs [][]place, use func(j int, p place, score float64))) *LinkScorer {
	return &LinkScorer{
		Links: func(links []network.Link) ([]float64, error) {
			out := make([]float64, len(links))
			g := t.group(links)
			return out, t.blocks(ctx, len(g.sources), threads, func(s *surround, lo, hi int) {
				block(s, g.sources[lo:hi], g.pairs[lo:hi], func(_ int, p place, x float64) { out[p.at] = x })
			})
		},
		Rows: func(us []int32, first int, out []float64) {
			block(t.surround(), us, t.everyone(len(us), first), func(j int, p place, x float64) { out[j*t.n+int(p.at)] = x })
		},
	}
}

// blocks hands blocks of sources, at most sourceBlock each, to workers. What work writes must be of its sources alone.
func (t *topology) blocks(ctx context.Context, sources, threadCount int, work func(s *surround, lo, hi int)) error {
	workers := make([]*surround, threads(threadCount))
	par.Blocks(len(workers), (sources+sourceBlock-1)/sourceBlock, func(worker, block int) {
		if ctx.Err() != nil {
			return
		}
		if workers[worker] == nil {
			workers[worker] = t.surround()
		}
		work(workers[worker], block*sourceBlock, min((block+1)*sourceBlock, sources))
	})
	return ctx.Err()
}
