package eval

import (
	"context"
	"math"
)

// dot returns Σ_j w_j x_j in float64. Four running sums let the processor overlap the additions; their order is fixed.
func dot(w []float64, x []float32) float64 {
	var s0, s1, s2, s3 float64
	for len(x) >= 4 && len(w) >= 4 {
		s0 += w[0] * float64(x[0])
		s1 += w[1] * float64(x[1])
		s2 += w[2] * float64(x[2])
		s3 += w[3] * float64(x[3])
		x, w = x[4:], w[4:]
	}
	for j, v := range x {
		s0 += w[j] * float64(v)
	}
	return (s0 + s1) + (s2 + s3)
}

// axpy adds a*x to y.
func axpy(y []float64, a float64, x []float32) {
	for len(x) >= 4 && len(y) >= 4 {
		y[0] += a * float64(x[0])
		y[1] += a * float64(x[1])
		y[2] += a * float64(x[2])
		y[3] += a * float64(x[3])
		x, y = x[4:], y[4:]
	}
	for j, v := range x {
		y[j] += a * float64(v)
	}
}

// rankUpdate adds Σ_i curve_i (x_i,1)(x_i,1)ᵀ to the upper triangle of h ((d+1)*(d+1), row-major), four rows at a time so
// that each number of h is loaded and stored once for four products. x is scratch for them (4*(d+1)).
func rankUpdate(h []float64, d int, block []float32, curve, x []float64) {
	m := d + 1
	x0, x1, x2, x3 := x[:m], x[m:2*m], x[2*m:3*m], x[3*m:]
	for len(curve) > 0 {
		n := min(4, len(curve))
		clear(x)
		for i := range n {
			r := x[i*m : (i+1)*m]
			for j, v := range block[i*d : (i+1)*d] {
				r[j] = float64(v)
			}
			r[d] = 1
		}
		var c [4]float64 // rows past the end keep weight 0
		copy(c[:], curve[:n])
		for j := range m {
			a0, a1, a2, a3 := c[0]*x0[j], c[1]*x1[j], c[2]*x2[j], c[3]*x3[j]
			hj := h[j*m+j : (j+1)*m]
			y0, y1, y2, y3 := x0[j:][:len(hj)], x1[j:][:len(hj)], x2[j:][:len(hj)], x3[j:][:len(hj)]
			for k := range hj {
				hj[k] += (a0*y0[k] + a1*y1[k]) + (a2*y2[k] + a3*y3[k])
			}
		}
		block, curve = block[n*d:], curve[n:]
	}
}

// cosine returns the cosine of u and v from uv = <u,v>, uu = <u,u> and vv = <v,v>; 0 if one of them is zero. Of equal vectors it
// is exactly 1, since √(x²) is x, so that they tie.
func cosine(uv, uu, vv float64) float64 {
	if uu == 0 || vv == 0 {
		return 0
	}
	return uv / math.Sqrt(uu*vv)
}

// squares returns the inner product of each row with itself, which in float64 neither overflows nor vanishes.
func squares(ctx context.Context, e Embedding, threads int) ([]float64, error) {
	out := make([]float64, e.N)
	err := forRows(ctx, e.N, threads, func(lo, hi int) {
		wide := make([]float64, e.D)
		for r := lo; r < hi; r++ {
			widen(wide, e.Row(r))
			out[r] = dot(wide, e.Row(r))
		}
	})
	return out, err
}

func widen(dst []float64, x []float32) {
	for j, v := range x {
		dst[j] = float64(v)
	}
}
