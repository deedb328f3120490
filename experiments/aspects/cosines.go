package aspects

import (
	"math"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/par"
)

// Cosines returns how alike the aspects of a vertex are, (K,K): entry (s,t) is the mean over vertices of the cosine of
// Q_v^(s) and Q_v^(t), with its sign, in [-1,1]. A vertex one of whose K vectors is zero has no cosines and is left out; with
// no vertex left all entries are NaN. The result does not depend on the number of threads.
// Every vertex has K vectors.
//
// Source: Park et al., KDD 2020, figure 5. Differs: that the sign is kept is inferred.
func Cosines(e graphs.Embedding, k, threads int) [][]float64 {
	n := len(e.Vectors) / (k * e.D)
	const block = 256 // vertices whose sums are added up on their own, and then in order
	parts := make([]cosines, (n+block-1)/block)
	par.Blocks(threads, len(parts), func(_, i int) {
		parts[i] = cosines{sums: make([]float64, k*k), norms: make([]float64, k), products: make([]float64, k*k)}
		for v := i * block; v < min((i+1)*block, n); v++ {
			parts[i].add(e.Vectors[v*k*e.D:][:k*e.D], e.D)
		}
	})
	var vertices float64
	out := make([][]float64, k)
	for s := range out {
		out[s] = make([]float64, k)
	}
	for _, p := range parts {
		vertices += p.vertices
		for i, x := range p.sums {
			out[i/k][i%k] += x
		}
	}
	for _, row := range out {
		for t := range row {
			row[t] /= vertices
		}
	}
	return out
}

// cosines adds up those of a block of vertices.
type cosines struct {
	vertices float64
	sums     []float64 // (K,K)
	norms    []float64 // (K)
	products []float64 // (K,K)
}

// add adds the cosines among the rows (K,D) of a vertex.
func (c *cosines) add(rows []float32, d int) {
	k := len(c.norms)
	for s := range k {
		for t := s; t < k; t++ {
			var sum float64
			for i := range d {
				sum += float64(rows[s*d+i]) * float64(rows[t*d+i])
			}
			c.products[s*k+t], c.products[t*k+s] = sum, sum
		}
		if c.norms[s] = math.Sqrt(c.products[s*k+s]); c.norms[s] == 0 {
			return
		}
	}
	c.vertices++
	for i, x := range c.products {
		c.sums[i] += x / (c.norms[i/k] * c.norms[i%k])
	}
}
