// Package symnmf factorises the adjacency of a network into non-negative facets: A ≈ H Hᵀ, where H[v,k] says how much
// vertex v belongs to facet k.
package symnmf

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// Network is a simple undirected network, as network.Simple gives.
type Network interface {
	Vertices() int
	Arcs() int           // twice the number of links
	Out(v int32) []int32 // the neighbours of a vertex
}

// Options of a factorisation.
type Options struct {
	Facets    int     // K, 1 to the number of vertices
	Tolerance float64 // a start ends when an update changes the objective by less than this share of it; 0 for 1e-4
	Seed      uint64  // of the stream "symnmf"

	iterations int // updates of a start at most; 0 for 200, or 2000 where Tolerance is below 1e-4
}

// starts is how many random starts there are, of which the best is kept.
const starts = 3

func (o Options) withDefaults() Options {
	if o.Tolerance == 0 {
		o.Tolerance = 1e-4
	}
	if o.iterations == 0 {
		o.iterations = 200
		if o.Tolerance < 1e-4 {
			o.iterations = 2000
		}
	}
	return o
}

// Factorization is what Factor found.
type Factorization struct {
	Facets     int       // K
	H          []float64 // (N,K) row by row, >= 0; zero for a vertex without links
	Objective  float64   // ||A - H Hᵀ||², the sum of squares over all N² entries
	Iterations int       // updates of the start that won
	Converged  bool      // the start that won ended by the tolerance
}

// Factor returns the best of several non-negative factorisations A ≈ H Hᵀ of the adjacency of a simple undirected network,
// by the objective ||A - H Hᵀ||² (Frobenius). Each starts from H uniform in (0, 2 sqrt(mean(A)/K)) and repeats
//
//	H <- H ∘ (1/2 + A H / (2 H HᵀH + 1e-12))
//
// An update takes time K (links + K N), on the given number of threads, which do not show in the result. Nothing of size N²
// is made. The network may have several components and vertices without links.
//
// With five facets and the default tolerance, starts on the training links of the published splits end after 17 to 71
// updates, at an objective of .84 to .99 ||A||². The tolerance is a share of that, so it is a loose one: with 1e-6, which
// takes 50 to 532 updates, what H explains of ||A||² grows by 1 to 12 %.
//
// It returns an error for facets out of range, for a network without links, and ctx's if that is cancelled, which is looked at before
// each update.
//
// Source: the update with factor 1/2 is that of Ding, He and Simon, SDM 2005; PolyDeepwalk (Liu et al., KDD 2019) takes its
// facets from a symmetric NMF. Differs: the authors of PolyDeepwalk ship an H made by another solver (Kuang, Yun and Park,
// J. Glob. Optim. 2015); the row of a vertex without links is 0, its optimum, from the start, where updates would halve it
// for ever.
func Factor(ctx context.Context, net Network, o Options, threads int) (*Factorization, error) {
	o = o.withDefaults()
	switch {
	case o.Facets < 1 || o.Facets > net.Vertices():
		return nil, fmt.Errorf("symnmf: %d facets: expected 1 to the number of vertices, %d", o.Facets, net.Vertices())
	case net.Arcs() == 0:
		return nil, fmt.Errorf("symnmf: a network of %d vertices and no links: expected at least one link", net.Vertices())
	}
	var best *Factorization
	s := newSolver(net, o.Facets, threads)
	for start := range starts {
		s.set(initial(net, o.Facets, rng.New(o.Seed, "symnmf", uint64(start))))
		f, err := s.descend(ctx, o)
		if err != nil {
			return nil, err
		}
		if best == nil || f.Objective < best.Objective {
			best = f
		}
	}
	return best, nil
}

// initial returns a random H (N,K) of the scale of A.
func initial(net Network, k int, stream *rng.Stream) []float64 {
	n := net.Vertices()
	scale := 2 * math.Sqrt(float64(net.Arcs())/float64(n)/float64(n)/float64(k))
	h := make([]float64, n*k)
	for v := range n {
		if len(net.Out(int32(v))) == 0 {
			continue
		}
		for i := range k {
			h[v*k+i] = scale * stream.Float64()
		}
	}
	return h
}

// Prior returns the distribution over facets of each vertex (N,K): its row of H divided by the row's sum, and 1/K each
// where that is 0. Each row sums to 1 but for rounding.
func (f *Factorization) Prior() []float32 {
	prior := make([]float32, len(f.H))
	for lo := 0; lo < len(f.H); lo += f.Facets {
		row := f.H[lo : lo+f.Facets]
		var sum float64
		for _, h := range row {
			sum += h
		}
		for k, h := range row {
			if sum > 0 {
				prior[lo+k] = float32(h / sum)
			} else {
				prior[lo+k] = 1 / float32(f.Facets)
			}
		}
	}
	return prior
}
