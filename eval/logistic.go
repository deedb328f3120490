package eval

import (
	"context"
	"errors"
	"fmt"
)

// LogisticOptions says how Logistic solves. The zero value is the paper's classifier.
type LogisticOptions struct {
	C         float64   // weight of the data against the penalty, > 0; 0 means 1 (the paper's)
	Tolerance float64   // residual at which to stop (see Logistic), in (0,1); 0 means 1e-6
	Threads   int       // goroutines; 0 means all. The result is the same bits for any number
	Start     []float64 // where to start: D weights and the intercept; nil means zeros

	solve solver // nil means newton up to newtonMax dimensions, lbfgs above
}

// maxIterations is after how many steps a solver gives up.
const maxIterations = 1000

// solver finds the optimum. All arrive at the same one, within the tolerance: newton with the exact Hessian, O(n D²) a step and few steps; lbfgs by limited-memory
// BFGS on preconditioned parameters, O(n D) a step.
type solver func(o *objective, theta []float64, opt LogisticOptions) (*LogisticFit, error)

// newtonMax is the largest D for which newton was the faster of the two.
const newtonMax = 32

// LogisticFit is a fitted classifier: the score of x is Weights[:D]·x + Weights[D], the log odds in nats.
type LogisticFit struct {
	Weights    []float64 // D weights, then the intercept
	Objective  float64   // value of the objective, in nats
	Residual   float64   // size of the gradient without unit (see Logistic)
	Iterations int       // steps of the solver
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
	fit, err := opt.solve(o, theta, opt)
	if o.err != nil { // a pass was cut short
		return nil, o.err
	}
	if err != nil {
		return nil, err
	}
	if !(fit.Residual <= opt.Tolerance) {
		return nil, fmt.Errorf("eval: logistic regression: residual %.3g after %d iterations: expected %.3g", fit.Residual, fit.Iterations, opt.Tolerance)
	}
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
	if opt.solve == nil {
		if opt.solve = (*objective).newton; x.Cols() > newtonMax {
			opt.solve = (*objective).lbfgs
		}
	}
	switch {
	case x.Rows() == 0 || x.Cols() <= 0 || x.Rows() != len(label):
		return opt, fmt.Errorf("eval: logistic regression: %d rows of %d features, %d labels: expected one label for each row, and at least one feature", x.Rows(), x.Cols(), len(label))
	case !(opt.C > 0) || !finite(opt.C):
		return opt, fmt.Errorf("eval: logistic regression: C = %v: expected > 0", opt.C)
	case !(opt.Tolerance > 0 && opt.Tolerance < 1):
		return opt, fmt.Errorf("eval: logistic regression: tolerance = %v: expected in (0,1)", opt.Tolerance)
	case opt.Start != nil && len(opt.Start) != x.Cols()+1:
		return opt, fmt.Errorf("eval: logistic regression: a start of %d numbers: expected %d, the weights and the intercept", len(opt.Start), x.Cols()+1)
	}
	for i, v := range opt.Start {
		if !finite(v) {
			return opt, fmt.Errorf("eval: logistic regression: start[%d] = %v: expected finite numbers", i, v)
		}
	}
	for _, l := range label {
		if l != label[0] {
			return opt, nil
		}
	}
	return opt, errors.New("eval: logistic regression of a single class: expected rows of both")
}
