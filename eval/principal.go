package eval

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Principal returns where vectors lie along the directions in which they vary most: the first dims principal components, as
// (N,dims) row-major coordinates around their mean, and the share of the variance that each has, in [0,1]. dims is from 1 to
// D. The sign of a direction is that which makes its largest number positive. The cost is N·D² multiplications and one
// decomposition of a D×D matrix.
//
// It returns an error for vectors that are not finite, dims out of range, and when ctx ends.
func Principal(ctx context.Context, e Embedding, dims int) (at, share []float64, err error) {
	if err := e.Validate(); err != nil {
		return nil, nil, err
	}
	if dims < 1 || dims > e.D {
		return nil, nil, fmt.Errorf("eval: Principal: %d components of vectors of dimension %d: expected 1 to as many as that", dims, e.D)
	}
	mean := make([]float64, e.D)
	for v := range e.N {
		axpy(mean, 1/float64(e.N), e.Row(v))
	}
	cov := make([]float64, e.D*e.D)
	x := make([]float64, e.D)
	for v := range e.N {
		if v%1024 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		centred(x, e.Row(v), mean)
		for i, a := range x {
			for j := i; j < e.D; j++ {
				cov[i*e.D+j] += a * x[j]
			}
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(mat.NewSymDense(e.D, cov), true) {
		return nil, nil, errors.New("eval: Principal: the covariance could not be decomposed")
	}
	var directions mat.Dense
	eig.VectorsTo(&directions)
	values := eig.Values(nil) // ascending
	var total float64
	for _, l := range values {
		total += max(0, l)
	}
	at, share = make([]float64, e.N*dims), make([]float64, dims)
	for c := range dims {
		column := e.D - 1 - c
		if total > 0 {
			share[c] = max(0, values[column]) / total
		}
		w := mat.Col(nil, column, &directions)
		largest := 0.
		for _, a := range w {
			if math.Abs(a) > math.Abs(largest) {
				largest = a
			}
		}
		if largest < 0 {
			for j := range w {
				w[j] = -w[j]
			}
		}
		for v := range e.N {
			centred(x, e.Row(v), mean)
			for j, a := range w {
				at[v*dims+c] += a * x[j]
			}
		}
	}
	return at, share, nil
}

func centred(dst []float64, x []float32, mean []float64) {
	for j, v := range x {
		dst[j] = float64(v) - mean[j]
	}
}
