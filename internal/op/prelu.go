package op

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/par"
	G "gorgonia.org/gorgonia"
)

// PReLU returns x where x > 0 and slope·x elsewhere, with one slope for all elements, that is learnt.
//
// x (N,H), slope (1) -> (N,H). At 0 the derivative by x is the slope.
//
// Source: He et al., ICCV 2015, Eq. (1), "channel-shared". Differs: none known.
func PReLU(x, slope *G.Node, threads int) (*G.Node, error) {
	if x.Dims() != 2 || slope.Dims() != 1 || slope.Shape()[0] != 1 {
		return nil, fmt.Errorf("op: PReLU: x %v, slope %v: want (N,H) and (1)", x.Shape(), slope.Shape())
	}
	return Apply(Spec{
		Name: "PReLU", Shape: x.Shape().Clone(), Diff: []bool{true, true}, Sets: []bool{true, true},
		F32: prelu[float32](threads), F64: prelu[float64](threads),
	}, x, slope)
}

func prelu[T Float](threads int) Kernel[T] {
	const elements = 1 << 13 // of a block
	var partial []float64    // of the slope's derivative, block by block
	blocks := func(n int, do func(block, lo, hi int)) {
		par.Blocks(threads, (n+elements-1)/elements, func(_, b int) { do(b, b*elements, min((b+1)*elements, n)) })
	}
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			factor := [2]T{1, in[1].F[0]}
			blocks(len(out), func(_, lo, hi int) {
				y := out[lo:hi]
				for i, x := range in[0].F[lo:hi] {
					y[i] = factor[notPositive(x)] * x
				}
			})
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			if partial == nil {
				partial = make([]float64, (len(gout)+elements-1)/elements)
			}
			factor := [2]T{1, in[1].F[0]}
			blocks(len(gout), func(block, lo, hi int) {
				g, dx := gout[lo:hi], din[0][lo:hi]
				var sum float64
				for i, x := range in[0].F[lo:hi] {
					dx[i] = factor[notPositive(x)] * g[i]
					sum += float64(g[i] * min(x, 0))
				}
				partial[block] = sum
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

// notPositive returns 1 for x <= 0, and for NaN, and else 0. Signs are random to the processor: a branch would be mispredicted
// half the time.
func notPositive[T Float](x T) int {
	s := 1
	if x > 0 {
		s = 0
	}
	return s
}
