package aspects

import (
	"context"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
)

// VertexUse returns how often asp2vec uses each of the K aspects of each of the vertices vs, as numbers that add up to 1: the
// mean, over windows of random walks with the vertex v in the middle, of the probabilities of Eq. 3 to 6. It is nil for a vertex
// without links to go along.
//
//	π_s = mean over windows w of softmax_s ⟨P_v, mean of Q_c^(s) over the distinct contexts c of w⟩
//
// With Gumbel noise on the inner products, that is the chance that aspect s has the largest. center (N,D) holds P, aspects Q, K
// for each vertex of net. A window has two walks of reach steps that start in v: seen from its middle, a long walk over an undirected
// network is that. In a directed network a window has the contexts ahead only. The result does not depend on threads, nor on which
// other vertices there are in vs. It returns an error when ctx ends.
//
// Where UseVariance goes once through the whole corpus, this draws as many windows for a rare vertex as for a frequent one.
//
// Source: Park et al., KDD 2020, Eq. 3 to 6. Differs: the ends of walks, whose windows are shorter, do not count.
func VertexUse(ctx context.Context, net *network.Network, vs []int32, center eval.Embedding, aspects eval.MultiEmbedding, reach, windows, threads int) ([][]float64, error) {
	out := make([][]float64, len(vs))
	threads = max(threads, 1)
	users := make([]user, threads)
	par.Blocks(threads, len(vs), func(worker, i int) {
		if ctx.Err() == nil && net.Degree(vs[i]) > 0 {
			users[worker].net, users[worker].aspects = net, aspects
			out[i] = users[worker].use(vs[i], center.Row(int(vs[i])), reach, windows)
		}
	})
	return out, ctx.Err()
}

// user is the work of VertexUse on one vertex after another.
type user struct {
	net      *network.Network
	aspects  eval.MultiEmbedding
	contexts []int32 // distinct
}

// use returns the mean probabilities of the aspects of v, whose centre is given.
func (u *user) use(v int32, center []float32, reach, windows int) []float64 {
	use := make([]float64, u.aspects.First[1])
	p := make([]float64, len(use))
	for w := range windows {
		r := rng.New(1, "aspect use", uint64(v), uint64(w))
		u.contexts = u.contexts[:0]
		u.walk(r, v, reach)
		if !u.net.Directed() {
			u.walk(r, v, reach)
		}
		u.probabilities(p, center)
		for s := range use {
			use[s] += p[s] / float64(windows)
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
		if !slices.Contains(u.contexts, v) {
			u.contexts = append(u.contexts, v)
		}
	}
}

// probabilities sets p to the softmax of the aspects' scores in the contexts.
func (u *user) probabilities(p []float64, center []float32) {
	clear(p)
	d := u.aspects.D
	for _, c := range u.contexts {
		for s := range p {
			var score float64
			for i, x := range u.aspects.Data[(int(u.aspects.First[c])+s)*d:][:d] {
				score += float64(center[i]) * float64(x)
			}
			p[s] += score / float64(len(u.contexts))
		}
	}
	most, sum := slices.Max(p), 0.
	for s, x := range p {
		p[s] = math.Exp(x - most)
		sum += p[s]
	}
	for s := range p {
		p[s] /= sum
	}
}
