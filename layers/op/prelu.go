package op

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/internal/par"
	G "gorgonia.org/gorgonia"
)

// PReLU returns x where x > 0 and slope·x elsewhere, with one slope for all elements, that is learnt.
//
// x (N,H), slope (1) -> (N,H). At 0 the derivative by x is the slope. It returns an error for another shape of slope, or types that
// disagree.
//
// Source: He et al., ICCV 2015, Eq. (1), "channel-shared". Differs: none known.
func PReLU(x, slope *G.Node, threads int) (*G.Node, error) {
	if x.Dims() != 2 || slope.Dims() != 1 || slope.Shape()[0] != 1 {
		return nil, fmt.Errorf("op: PReLU: x %v, slope %v: expected (N,H) and (1)", x.Shape(), slope.Shape())
	}
	return whole("PReLU", x.Shape().Clone(), prelu(threads, preluFast), prelu(threads, preluExact), x, slope)
}

// preluParts compute a part of PReLU and of its gradient: dx is that by x, given g, and the result that by the slope.
type preluParts[T Float] struct {
	forward  func(y, x []T, slope T)
	backward func(dx, g, x []T, slope T) (dslope float64)
}

func prelu[T Float](threads int, parts preluParts[T]) Kernel[T] {
	const elements = 1 << 13 // of a block
	var partial []float64    // of the slope's derivative, block by block
	blocks := func(n int, do func(block, lo, hi int)) {
		par.Blocks(threads, (n+elements-1)/elements, func(_, b int) { do(b, b*elements, min((b+1)*elements, n)) })
	}
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			blocks(len(out), func(_, lo, hi int) { parts.forward(out[lo:hi], in[0].F[lo:hi], in[1].F[0]) })
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			if partial == nil {
				partial = make([]float64, (len(gout)+elements-1)/elements)
			}
			blocks(len(gout), func(b, lo, hi int) {
				partial[b] = parts.backward(din[0][lo:hi], gout[lo:hi], in[0].F[lo:hi], in[1].F[0])
			})
			var sum float64
			for _, p := range partial {
				sum += p
			}
			din[1][0] = T(sum)
			return nil
		},
	}
}

var preluExact = preluParts[float64]{
	forward: func(y, x []float64, slope float64) {
		for i, x := range x {
			y[i] = x
			if !(x > 0) {
				y[i] = slope * x
			}
		}
	},
	backward: func(dx, g, x []float64, slope float64) (dslope float64) {
		for i, x := range x {
			dx[i] = g[i]
			if !(x > 0) {
				dx[i] = slope * g[i]
				dslope += g[i] * x
			}
		}
		return dslope
	},
}

// preluFast has no branches: signs are random to the processor, which would mispredict half of them.
var preluFast = preluParts[float32]{
	forward: func(y, x []float32, slope float32) {
		factor := [2]float32{slope, 1}
		y = y[:len(x)]
		for i, x := range x {
			y[i] = factor[positive(x)] * x
		}
	},
	backward: func(dx, g, x []float32, slope float32) (dslope float64) {
		factor, rest := [2]float32{slope, 1}, [2]float32{1, 0}
		dx, g = dx[:len(x)], g[:len(x)]
		for i, x := range x {
			s := positive(x)
			dx[i] = factor[s] * g[i]
			dslope += float64(rest[s] * g[i] * x)
		}
		return dslope
	},
}

// positive returns 1 for x > 0, or a NaN without sign, and else 0: for bits that are a positive integer.
func positive(x float32) uint32 {
	b := int32(math.Float32bits(x))
	return uint32(^b&-b) >> 31
}
