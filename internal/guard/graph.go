package guard

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// instance is a model as a graph with gradients and a machine.
type instance struct {
	Graph
	g  *G.ExprGraph
	vm G.VM
}

// build calls the model's Build and turns a panic into an error.
func build(m Model, dt tensor.Dtype) (f *instance, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	f = &instance{g: G.NewGraph()}
	if f.Graph, err = m.Build(f.g, dt); err != nil {
		return nil, err
	}
	switch {
	case f.Loss == nil || !f.Loss.IsScalar():
		return nil, errors.New("the loss is not a scalar")
	case len(f.Params) == 0:
		return nil, errors.New("the model has no parameters")
	}
	for i, n := range f.nodes() {
		if n == nil || n.Value() == nil {
			return nil, fmt.Errorf("parameter or input %d of %d has no value: bind one with G.WithValue or G.Let", i+1, len(f.nodes()))
		}
	}
	return f, nil
}

// assemble builds the model with its gradients.
func assemble(m Model, dt tensor.Dtype) (f *instance, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	if f, err = build(m, dt); err != nil {
		return nil, err
	}
	if _, err := G.Grad(f.Loss, f.Params...); err != nil {
		return nil, fmt.Errorf("gradient: %w (does the loss depend on every parameter?)%s", err, f.stops())
	}
	f.vm = G.NewTapeMachine(f.g)
	return f, nil
}

func (f *instance) nodes() G.Nodes { return slices.Concat(f.Params, f.Inputs) }

// pass is what one run gives.
type pass struct {
	loss  float64
	grads [][]float64 // by parameter
}

func (f *instance) run() (pass, error) {
	defer f.vm.Reset()
	if err := f.vm.RunAll(); err != nil {
		return pass{}, err
	}
	p := pass{loss: Floats(f.Loss.Value())[0]}
	if math.IsNaN(p.loss) || math.IsInf(p.loss, 0) {
		return pass{}, lossError(p.loss)
	}
	for _, n := range f.Params {
		v, err := n.Grad()
		if err != nil {
			return pass{}, fmt.Errorf("gradient of %s: %w", n.Name(), err)
		}
		p.grads = append(p.grads, Floats(v))
	}
	return p, nil
}

// lossError is a loss that is not finite.
type lossError float64

func (e lossError) Error() string { return fmt.Sprintf("the loss is %v", float64(e)) }

// explained adds to the error of a run which op made the number that is not finite.
func explained(err error, m Model, dt tensor.Dtype) error {
	if _, is := err.(lossError); is {
		if made, _ := Origin(m, dt); made != "" {
			return fmt.Errorf("%w: %s", err, made)
		}
	}
	return err
}

// same reports what differs between two runs on the same values.
func (p pass) same(q pass) error {
	if p.loss != q.loss {
		return fmt.Errorf("the loss is %.9g in the first run and %.9g in the second: something is accumulated or overwritten", p.loss, q.loss)
	}
	for i := range p.grads {
		if !slices.EqualFunc(p.grads[i], q.grads[i], func(a, b float64) bool { return a == b || a != a && b != b }) {
			return fmt.Errorf("the gradient of parameter %d differs between two runs: something is accumulated or overwritten", i+1)
		}
	}
	return nil
}

// lost reports a parameter whose gradient is not finite, and which op made it so.
func (f *instance) lost(p pass, m Model, dt tensor.Dtype) error {
	for i, g := range p.grads {
		if j := wrong(g); j >= 0 {
			err := fmt.Errorf("%s has a gradient of %v, at element %s", f.Params[i].Name(), g[j], Element(f.Params[i].Shape(), j))
			if made := gradientOrigin(m, dt, i); made != "" {
				err = fmt.Errorf("%w: %s", err, made)
			}
			return err
		}
	}
	return nil
}

// unused reports a parameter that would not be learned.
func (f *instance) unused(p pass) error {
	for i, g := range p.grads {
		if !slices.ContainsFunc(g, func(d float64) bool { return d != 0 }) {
			return fmt.Errorf("%s has no gradient other than 0: it would not be learned", f.Params[i].Name())
		}
	}
	return nil
}

