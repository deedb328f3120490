package typed

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	"gonum.org/v1/gonum/mat"
)

// Constants of LowPass, chosen by training links that were held out, a tenth of each source's under seed 1: on lastfm 128 and .3 rank best by
// NDCG@20, of 32 to 256 and .1 to 1, and within .001 of the best by Recall@20. On networks of 300 and 3000 users 16 to 32 are best.
const (
	lowPassWeight = 0.3 // α
	lowPassMost   = 128 // singular vectors
	lowPassShare  = 16  // and one at most for so many sources, or targets where these are fewer
)

const (
	oversampled  = 10      // dimensions of the subspace beyond those
	iterations   = 6       // 32 come to the same Recall@20, to .001
	mostFiltered = 100_000 // sources and targets: about a minute and 400 MB
)

// ErrTooLarge is of a network with too many vertices for LowPass.
var ErrTooLarge = errors.New("expected at most 100,000 sources and targets together")

// LowPass returns a scorer by Neighbours and, beside it, the part of a source's links that the first singular vectors of R̃ have, which
// are those in which targets with common sources differ least.
//
//	score(u) = r_u (R̃ᵀR̃ + α D_I^-½ V Vᵀ D_I^½), R̃ = D_U^-½ R D_I^-½
//
// r_u are the source's links (1,I), and V (I,k) the right singular vectors of R̃ with the k largest singular values, by iterations over a random
// subspace. The number of threads does not change a score. It returns an error that wraps ErrTooLarge, and ctx's.
//
// Source: Shen et al., How Powerful is Graph Convolution for Recommendation?, CIKM 2021, GF-CF.
func (t *Task) LowPass(ctx context.Context, n *Network, threads int) (Scorer, error) {
	r := t.ranked(n)
	if all := len(r.ofSource) + len(r.ofTarget); all > mostFiltered {
		return nil, fmt.Errorf("typed: %d sources and targets: %w", all, ErrTooLarge)
	}
	k := min(lowPassMost, max(min(len(r.ofTarget), len(r.ofSource))/lowPassShare, 1))
	singular, err := r.singular(ctx, k, threads)
	if err != nil {
		return nil, err
	}
	v := make([]float32, 0, len(r.ofTarget)*k)
	for i := range r.ofTarget {
		for _, x := range singular.RawRowView(i)[:k] {
			v = append(v, float32(x))
		}
	}
	return func(u int32, dst []float32) error {
		if err := r.neighbours(u, dst); err != nil {
			return err
		}
		z := make([]float32, k)
		for _, j := range r.ofSource[u] {
			kernel.Axpy(z, v[int(j)*k:][:k], float32(r.targetRoot[j]))
		}
		for i := range dst {
			if r.targetRoot[i] > 0 {
				dst[i] += kernel.Dot(z, v[i*k:][:k]) * float32(lowPassWeight/r.targetRoot[i])
			}
		}
		return nil
	}, nil
}

// singular returns the first k right singular vectors of R̃ in columns, and further columns.
//
// Source: Halko, Martinsson, Tropp, SIAM Review 53(2), 2011, algorithm 4.4.
func (r ranked) singular(ctx context.Context, k, threads int) (*mat.Dense, error) {
	width := min(k+oversampled, len(r.ofTarget), len(r.ofSource))
	v := mat.NewDense(len(r.ofTarget), width, nil)
	draws := rng.NewKey(1, "low-pass")
	for i := range r.ofTarget {
		s := draws.Stream(uint64(i))
		for a := range width {
			v.Set(i, a, s.Normal())
		}
	}
	for range iterations {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v = times(r.ofTarget, r.targetRoot, r.sourceRoot, times(r.ofSource, r.sourceRoot, r.targetRoot, v, threads), threads)
		for range 2 { // the second for the rounding of the first
			if err := principal(v, v, true); err != nil {
				return nil, err
			}
		}
	}
	return v, principal(v, times(r.ofSource, r.sourceRoot, r.targetRoot, v, threads), false)
}

// times returns A X, where A is 1 at the columns of each row in lists, times the numbers of row and column.
func times(lists [][]int32, row, column []float64, x *mat.Dense, threads int) *mat.Dense {
	_, width := x.Dims()
	out := mat.NewDense(len(lists), width, nil)
	const rows = 64
	par.Blocks(max(threads, 1), (len(lists)+rows-1)/rows, func(_, block int) {
		for i := block * rows; i < min((block+1)*rows, len(lists)); i++ {
			to := out.RawRowView(i)
			for _, j := range lists[i] {
				c := row[i] * column[j]
				for a, y := range x.RawRowView(int(j)) {
					to[a] += c * y
				}
			}
		}
	})
	return out
}

// principal turns the columns of v into the directions of by's principal axes, the longest first, each divided by its length if scaled; those
// of no length become 0.
func principal(v, by *mat.Dense, scaled bool) error {
	_, width := by.Dims()
	var gram mat.Dense
	gram.Mul(by.T(), by)
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(width, gram.RawMatrix().Data), true) {
		return errors.New("typed: a matrix of links has no singular values: expected fewer links")
	}
	var axes mat.Dense
	e.VectorsTo(&axes)
	values := e.Values(nil) // ascending
	turn := mat.NewDense(width, width, nil)
	for a := range width {
		from, scale := width-1-a, 1.
		if scaled {
			if scale = 0; values[from] > 1e-14*values[width-1] {
				scale = 1 / math.Sqrt(values[from])
			}
		}
		for b := range width {
			turn.Set(b, a, axes.At(b, from)*scale)
		}
	}
	var turned mat.Dense
	turned.Mul(v, turn)
	v.Copy(&turned)
	return nil
}
