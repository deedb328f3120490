package eval

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// dense makes features and labels of n rows.
func dense(n, d int, scale float64, seed uint64) (Embedding, []bool) {
	r := rng.New(seed, "dense")
	x := Embedding{N: n, D: d, Data: make([]float32, n*d)}
	label := make([]bool, n)
	for i := range n {
		var z float64
		for j := range d {
			v := r.Normal() * scale
			x.Data[i*d+j] = float32(v)
			z += v / scale * float64(j%3-1)
		}
		label[i] = z+2*r.Normal() > 0.3
	}
	return x, label
}

// The gradient and the Hessian of the objective against finite differences, at points near and far from the optimum: at the
// far one exp would overflow if it were not taken of the negative side.
func TestObjectiveDerivatives(t *testing.T) {
	x, label := dense(700, 7, 1, 1) // more than one chunk, a last block that is not full
	o := call.Of(newObjective(context.Background(), x, label, 0.7, 2))(t)
	m := o.d + 1
	for _, size := range []float64{0, 0.5, 1000} {
		r := rng.New(2, "theta")
		theta := make([]float64, m)
		for j := range theta {
			theta[j] = size * r.Normal()
		}
		grad, hess, dummy := make([]float64, m), make([]float64, m*m), make([]float64, m)
		if f := o.eval(theta, grad, hess); !finite(f) {
			t.Fatalf("size %v: f = %v", size, f)
		}
		numeric := fd.Gradient(nil, func(p []float64) float64 { return o.eval(p, dummy, nil) }, theta, &fd.Settings{Formula: fd.Central})
		for j := range numeric {
			near(t, fmt.Sprintf("size %v: gradient %d", size, j), grad[j], numeric[j], 1e-5*(1+math.Abs(numeric[j])))
		}
		for j := range theta { // column j of the Hessian is the derivative of the gradient
			const h = 1e-5
			up, down := make([]float64, m), make([]float64, m)
			old := theta[j]
			theta[j] = old + h
			o.eval(theta, up, nil)
			theta[j] = old - h
			o.eval(theta, down, nil)
			theta[j] = old
			for i := range m {
				want := (up[i] - down[i]) / (2 * h)
				near(t, fmt.Sprintf("size %v: Hessian %d,%d", size, i, j), hess[i*m+j], want, 1e-4*(1+math.Abs(want)))
			}
		}
	}
}

var solvers = map[string]solver{"newton": (*objective).newton, "lbfgs": (*objective).lbfgs}

func TestSolversAgree(t *testing.T) {
	for _, c := range []struct {
		name        string
		n, d        int
		scale, c, w float64 // w: how far weights may lie apart, relative to the largest
	}{
		{"small", 60, 2, 1, 1, 1e-6},
		{"many chunks", 20000, 10, 1, 1, 1e-6},
		{"tiny features", 500, 5, 1e-6, 1, 1e-4},
		{"huge features", 500, 5, 1e6, 1, 1e-4},
		{"more features than rows", 30, 80, 1, 1, 1e-5},
		{"weak penalty", 500, 4, 1, 1e6, 1e-4},
		{"strong penalty", 500, 4, 1, 1e-6, 1e-4},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, label := dense(c.n, c.d, c.scale, 3)
			var fits []*LogisticFit
			for _, s := range solvers {
				fit := call.Of(Logistic(context.Background(), x, label, LogisticOptions{C: c.c, solve: s, Tolerance: 1e-9}))(t)
				fits = append(fits, fit)
			}
			var top float64
			for _, w := range fits[0].Weights {
				top = max(top, math.Abs(w))
			}
			for j, w := range fits[0].Weights {
				near(t, fmt.Sprintf("weight %d", j), fits[1].Weights[j], w, c.w*top)
			}
		})
	}
}

// Classes that a plane separates perfectly have their optimum at a finite point because of the penalty.
func TestSeparable(t *testing.T) {
	x := Embedding{N: 4, D: 1, Data: []float32{-2e4, -1e4, 1e4, 2e4}}
	for name, s := range solvers {
		fit, err := Logistic(context.Background(), x, []bool{false, false, true, true}, LogisticOptions{solve: s})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !(fit.Weights[0] > 0) || !finite(fit.Objective) {
			t.Errorf("%s: weights %v, objective %v", name, fit.Weights, fit.Objective)
		}
	}
}

// A column of zeros gets weight 0 also from a start that is not 0 there.
func TestZeroColumn(t *testing.T) {
	x, label := dense(300, 3, 1, 5)
	for i := range x.N {
		x.Data[3*i+1] = 0
	}
	for name, s := range solvers {
		fit, err := Logistic(context.Background(), x, label, LogisticOptions{solve: s, Start: []float64{1, 9, -1, 0}, Tolerance: 1e-9})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		near(t, name+": weight of zeros", fit.Weights[1], 0, 1e-5)
	}
}