// falls returns an error that says how the loss falls without a bound, if it is seen to: with longer and longer parameters, or further
// and further down the gradient.
func falls(m Model) error {
	f, err := assemble(m, tensor.Float64)
	if err != nil {
		return nil // as the other checks say
	}
	defer f.vm.Close()
	start, err := f.run()
	if err != nil {
		return nil
	}
	var at [][]float64
	length, slope := 0.0, 0.0
	for i, n := range f.Params {
		at = append(at, Floats(n.Value()))
		for j, x := range at[i] {
			length += x * x
			slope += start.grads[i][j] * start.grads[i][j]
		}
	}
	length, slope = math.Sqrt(length), math.Sqrt(slope)
	bound := -fallen * max(1, math.Abs(start.loss))
	for _, down := range []bool{false, true} {
		for far := 10.0; far <= 1e4; far *= 10 {
			for i, n := range f.Params {
				set, _ := setter(n.Value())
				for j, x := range at[i] {
					if down {
						set(j, x-far*length/slope*start.grads[i][j])
					} else {
						set(j, far*x)
					}
				}
			}
			p, err := f.run()
			if e, is := err.(lossError); is && math.IsInf(float64(e), -1) {
				p.loss = float64(e)
			} else if err != nil { // too far for numbers
				break
			}
			switch {
			case p.loss < bound && down:
				return fmt.Errorf("from %.3g it falls to %.3g down its gradient, %.0f times as far as the parameters are long: training may only make vectors longer", start.loss, p.loss, far)
			case p.loss < bound:
				return fmt.Errorf("from %.3g it falls to %.3g where parameters are %.0f times as long: training may only make vectors longer", start.loss, p.loss, far)
			}
		}
	}
	return nil
}

// fallen is how many times its size a loss must fall below zero to be taken for one without a bound.
const fallen = 1e4

func (f *instance) snapshot() [][]byte {
	var s [][]byte
	for _, n := range f.nodes() {
		s = append(s, Bytes(n.Value()))
	}
	return s
}

// changed reports a parameter or input that is not what it was.
func (f *instance) changed(before [][]byte) error {
	for i, b := range f.snapshot() {
		if !bytes.Equal(b, before[i]) {
			return fmt.Errorf("%s is overwritten by a run: an op works in place on memory it shares (use op.Reshape, not Gorgonia's)", f.nodes()[i].Name())
		}
	}
	return nil
}

// elements is how many elements of a parameter are compared, at most.
const elements = 400

// differentiate compares gradients with central differences in float64, and returns the number of elements compared. An
// element may be off by 1e-5 of the largest of its parameter, and by 1e-8, which is far above the error of the differences.
func differentiate(m Model) (checked int, err error) {
	f, err := assemble(m, tensor.Float64)
	if err != nil {
		return 0, fmt.Errorf("float64: %w", err)
	}
	defer f.vm.Close()
	exact, err := f.run()
	if err == nil {
		err = f.lost(exact, m, tensor.Float64)
	}
	if err != nil {
		return 0, fmt.Errorf("float64: %w", explained(err, m, tensor.Float64))
	}
	plain, err := build(m, tensor.Float64) // without gradients, which a difference does not need
	if err != nil {
		return 0, fmt.Errorf("float64: %w", err)
	}
	plain.vm = G.NewTapeMachine(plain.g)
	defer plain.vm.Close()
	for i, n := range plain.Params {
		numeric, err := Differences(plain.Loss, n, plain.vm, 1e-6, elements)
		if err != nil {
			return checked, err
		}
		largest := 0.0
		for _, d := range exact.grads[i] {
			largest = max(largest, math.Abs(d))
		}
		compared := 0
		for j, want := range numeric {
			if math.IsNaN(want) {
				continue
			}
			compared++
			if got := exact.grads[i][j]; !(math.Abs(got-want) <= 1e-5*largest+1e-8) {
				return checked, fmt.Errorf("%s: element %s has the gradient %.6g, and the differences of the loss say %.6g", n.Name(), Element(n.Shape(), j), got, want)
			}
		}
		if want := min(len(numeric), elements); compared != want { // those not taken are NaN, but so is a loss of NaN
			return checked, fmt.Errorf("%s: the loss is NaN near %d of %d elements", n.Name(), want-compared, want)
		}
		checked += compared
	}
	return checked, nil
}
