package eval

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
)

// UseOptions says over which contexts AspectUse takes the mean.
type UseOptions struct {
	Window  int    // contexts on each side of the vertex, >= 1
	Windows int    // drawn, >= 1
	Seed    uint64 // of the draws
}

// AspectUse returns how often asp2vec uses each of the K aspects of each of the vertices vs, as numbers that add up to 1: the
// mean, over windows of random walks with the vertex v in the middle, of the probabilities of Eq. 3 to 6. It is nil for a vertex
// without links to go along.
//
//	π_s = mean over windows w of softmax_s ⟨P_v, mean of Q_c^(s) over the distinct contexts c of w⟩
//
// With Gumbel noise on the inner products, that is the chance that aspect s has the largest. center (N,D) holds P, aspects Q,
// with as many for each vertex. A window has two walks of o.Window steps that start in v: seen from its middle, a long walk
// over an undirected network is that. In a directed network a window has the contexts ahead only. The result does not depend on
// threadCount, which is as in ScoreOptions, nor on which other vertices there are in vs.
//
// It returns an error for shapes that do not fit one another, vertices and options out of range, and when ctx ends.
//
// Source: Park et al., KDD 2020, Eq. 3 to 6. Differs: the ends of walks, whose windows are shorter, do not count.
func AspectUse(ctx context.Context, net *network.Network, vs []int32, center Embedding, aspects MultiEmbedding, o UseOptions, threadCount int) ([][]float64, error) {
	n := net.Vertices()
	if err := center.Validate(); err != nil {
		return nil, err
	}
	if err := aspects.Validate(); err != nil {
		return nil, err
	}
	if center.N != n || aspects.N() != n || center.D != aspects.D {
		return nil, fmt.Errorf("eval: AspectUse: a network of %d vertices, %d centres of dimension %d, aspects of %d vertices of dimension %d: want those of the same vertices",
			n, center.N, center.D, aspects.N(), aspects.D)
	}
	k := int(aspects.First[1])
	for u := range n {
		if int(aspects.First[u+1]-aspects.First[u]) != k || k == 0 {
			return nil, fmt.Errorf("eval: AspectUse: vertex %d has %d aspects and vertex 0 has %d: want as many, at least one", u, aspects.First[u+1]-aspects.First[u], k)
		}
	}
	if o.Window < 1 || o.Windows < 1 {
		return nil, fmt.Errorf("eval: AspectUse: %d windows of %d contexts a side: want at least 1 of each", o.Windows, o.Window)
	}
	for _, v := range vs {
		if v < 0 || int(v) >= n {
			return nil, fmt.Errorf("eval: AspectUse: vertex %d: want 0 to %d", v, n-1)
		}
	}
	out := make([][]float64, len(vs))
	users := make([]user, threads(threadCount))
	par.Blocks(len(users), len(vs), func(worker, i int) {
		if ctx.Err() != nil || net.Degree(vs[i]) == 0 {
			return
		}
		u := &users[worker]
		if u.center == nil {
			*u = user{net: net, center: make([]float64, center.D), aspects: aspects, k: k}
		}
		widen(u.center, center.Row(int(vs[i])))
		out[i] = u.use(vs[i], o)
	})
	return out, ctx.Err()
}

// user is the work of AspectUse on one vertex after another.
type user struct {
	net      *network.Network
	center   []float64 // (D)
	aspects  MultiEmbedding
	k        int
	contexts []int32 // distinct
}

// use returns the mean probabilities of v's aspects.
func (u *user) use(v int32, o UseOptions) []float64 {
	use, p := make([]float64, u.k), make([]float64, u.k)
	for w := range o.Windows {
		r := rng.New(o.Seed, "aspect use", uint64(v), uint64(w))
		u.contexts = u.contexts[:0]
		u.walk(r, v, o.Window)
		if !u.net.Directed() {
			u.walk(r, v, o.Window)
		}
		u.probabilities(p)
		for s := range use {
			use[s] += p[s] / float64(o.Windows)
		}
	}
	return use
}

// walk adds the vertices of a walk from v to the contexts.
func (u *user) walk(r *rng.Stream, v int32, steps int) {
	for range steps {
		next := u.net.Out(v)
		if len(next) == 0 {
			return
		}
		v = next[r.Intn(len(next))]
		seen := false
		for _, c := range u.contexts {
			seen = seen || c == v
		}
		if !seen {
			u.contexts = append(u.contexts, v)
		}
	}
}

// probabilities sets p to the softmax of the aspects' scores in the contexts.
func (u *user) probabilities(p []float64) {
	clear(p)
	rows := u.aspects.rows()
	for _, c := range u.contexts {
		for s := range p {
			p[s] += dot(u.center, rows.Row(int(u.aspects.First[c])+s)) / float64(len(u.contexts))
		}
	}
	softmax(p)
}

// softmax replaces scores by probabilities.
func softmax(p []float64) {
	most, sum := math.Inf(-1), 0.
	for _, x := range p {
		most = max(most, x)
	}
	for s, x := range p {
		p[s] = math.Exp(x - most)
		sum += p[s]
	}
	for s := range p {
		p[s] /= sum
	}
}
