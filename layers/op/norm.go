package op

import (
	"fmt"
	"math"

	G "gorgonia.org/gorgonia"
)

// LayerNorm returns each row of x with mean 0 and variance 1, times gain and plus bias:
//
//	out[b] = gain ∘ (x[b] - mean) / √(variance + eps) + bias
//
// The mean and the variance, divided by H, are those of the row.
//
// x (B,H), gain and bias (H), eps > 0 -> (B,H). It returns an error if the shapes or types disagree, or eps is not positive.
func LayerNorm(x, gain, bias *G.Node, eps float64) (*G.Node, error) {
	s := x.Shape()
	if s.Dims() != 2 || gain.Dims() != 1 || bias.Dims() != 1 || gain.Shape()[0] != s[1] || bias.Shape()[0] != s[1] {
		return nil, fmt.Errorf("op: LayerNorm: x %v, gain %v, bias %v: expected (B,H), (H) and (H)", s, gain.Shape(), bias.Shape())
	}
	if !(eps > 0) {
		return nil, fmt.Errorf("op: LayerNorm: eps = %v: expected > 0", eps)
	}
	return Apply(Spec{
		Name: "LayerNorm", Shape: s.Clone(), Diff: []bool{true, true, true}, Sets: []bool{true, false, false},
		F32: layerNorm[float32](eps), F64: layerNorm[float64](eps),
	}, x, gain, bias)
}

func layerNorm[T Float](eps float64) Kernel[T] {
	var normed, scale []T // (B,H), and 1/√(variance+eps) of each row
	return Kernel[T]{
		Forward: func(in []Array[T], out []T) error {
			gain, bias := in[1].F, in[2].F
			h := len(gain)
			if normed == nil {
				normed, scale = make([]T, len(out)), make([]T, len(out)/h)
			}
			for r := range scale {
				x := in[0].F[r*h : (r+1)*h]
				var mean, variance float64
				for _, v := range x {
					mean += float64(v)
				}
				mean /= float64(h)
				for _, v := range x {
					variance += (float64(v) - mean) * (float64(v) - mean)
				}
				s := 1 / math.Sqrt(variance/float64(h)+eps)
				scale[r] = T(s)
				for i, v := range x {
					n := T((float64(v) - mean) * s)
					normed[r*h+i] = n
					out[r*h+i] = gain[i]*n + bias[i]
				}
			}
			return nil
		},
		Backward: func(in []Array[T], out, gout []T, din [][]T) error {
			gain := in[1].F
			h := len(gain)
			for r, s := range scale {
				n, g, dx := normed[r*h:(r+1)*h], gout[r*h:(r+1)*h], din[0][r*h:(r+1)*h]
				var mean, along float64 // of the gradient by n, and of its product with n
				for i, v := range g {
					mean += float64(v * gain[i])
					along += float64(v * gain[i] * n[i])
					din[1][i] += v * n[i]
					din[2][i] += v
				}
				mean, along = mean/float64(h), along/float64(h)
				for i, v := range g {
					dx[i] = s * (v*gain[i] - T(mean) - n[i]*T(along))
				}
			}
			return nil
		},
	}
}
