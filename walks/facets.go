package walks

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// MaxFacets bounds the facets of a vertex: a walk's are drawn on the stack.
const MaxFacets = 64

// Facets is a corpus of walks over facets of vertices: each position of a walk of another corpus becomes one of the K facets
// of its vertex, drawn by chance. Token v*K+k is facet k of vertex v, so to what trains on the corpus it is a network of N*K
// vertices. Each walk of the other corpus is there several times, with draws of their own.
//
// With prior p_v over the facets of v, let p_o be the mean of p_v over the positions of walk o, a vertex counting as often
// as it is there. Each position draws its facet independently of the others from
//
//	p(k|v,o) = min(p_v[k], p_o[k]) / Σ_j min(p_v[j], p_o[j])
//
// which is never 0/0: v is in the walk, so that p_o[k] > 0 where p_v[k] > 0.
//
// It keeps the other corpus and the prior and no walk: walk i takes its draws from stream i of "facets" whenever it is asked
// for.
//
// Source: PolyDeepwalk (Liu et al., KDD 2019), as its authors' code has it; in the paper p_o is the mean over the window.
type Facets struct {
	src    Source
	prior  []float32 // (N,K)
	k      int
	copies int
	key    rng.Key
}

// NewFacets returns the walks of src as walks over facets. prior (N,K) is the distribution over facets of each vertex, each
// row summing to 1 within 1e-3; NewFacets keeps it, and it must not change afterwards. Walks copies*i to copies*(i+1)-1 are
// those of walk i of src.
//
// It returns an error if facets is not in 1 to MaxFacets, if there is less than one copy or there are more walks than an int
// counts, if prior is not of N rows of non-negative numbers that sum to 1, or if N*K tokens leave int32. N is known where
// src is a *Uniform; else it is taken from prior, and a walk that visits a vertex beyond has token -1 there, which NewStream
// refuses.
func NewFacets(src Source, prior []float32, facets, copies int, seed uint64) (*Facets, error) {
	switch {
	case facets < 1 || facets > MaxFacets:
		return nil, fmt.Errorf("walks: %d facets: expected 1 to %d", facets, MaxFacets)
	case copies < 1 || copies > math.MaxInt/max(src.Walks(), 1):
		return nil, fmt.Errorf("walks: %d copies of %d walks: expected at least 1, and at most %d walks", copies, src.Walks(), math.MaxInt)
	case len(prior) == 0 || len(prior)%facets != 0:
		return nil, fmt.Errorf("walks: prior of %d numbers: expected %d for each vertex", len(prior), facets)
	case len(prior) > math.MaxInt32:
		return nil, fmt.Errorf("walks: %d vertices of %d facets: expected at most %d tokens", len(prior)/facets, facets, math.MaxInt32)
	}
	if u, ok := src.(*Uniform); ok && len(prior) != u.net.Vertices()*facets {
		return nil, fmt.Errorf("walks: prior of %d numbers for %d vertices: expected %d for each", len(prior), u.net.Vertices(), facets)
	}
	for v := range len(prior) / facets {
		var sum float64
		for k, p := range prior[v*facets : (v+1)*facets] {
			if !(p >= 0) {
				return nil, fmt.Errorf("walks: prior of vertex %d, facet %d, is %v: expected a number >= 0", v, k, p)
			}
			sum += float64(p)
		}
		if !(math.Abs(sum-1) <= 1e-3) {
			return nil, fmt.Errorf("walks: prior of vertex %d sums to %v: expected 1", v, sum)
		}
	}
	return &Facets{src: src, prior: prior, k: facets, copies: copies, key: rng.NewKey(seed, "facets")}, nil
}

// Walks returns the number of walks: those of the other corpus times the number of copies.
func (f *Facets) Walks() int { return f.src.Walks() * f.copies }

// MaxLength returns that of the other corpus.
func (f *Facets) MaxLength() int { return f.src.MaxLength() }

// Walk draws walk i: copy i%copies of walk i/copies. i is from 0 to Walks()-1; see Source.
func (f *Facets) Walk(i int, buf []int32) []int32 {
	walk := f.src.Walk(i/f.copies, buf)
	var mean, upTo [MaxFacets]float64
	f.mean(walk, mean[:f.k])
	stream := f.key.Stream(uint64(i))
	tokens := buf[:0] // over the walk, if that is in buf: each position is read before it is written
	for _, v := range walk {
		p := f.row(v)
		if p == nil {
			tokens = append(tokens, -1)
			continue
		}
		var sum float64
		for k, pk := range p {
			sum += min(float64(pk), mean[k])
			upTo[k] = sum
		}
		// Less than sum also after rounding, since Float64 is at most 1 - 2^-53: the facet chosen has a probability above 0.
		r, k := stream.Float64()*sum, 0
		for upTo[k] <= r {
			k++
		}
		tokens = append(tokens, v*int32(f.k)+int32(k))
	}
	return tokens
}

// mean sets dst (K) to the mean of the prior over the positions of a walk.
func (f *Facets) mean(walk []int32, dst []float64) {
	for _, v := range walk {
		for k, p := range f.row(v) {
			dst[k] += float64(p)
		}
	}
	for k := range dst {
		dst[k] /= float64(len(walk))
	}
}

// row returns the prior (K) of a vertex, or nil where it has none.
func (f *Facets) row(v int32) []float32 {
	lo := int(v) * f.k
	if v < 0 || lo >= len(f.prior) {
		return nil
	}
	return f.prior[lo : lo+f.k]
}
