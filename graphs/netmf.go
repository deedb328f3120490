package graphs

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/internal/par"
)

func netMFMethod() *Method {
	return &Method{
		Name: "netmf", Title: "NetMF", Weights: true,
		Source: "Qiu, Dong, Ma, Li, Wang, Tang, WSDM 2018 (Network Embedding as Matrix Factorization: Unifying DeepWalk, LINE, PTE, and node2vec), " +
			"algorithm 3, and the authors' code",
		Differs: "the matrix is that of a small window, without an approximation, also for a large window, which small networks alone allow; directed " +
			"networks are made undirected, and of two links of a pair the heavier one counts",
		Scorings:  []string{ScoringLR},
		Options:   []string{"window", "negatives"},
		Formula:   "n·dim",
		Published: func(n int64, o Options) int64 { return n * int64(o.Dim) },
		Sets:      Sets{"always": {"dim": 100, "window": 10, "negatives": 1}},
		Bytes: func(vertices, _ int, o Options) float64 { // the matrix, and what its factorisation holds
			n := float64(vertices)
			return 8*n*n + 8*5*n*float64(o.Dim+oversampling)
		},
		Embed: netMF,
	}
}

const (
	netMFMost       = 30000 // vertices: their matrix has seven GiB
	netMFIterations = 2000  // of the factorisation at most; after some tens singular values mostly stand still
	netMFTolerance  = 1e-13
)

// netMF factorises the matrix that DeepWalk with negative samples factorises implicitly,
//
//	log max(1, vol/(bT) (P + P² + ... + P^T) D⁻¹)
//
// with the shares P of each vertex's weights, its sums D, whose total is vol, the window T and the number b of negatives. It returns an error for
// more than 30,000 vertices, whose matrix would not fit in most memories.
func netMF(ctx context.Context, in Input, o Options, threads int) (Embedding, error) {
	if n := in.Network.Vertices(); n > netMFMost {
		return Embedding{}, fmt.Errorf("graphs: a matrix of %d x %d numbers for netmf, %d GiB: expected at most %d vertices, or a method without one", n, n, n*n>>27, netMFMost)
	}
	links, err := undirectedWeights(in.Network)
	if err != nil {
		return Embedding{}, err
	}
	n, dim := links.rows(), min(o.Dim, links.rows())
	m, err := deepWalkMatrix(ctx, links, o.Window, o.Negatives, threads)
	if err != nil {
		return Embedding{}, err
	}
	times := func(x []float64, k int) []float64 {
		return byRow(n, k, threads, func(v int, to []float64) {
			for u, a := range m[v*n:][:n] {
				if a != 0 {
					addScaled(to, x[u*k:][:k], a)
				}
			}
		})
	}
	x, err := truncatedSVD(ctx, factorized{n, times, times}, dim, netMFIterations, netMFTolerance, o.Seed, threads) // it is symmetric
	if err != nil {
		return Embedding{}, err
	}
	return oneEach(x, n, dim, o.Dim), nil
}

// deepWalkMatrix returns the matrix (N,N) of netMF. A row is that of the walks from its vertex, so that no power of P is kept.
func deepWalkMatrix(ctx context.Context, links *sparse, window, negatives, threads int) ([]float64, error) {
	n, degrees := links.rows(), links.sums()
	var volume float64
	for _, d := range degrees {
		volume += d
	}
	shares := links.with(func(i, _ int, w float64) float64 { return w / degrees[i] })
	m := make([]float64, n*n)
	par.Blocks(max(threads, 1), n, func(_, v int) {
		if ctx.Err() != nil {
			return
		}
		sum, at := m[v*n:][:n], make([]float64, n)
		at[v] = 1
		for range window {
			next := make([]float64, n)
			for u, p := range at {
				if p != 0 {
					columns, values := shares.row(u)
					for i, to := range columns {
						next[to] += p * values[i]
					}
				}
			}
			at = next
			addScaled(sum, at, 1)
		}
		for u := range sum {
			if sum[u] > 0 {
				sum[u] = math.Log(max(1, volume*sum[u]/(float64(negatives*window)*degrees[u])))
			}
		}
	})
	return m, ctx.Err()
}
