package eval

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// LogisticOptions says how Logistic solves. The zero value is the paper's classifier.
type LogisticOptions struct {
	C             float64   // weight of the data against the penalty, > 0; 0 means 1 (the paper's)
	Tolerance     float64   // residual at which to stop (see Logistic), in (0,1); 0 means 1e-6
	MaxIterations int       // steps before giving up, >= 1; 0 means 1000
	Threads       int       // goroutines; 0 means all. The result is the same bits for any number
	Start         []float64 // where to start: D weights and the intercept; nil means zeros
	Solver        Solver    // "" means Auto
}

// Solver names a way to find the optimum. Both arrive at the same one, within the tolerance.
type Solver string

const (
	Auto   Solver = ""       // Newton up to newtonMax dimensions, LBFGS above
	Newton Solver = "newton" // exact Hessian, O(n D²) a step, few steps
	LBFGS  Solver = "lbfgs"  // limited-memory BFGS on preconditioned parameters, O(n D) a step
)

// newtonMax is the largest D for which Newton was the faster of the two (see BenchmarkLogistic).
const newtonMax = 32

// LogisticFit is a fitted classifier: the score of x is Weights[:D]·x + Weights[D], the log odds in nats.
type LogisticFit struct {
	Weights    []float64 // D weights, then the intercept
	Objective  float64   // value of the objective, in nats
	Residual   float64   // size of the gradient without unit (see Logistic)
	Iterations int       // steps of the solver
	Passes     int       // times the data was read
}

// Logistic fits an L2-regularised logistic regression with an intercept that is not penalised.
//
//	min over w, b of  ½|w|² + C Σ_i log(1 + exp(-y_i (w·x_i + b))),  y_i = +1 where label[i], else -1
//
// The optimum is unique, and the solver goes on until the gradient there is small on the scale of the data:
//
//	max( max_j |∂f/∂w_j| / max_j C Σ_i |x_ij| , |∂f/∂b| / (C n) ) <= Tolerance
//
// so a start near the optimum (LogisticOptions.Start) saves time and moves the result only within the tolerance. Features are
// not standardised. Arithmetic is float64, with sums in an order that does not depend on the number of threads.
//
// It returns an error for labels that do not fit the rows or are all the same, for features that are not finite, for options
// out of range, when ctx ends, and when the tolerance is not reached.
//
// Source: the objective is that of scikit-learn's LogisticRegression at its defaults, which the paper's authors use. Differs:
// scikit-learn stops earlier (tolerance 1e-4, at most 100 iterations), which moves an AUC by about 1e-4.
func Logistic(ctx context.Context, x Features, label []bool, opt LogisticOptions) (*LogisticFit, error) {
	opt, err := opt.resolve(x, label)
	if err != nil {
		return nil, err
	}
	o, err := newObjective(ctx, x, label, opt.C, threads(opt.Threads))
	if err != nil {
		return nil, err
	}
	theta := make([]float64, o.d+1)
	copy(theta, opt.Start)
	solve := o.newton
	if opt.Solver == LBFGS {
		solve = o.lbfgs
	}
	fit, err := solve(theta, opt)
	if o.err != nil { // a pass was cut short
		return nil, o.err
	}
	if err != nil {
		return nil, err
	}
	if !(fit.Residual <= opt.Tolerance) {
		return nil, fmt.Errorf("eval: logistic regression: residual %.3g after %d iterations: want %.3g", fit.Residual, fit.Iterations, opt.Tolerance)
	}
	fit.Passes = o.passes
	return fit, nil
}

