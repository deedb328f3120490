package op

import (
	"fmt"

	G "gorgonia.org/gorgonia"
)

// WeightedSteps returns the weighted sum over steps: out[b] = Σ_t weight[b,t]·xs[t][b]. A step of weight 0 does not take part in the
// sum, whatever it holds.
//
// weight (B,T), T matrices xs (B,H) -> (B,H). It returns an error if the shapes or types disagree.
func WeightedSteps(weight *G.Node, xs ...*G.Node) (*G.Node, error) {
	w := weight.Shape()
	if w.Dims() != 2 || w[1] != len(xs) {
		return nil, fmt.Errorf("op: WeightedSteps: weight %v of %d steps: expected (B,T)", w, len(xs))
	}
	each := []bool{true}
	for t, x := range xs {
		if s := x.Shape(); s.Dims() != 2 || s[0] != w[0] || s[1] != xs[0].Shape()[1] {
			return nil, fmt.Errorf("op: WeightedSteps: weight %v, step %d is %v: expected (B,T) and (B,H)", w, t, s)
		}
		each = append(each, true)
	}
	return Apply(Spec{
		Name: "WeightedSteps", Shape: xs[0].Shape().Clone(), Diff: each, F32: weightedSteps[float32](), F64: weightedSteps[float64](),
	}, append([]*G.Node{weight}, xs...)...)
}

func weightedSteps[T Float]() Kernel[T] {
	each := func(weight Array[T], do func(b, t, i int, w T)) {
		steps := weight.Shape[1]
		for i, w := range weight.F {
			do(i/steps, i%steps, i, w)
		}
	}
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			h := in[1].Shape[1]
			clear(out)
			each(in[0], func(b, t, _ int, w T) {
				if w != 0 {
					axpy(out[b*h:], in[1+t].F[b*h:(b+1)*h], w)
				}
			})
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			h := in[1].Shape[1]
			each(in[0], func(b, t, i int, w T) {
				g := gout[b*h : (b+1)*h]
				din[0][i] += dot(g, in[1+t].F[b*h:])
				if w != 0 {
					axpy(din[1+t][b*h:], g, w)
				}
			})
			return nil
		},
	}
}
