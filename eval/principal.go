package eval

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

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
	axes, values := Axes(mat.NewSymDense(e.D, cov))
	if axes == nil {
		return nil, nil, errors.New("eval: Principal: the covariance could not be decomposed")
	}
	var total float64
	for _, l := range slices.Backward(values) {
		total += max(0, l)
	}
	at, share = make([]float64, e.N*dims), make([]float64, dims)
	for c := range dims {
		if total > 0 {
			share[c] = max(0, values[c]) / total
		}
		for v := range e.N {
			centred(x, e.Row(v), mean)
			for j, a := range axes[c] {
				at[v*dims+c] += a * x[j]
			}
		}
	}
	return at, share, nil
}

// Axes returns the eigenvectors of a symmetric matrix (D,D), as D rows of length 1, and their eigenvalues, the largest first; nil where it cannot be decomposed. The sign
// of each is that which makes its largest number positive.
func Axes(matrix *mat.SymDense) (axes [][]float64, values []float64) {
	var eig mat.EigenSym
	if !eig.Factorize(matrix, true) {
		return nil, nil
	}
	var directions mat.Dense
	eig.VectorsTo(&directions) // columns, the smallest first
	values = eig.Values(nil)
	slices.Reverse(values)
	for column := range slices.Backward(values) {
		w, largest := mat.Col(nil, column, &directions), 0.
		for _, a := range w {
			if math.Abs(a) > math.Abs(largest) {
				largest = a
			}
		}
		for j := range w {
			w[j] *= math.Copysign(1, largest)
		}
		axes = append(axes, w)
	}
	return axes, values
}

func centred(dst []float64, x []float32, mean []float64) {
	for j, v := range x {
		dst[j] = float64(v) - mean[j]
	}
}