// resolve fills in the defaults and checks what can be checked without reading the features.
func (opt LogisticOptions) resolve(x Features, label []bool) (LogisticOptions, error) {
	if opt.C == 0 {
		opt.C = 1
	}
	if opt.Tolerance == 0 {
		opt.Tolerance = 1e-6
	}
	if opt.MaxIterations == 0 {
		opt.MaxIterations = 1000
	}
	if opt.Solver == Auto {
		opt.Solver = Newton
		if x.Cols() > newtonMax {
			opt.Solver = LBFGS
		}
	}
	switch {
	case x.Rows() == 0 || x.Cols() <= 0 || x.Rows() != len(label):
		return opt, fmt.Errorf("eval: logistic regression: %d rows of %d features, %d labels: want one label for each row, and at least one feature", x.Rows(), x.Cols(), len(label))
	case !(opt.C > 0) || !finite(opt.C):
		return opt, fmt.Errorf("eval: logistic regression: C = %v: want > 0", opt.C)
	case !(opt.Tolerance > 0 && opt.Tolerance < 1):
		return opt, fmt.Errorf("eval: logistic regression: tolerance = %v: want in (0,1)", opt.Tolerance)
	case opt.MaxIterations < 1:
		return opt, fmt.Errorf("eval: logistic regression: at most %d iterations: want >= 1", opt.MaxIterations)
	case opt.Solver != Newton && opt.Solver != LBFGS:
		return opt, fmt.Errorf("eval: logistic regression: solver %q: want %q or %q", opt.Solver, LBFGS, Newton)
	case opt.Start != nil && len(opt.Start) != x.Cols()+1:
		return opt, fmt.Errorf("eval: logistic regression: a start of %d numbers: want %d, the weights and the intercept", len(opt.Start), x.Cols()+1)
	}
	for i, v := range opt.Start {
		if !finite(v) {
			return opt, fmt.Errorf("eval: logistic regression: start[%d] = %v: want finite numbers", i, v)
		}
	}
	for _, l := range label {
		if l != label[0] {
			return opt, nil
		}
	}
	return opt, errSingleClass
}

// newton is Newton's method with steps halved until the objective falls enough (Armijo's rule).
func (o *objective) newton(theta []float64, opt LogisticOptions) (*LogisticFit, error) {
	m := o.d + 1
	grad, hess := make([]float64, m), make([]float64, m*m)
	step, trial := make([]float64, m), make([]float64, m)
	f := o.eval(theta, grad, hess)
	for iter := 0; ; iter++ {
		fit := &LogisticFit{Weights: theta, Objective: f, Residual: o.residual(grad), Iterations: iter}
		if fit.Residual <= opt.Tolerance || iter == opt.MaxIterations || o.err != nil {
			return fit, nil
		}
		chol, err := factor(hess, m)
		if err != nil {
			return nil, err
		}
		if err := chol.SolveVecTo(mat.NewVecDense(m, step), mat.NewVecDense(m, grad)); err != nil {
			return nil, fmt.Errorf("eval: logistic regression: Newton's step: %w", err)
		}
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

// factor is the Cholesky factor of a Hessian. If rows are so far from the boundary that the intercept has no curvature left,
// a ridge that is tiny beside the other curvatures keeps it invertible.
func factor(hess []float64, m int) (*mat.Cholesky, error) {
	var chol mat.Cholesky
	sym := mat.NewSymDense(m, hess)
	for ridge := 1e-14; ridge < 1; ridge *= 100 {
		if chol.Factorize(sym) && chol.Cond() < 1e15 {
			return &chol, nil
		}
		top := 1.0
		for j := range m {
			top = max(top, sym.At(j, j))
		}
		for j := range m {
			sym.SetSym(j, j, sym.At(j, j)+ridge*top)
		}
	}
	return nil, fmt.Errorf("eval: logistic regression: the Hessian is not positive definite: want features on more similar scales")
}

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
	chol, err := factor(o.sampledHessian(), m)
	if err != nil {
		return nil, err
	}
	var tri mat.TriDense
	chol.LTo(&tri)
	low := tri.RawTriangular()
	e := &transformed{o: o, low: low, theta: make([]float64, m), grad: make([]float64, m), at: make([]float64, m)}
	start := make([]float64, m)
	copy(start, theta)
	blas64.Trmv(blas.Trans, low, vector(start))
	// gonum checks the gradient in the new coordinates; e.Converged checks the one that Logistic documents instead.
	res, err := optimize.Minimize(
		optimize.Problem{Func: e.value, Grad: e.gradient},
		start,
		&optimize.Settings{Converger: &stop{e, opt.Tolerance}, MajorIterations: opt.MaxIterations, GradientThreshold: math.NaN()},
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
