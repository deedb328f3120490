// Package gradcheck compares the gradient that a graph computes with the one that its values show.
//
// A function of graph nodes is built three times: in float64 with its gradient, in float64 without, for finite
// differences, and in float32. What disagrees is an error that names the input, the element and both numbers.
package gradcheck

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/internal/guard"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Build is the function under test: it adds nodes to g and returns the result, a scalar or a tensor. Its error ends the check.
type Build func(g *G.ExprGraph, in []*G.Node) (*G.Node, error)

// Input is one input of the function. Either Floats or Ints holds its elements, in row-major order.
type Input struct {
	Name   string
	Shape  []int // empty for a scalar
	Floats []float64
	Ints   []int
	Diff   bool // the gradient with respect to it is checked
}

// Option changes what Check expects.
type Option func(*config)

type config struct{ gradientOf Build }

// GradientOf says that the gradient is meant to be that of another function of the same inputs and shape: a
// straight-through estimator returns one function and differentiates another.
func GradientOf(b Build) Option { return func(c *config) { c.gradientOf = b } }

// step is that of central differences in float64: the error of rounding, 1e-16/step, and of the formula, step², are both
// far below the tolerance.
const step = 1e-6

// tolerance is how far a gradient may be from the differences, and tolerance32 how far float32 may be from float64,
// relative to 1 or the number, whichever is more.
const (
	tolerance   = 1e-6
	tolerance32 = 1e-4
)

// Check returns an error where the gradient of a function, as Gorgonia computes it, disagrees with central finite differences
// in float64, by more than 1e-6 relative to 1 or the derivative, whichever is more. A tensor result is contracted with fixed
// unequal weights first, since the plain sum of a softmax, for example, has no gradient at all.
//
// It is also an error if a run overwrites an input, a second run differs from the first, float32 values or gradients are far
// from float64, or build fails.
func Check(build Build, inputs []Input, options ...Option) error {
	c := config{gradientOf: build}
	for _, o := range options {
		o(&c)
	}
	exact, err := Run(build, tensor.Float64, inputs)
	if err != nil {
		return fmt.Errorf("gradcheck: float64: %w", err)
	}
	var errs []error
	numeric, err := differences(c.gradientOf, inputs)
	if err != nil {
		return fmt.Errorf("gradcheck: finite differences: %w", err)
	}
	for i, in := range inputs {
		if in.Diff {
			errs = append(errs, Compare("gradient of "+in.Name, exact.Grads[i], numeric[i], tolerance))
		}
	}
	rough, err := Run(build, tensor.Float32, inputs)
	if err != nil {
		return fmt.Errorf("gradcheck: float32: %w", err)
	}
	errs = append(errs, Compare("float32 value", rough.Value, exact.Value, tolerance32))
	for i, in := range inputs {
		if in.Diff {
			errs = append(errs, Compare("float32 gradient of "+in.Name, rough.Grads[i], exact.Grads[i], tolerance32))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("gradcheck: %w", err)
	}
	return nil
}

// Compare returns an error for the element of got that is farthest from want, if it is farther than tol relative to 1 or
// the wanted number, whichever is more. NaN is far from everything but NaN.
func Compare(what string, got, want []float64, tol float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%s: %d elements, expected %d", what, len(got), len(want))
	}
	worst, at := tol, -1
	for i, w := range want {
		e := math.Abs(got[i]-w) / max(1, math.Abs(w))
		if got[i] == w || math.IsNaN(got[i]) && math.IsNaN(w) {
			continue
		}
		if !(e <= worst) {
			worst, at = e, i
			if math.IsNaN(e) {
				break
			}
		}
	}
	if at >= 0 {
		return fmt.Errorf("%s: element %d is %.9g, expected %.9g (tolerance %g)", what, at, got[at], want[at], tol)
	}
	return nil
}

// Result is what a run of a function gives.
type Result struct {
	Value []float64   // of the function, before it is contracted
	Shape []int       // of the value; empty for a scalar
	Grads [][]float64 // of the contracted value, by input; nil for inputs without Diff
}

// Run builds the function in a float type, with its gradients, and runs it twice. It returns an error if the two runs
// differ in any bit or an input is overwritten. The gradients are those of the value, if it is a scalar, and else of its
// sum with fixed unequal weights.
func Run(build Build, dt tensor.Dtype, inputs []Input) (Result, error) {
	f, err := assemble(build, dt, inputs)
	if err != nil {
		return Result{}, err
	}
	if err := f.differentiate(); err != nil {
		return Result{}, err
	}
	defer f.vm.Close()
	before := f.snapshot()
	first, err := f.result()
	if err != nil {
		return Result{}, err
	}
	second, err := f.result()
	if err != nil {
		return Result{}, fmt.Errorf("second run: %w", err)
	}
	for i, b := range f.snapshot() {
		if !bytes.Equal(b, before[i]) {
			return Result{}, fmt.Errorf("input %s: overwritten by the run", inputs[i].Name)
		}
	}
	if !same(first.Value, second.Value) || !slices.EqualFunc(first.Grads, second.Grads, same) {
		return Result{}, errors.New("the second run differs from the first: something is accumulated or overwritten")
	}
	return first, nil
}

// differences returns the central finite differences of the contracted value, by input, in float64.
func differences(build Build, inputs []Input) ([][]float64, error) {
	f, err := assemble(build, tensor.Float64, inputs)
	if err != nil {
		return nil, err
	}
	f.vm = G.NewTapeMachine(f.g)
	defer f.vm.Close()
	grads := make([][]float64, len(inputs))
	for i, in := range inputs {
		if in.Diff {
			grads[i], err = guard.Differences(f.loss, f.in[i], f.vm, step, len(in.Floats))
			if err != nil {
				return nil, err
			}
		}
	}
	return grads, nil
}

func same(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}
