package eval

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// newton is Newton's method with steps halved until the objective falls enough (Armijo's rule).
func (o *objective) newton(theta []float64, opt LogisticOptions) (*LogisticFit, error) {
	m := o.d + 1
	grad, hess := make([]float64, m), make([]float64, m*m)
	step, trial := make([]float64, m), make([]float64, m)
	f := o.eval(theta, grad, hess)
	for iter := 0; ; iter++ {
		fit := &LogisticFit{Weights: theta, Objective: f, Residual: o.residual(grad), Iterations: iter}
		if fit.Residual <= opt.Tolerance || iter == maxIterations || o.err != nil {
			return fit, nil
		}
		low, err := factor(hess, m)
		if err != nil {
			return nil, err
		}
		copy(step, grad)
		blas64.Trsv(blas.NoTrans, low, vector(step))
		blas64.Trsv(blas.Trans, low, vector(step))
		slope := floats.Dot(step, grad) // > 0: theta - step goes downhill
		size := 1.0
		for ; ; size /= 2 {
			floats.AddScaledTo(trial, theta, -size, step)
			next := o.eval(trial, grad, hess)
			// Near the optimum the fall is lost in the rounding of f; there the full step is right.
			if next <= f-1e-4*size*slope+1e-14*math.Abs(f) {
				f = next
				break
			}
			if size < 1e-10 || o.err != nil {
				return fit, nil
			}
		}
		theta, trial = trial, theta
	}
}

// factor overwrites a Hessian with the lower triangular L of L Lᵀ, its Cholesky factorisation. Features, and with them the
// curvatures, may differ by many orders of magnitude, so the matrix is scaled to a diagonal of ones first. If some direction
// then has next to no curvature left, as that of the intercept when every row is far from the boundary, a ridge that is tiny
// beside 1 keeps the matrix invertible.
func factor(hess []float64, m int) (blas64.Triangular, error) {
	unit := make([]float64, m)
	for j := range m {
		if unit[j] = math.Sqrt(hess[j*m+j]); !(unit[j] > 0) {
			unit[j] = 1
		}
	}
	for i := range m {
		for j := range m {
			hess[i*m+j] /= unit[i] * unit[j]
		}
	}
	var chol mat.Cholesky
	for ridge := 1e-14; ridge < 1; ridge *= 100 {
		if chol.Factorize(mat.NewSymDense(m, hess)) && chol.Cond() < 1e15 {
			var tri mat.TriDense
			chol.LTo(&tri)
			low := tri.RawTriangular()
			for i := range m {
				for j := range i + 1 {
					low.Data[i*low.Stride+j] *= unit[i]
				}
			}
			return low, nil
		}
		for j := range m {
			hess[j*m+j] += ridge
		}
	}
	return blas64.Triangular{}, errors.New("eval: logistic regression: the Hessian is not positive definite")
}
