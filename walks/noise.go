package walks

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// Frequencies returns how often each vertex occurs in the walks of a corpus over a network of the given number of vertices,
// (N). It draws every walk, on the given number of threads, each with N numbers of its own; the result does not depend on
// them. It returns an error if a walk leaves the network, or ctx's if it is cancelled.
func Frequencies(ctx context.Context, src Source, vertices, threads int) ([]int64, error) {
	if vertices < 0 {
		return nil, fmt.Errorf("walks: frequencies of %d vertices: expected at least 0", vertices)
	}
	n := src.Walks()
	const most = 1 << 12 // blocks, so that a corpus that is not kept costs no memory either, however long it is
	size := max(blockWalks, (n+most-1)/most)
	blocks := (n + size - 1) / size
	threads = max(min(threads, blocks), 1)
	counts := make([][]int64, threads)
	for worker := range counts {
		counts[worker] = make([]int64, vertices)
	}
	errs := make([]error, blocks)
	par.Blocks(threads, blocks, func(worker, block int) {
		count, first := counts[worker], block*size
		for i, walk := range eachWalk(src, first, min(first+size, n), inCorpusOrder) {
			if (i-first)%blockWalks == 0 {
				if errs[block] = ctx.Err(); errs[block] != nil {
					return
				}
			}
			for _, v := range walk {
				if v < 0 || int(v) >= vertices {
					errs[block] = outsideNetwork(i, v, vertices)
					return
				}
				count[v]++
			}
		}
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	for _, count := range counts[1:] {
		for v, c := range count {
			counts[0][v] += c
		}
	}
	return counts[0], nil
}

// outsideNetwork is the error of a walk that leaves the network.
func outsideNetwork(walk int, v int32, vertices int) error {
	return fmt.Errorf("walks: walk %d visits vertex %d: expected vertices below %d", walk, v, vertices)
}

// NoiseWeights returns counts raised to a power, for StreamOptions.Noise: 0.75 is what word2vec's code takes. A vertex that
// does not occur has weight 0 whatever the power, as a word that does not occur is no part of a vocabulary; power 0 makes
// those that do occur equally likely. With a power so large that weights are not finite, NewStream returns an error. counts and the
// result are (N), counts and power at least 0.
func NoiseWeights(counts []int64, power float64) []float64 {
	weights := make([]float64, len(counts))
	for v, c := range counts {
		if c > 0 {
			weights[v] = math.Pow(float64(c), power)
		}
	}
	return weights
}

// validateNoise checks StreamOptions.Noise for a network of the given number of vertices.
func validateNoise(weights []float64, vertices int) error {
	if weights == nil {
		return nil
	}
	if len(weights) != vertices {
		return fmt.Errorf("walks: %d noise weights for %d vertices: expected one for each", len(weights), vertices)
	}
	var sum float64
	for v, w := range weights {
		if !(w >= 0 && w <= math.MaxFloat64) { // written so that NaN fails too
			return fmt.Errorf("walks: noise weight of vertex %d is %v: expected a finite number >= 0", v, w)
		}
		sum += w
	}
	if !(sum > 0 && sum <= math.MaxFloat64) {
		return fmt.Errorf("walks: noise weights of %d vertices sum to %v: expected a finite number > 0", vertices, sum)
	}
	return nil
}

// noise draws vertices by weight.
type noise struct {
	weights []float64 // (N)
	some    []int32   // the vertices of weight > 0
	table   []choice  // of those
}

func newNoise(weights []float64) *noise {
	n := &noise{weights: weights}
	for v, w := range weights {
		if w > 0 {
			n.some = append(n.some, int32(v))
		}
	}
	n.table = make([]choice, len(n.some))
	new(aliasFiller).fill(n.table, n.some, func(i int) float64 { return weights[n.some[i]] })
	return n
}

// outside returns a vertex by weight among those that are no contexts; if these have no weight, any vertex by weight.
func (n *noise) outside(contexts []int32, stream *rng.Stream) int32 {
	// Rejection is exact however often it is tried, and so is what follows when it was for as long as that takes.
	for range n.some {
		if v := draw(n.table, stream); !slices.Contains(contexts, v) {
			return v
		}
	}
	var all float64
	last := int32(-1)
	for _, v := range n.some {
		if !slices.Contains(contexts, v) {
			all += n.weights[v]
			last = v
		}
	}
	if last < 0 {
		return draw(n.table, stream)
	}
	left := stream.Float64() * all
	for _, v := range n.some {
		if !slices.Contains(contexts, v) {
			if left -= n.weights[v]; left < 0 {
				return v
			}
		}
	}
	return last // by rounding
}
