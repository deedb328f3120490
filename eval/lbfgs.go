package eval

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// precondRows is the least number of rows, and precondPerDim the number of rows for each dimension, that lbfgs reads for its
// preconditioner: enough for a covariance that is right within a few tens of per cent in every direction.
const (
	precondRows   = 4096
	precondPerDim = 8
)

// lbfgs minimises with gonum's limited-memory BFGS. It works on Lᵀtheta, where L Lᵀ is the Hessian at theta = 0 estimated
// from evenly spaced rows: in these coordinates the problem is nearly round, and the number of steps hardly depends on the
// scales and correlations of the features.
func (o *objective) lbfgs(theta []float64, opt LogisticOptions) (*LogisticFit, error) {
	m := o.d + 1
	low, err := factor(o.sampledHessian(), m)
	if err != nil {
		return nil, err
	}
	e := &transformed{o: o, low: low, theta: make([]float64, m), grad: make([]float64, m), at: make([]float64, m)}
	start := make([]float64, m)
	copy(start, theta)
	blas64.Trmv(blas.Trans, low, vector(start))
	// gonum checks the gradient in the new coordinates; e.Converged checks the one that Logistic documents instead.
	res, err := optimize.Minimize(
		optimize.Problem{Func: e.value, Grad: e.gradient},
		start,
		&optimize.Settings{Converger: &stop{e, opt.Tolerance}, MajorIterations: maxIterations, GradientThreshold: math.NaN()},
		&optimize.LBFGS{GradStopThreshold: math.NaN(), Linesearcher: &optimize.MoreThuente{}},
	)
	if o.err != nil {
		return nil, o.err
	}
	if res == nil {
		return nil, fmt.Errorf("eval: logistic regression: L-BFGS: %w", err)
	}
	v := res.X
	e.move(v)
	if res.Status != optimize.IterationLimit {
		o.polish(e, v, opt.Tolerance)
	}
	return &LogisticFit{Weights: e.theta, Objective: e.f, Residual: o.residual(e.grad), Iterations: res.MajorIterations}, nil
}

// polish takes plain preconditioned steps for as long as each halves the residual at least. A line search compares values of
// the objective, and once their differences drown in rounding it stops; this happens before the tolerance where the penalty
// rules (features close to 0, as of a network that has hardly been trained), and there the preconditioner is all but exact.
func (o *objective) polish(e *transformed, v []float64, tol float64) {
	step, trial := make([]float64, len(v)), make([]float64, len(v))
	for last := o.residual(e.grad); last > tol && o.err == nil; {
		e.gradient(step, v)
		floats.SubTo(trial, v, step)
		e.move(trial)
		now := o.residual(e.grad)
		if !(now <= last/2) {
			e.move(v)
			return
		}
		copy(v, trial)
		last = now
	}
}

// sampledHessian estimates the Hessian at theta = 0, where every row has curvature ¼.
func (o *objective) sampledHessian() []float64 {
	m := o.d + 1
	n := o.x.Rows()
	stride := max(1, n/max(precondRows, precondPerDim*m))
	h := make([]float64, m*m)
	buf, four := make([]float32, o.d), make([]float64, 4*m)
	rows := make([]float32, 0, 4*o.d)
	curve := [4]float64{1, 1, 1, 1}
	taken := 0
	for i := 0; i < n; i += stride {
		rows = append(rows, o.x.Block(i, i+1, buf)...)
		taken++
		if len(rows) == 4*o.d || i+stride >= n {
			rankUpdate(h, o.d, rows, curve[:len(rows)/o.d], four)
			rows = rows[:0]
		}
	}
	for i := range m {
		for j := i; j < m; j++ {
			h[i*m+j] *= o.c / 4 * float64(n) / float64(taken)
			h[j*m+i] = h[i*m+j]
		}
		if i < o.d {
			h[i*m+i]++
		}
	}
	return h
}

// transformed is the objective in the coordinates Lᵀtheta.
type transformed struct {
	o    *objective
	low  blas64.Triangular
	at   []float64 // coordinates of the last evaluation
	f    float64
	seen bool

	theta, grad []float64 // theta there, and the gradient by theta
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Data: x, Inc: 1} }

// move evaluates at v unless the last evaluation was there: gonum asks for value and gradient in two calls.
func (e *transformed) move(v []float64) {
	if e.seen && floats.Equal(v, e.at) {
		return
	}
	copy(e.at, v)
	copy(e.theta, v)
	blas64.Trsv(blas.Trans, e.low, vector(e.theta))
	e.f = e.o.eval(e.theta, e.grad, nil)
	e.seen = true
}

func (e *transformed) value(v []float64) float64 { e.move(v); return e.f }

func (e *transformed) gradient(dst, v []float64) {
	e.move(v)
	copy(dst, e.grad)
	blas64.Trsv(blas.NoTrans, e.low, vector(dst))
}

// stop ends gonum's iteration at the residual that Logistic documents.
type stop struct {
	e   *transformed
	tol float64
}

func (*stop) Init(int) {}

func (s *stop) Converged(loc *optimize.Location) optimize.Status {
	if s.e.o.err != nil {
		return optimize.Failure
	}
	s.e.move(loc.X)
	if s.e.o.residual(s.e.grad) <= s.tol {
		return optimize.GradientThreshold
	}
	return optimize.NotTerminated
}
