// Package guard checks a model's graph before it is trained, for those faults that give wrong numbers without an error:
// nodes that Gorgonia merged, parameters that a run overwrites, and gradients that are not those of the loss.
//
// It is meant for a small batch of random data, and for people who have just changed a layer or a loss.
package guard

import (
	"cmp"
	"errors"
	"fmt"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Graph is what a model built: its loss, a scalar, the parameters it learns, and its other inputs (indices, noise,
// weights), all with values bound.
type Graph struct {
	Loss           *G.Node
	Params, Inputs []*G.Node
}

// Model is a model to check.
type Model struct {
	Name string
	// Build adds the model to g, in float32 as it is trained or in float64 to check gradients, and binds values: small,
	// random, and the same for both types. It is called more than once and must use no memory of an earlier call.
	Build func(g *G.ExprGraph, dt tensor.Dtype) (Graph, error)
	// Smooth is the model to compare with differences where the gradient of this one is meant to differ from that of the loss, as with a
	// straight-through estimator. Its name says what is in place of what. Nil for most models.
	Smooth *Model
	// AddsUp, unless nil, returns an error if the loss is not the sum of what parts of a batch make of it, though it is trained so.
	AddsUp func() error
	// NoBound says why the loss may fall without a bound, as one that stands in for the rest of a model. Empty for most models.
	NoBound string
}

// Status is the outcome of one check.
type Status string

// The outcomes. A check is skipped where the model says that it does not apply, or where an earlier failure prevents it. A warning is of
// what may be meant. A note is no check.
const (
	OK      Status = "ok"
	Failed  Status = "failed"
	Skipped Status = "skipped"
	Warning Status = "warning"
	Note    Status = "note"
)

// Finding is the outcome of one check, with what was looked at, or what is wrong and what to do.
type Finding struct {
	Check  string
	Status Status
	Detail string
}

// Report is the outcome of all checks, in a fixed order.
type Report struct {
	Model    string
	Findings []Finding

	causes map[string]error // of checks that failed with one
}

// Err returns an error that names the checks that failed, or nil.
func (r Report) Err() error {
	var errs []error
	for _, f := range r.Findings {
		if f.Status == Failed {
			cause := r.causes[f.Check]
			if cause == nil {
				cause = errors.New(f.Detail)
			}
			errs = append(errs, fmt.Errorf("guard: %s: %s: %w", r.Model, f.Check, cause))
		}
	}
	return errors.Join(errs...)
}

// Check runs all checks on a model. It does not panic if the building of the graph does, but a panic inside an op ends
// the process: Gorgonia runs ops in a goroutine of its own.
func Check(m Model) Report {
	r := Report{Model: m.Name, causes: map[string]error{}}
	add := func(check string, detail string, err error) bool {
		f := Finding{check, OK, detail}
		if err != nil {
			f.Status, f.Detail = Failed, err.Error()
			r.causes[check] = err
		}
		r.Findings = append(r.Findings, f)
		return err == nil
	}
	skip := func(reason string, checks ...string) {
		for _, c := range checks {
			r.Findings = append(r.Findings, Finding{c, Skipped, reason})
		}
	}
	const build, distinct, hashes, runs = "graph is built", "inputs are distinct", "nodes are distinct", "runs repeat"
	const overwritten, used, gradient, bounded = "values are kept", "parameters are used", "gradients are right", "loss has a bound"
	const adds = "blocks add up"

	f, err := assemble(m, tensor.Float32)
	if !add(build, "float32", err) {
		skip("there is no graph", distinct, hashes, runs, overwritten, used, gradient, bounded)
		return r
	}
	defer f.vm.Close()
	nodes := f.nodes()
	add(distinct, fmt.Sprintf("%d parameters and inputs", len(nodes)), Distinct(nodes...))
	add(hashes, fmt.Sprintf("%d nodes, with those of the gradients", len(f.g.AllNodes())), Hashes(f.g))

	before := f.snapshot()
	first, err := f.run()
	if err != nil {
		add(runs, "", explained(err, m, tensor.Float32))
		skip("the graph does not run", overwritten, used, gradient, bounded)
		return r
	}
	second, err := f.run()
	if err == nil {
		err = first.same(second)
	}
	add(runs, fmt.Sprintf("loss %.6g, twice, with equal gradients", first.loss), err)
	kept := add(overwritten, "no parameter or input changed in two runs", f.changed(before))
	lost := f.lost(first, m, tensor.Float32)
	add(used, "each has a gradient", cmp.Or(lost, f.unused(first)))

	if m.AddsUp != nil {
		add(adds, "the loss of all windows at once is that of two blocks", m.AddsUp())
	}
	switch {
	case lost != nil:
		skip("a gradient is not finite", gradient, bounded)
		return r
	case !kept: // a difference of two runs would compare two other models
		skip("runs change the values", gradient, bounded)
		return r
	}
	compared, with := m, ""
	if m.Smooth != nil {
		compared, with = *m.Smooth, ", with "+m.Smooth.Name
	}
	checked, err := differentiate(compared)
	if err != nil {
		err = fmt.Errorf("%w%s", err, with)
	}
	add(gradient, fmt.Sprintf("%d elements against finite differences in float64%s", checked, with), err)
	if m.NoBound != "" {
		skip(m.NoBound, bounded)
	} else if err := falls(m); err != nil {
		r.Findings = append(r.Findings, Finding{bounded, Warning, err.Error()})
	} else {
		add(bounded, "it does not fall below -1e4 with longer parameters or down its gradient", nil)
	}
	return r
}

// ErrOneHash is the error of Hashes. Ops of this project hash with a number of their own, so that a graph that is built again has other
// hashes: among a hundred nodes, two have one hash once in a million graphs.
var ErrOneHash = errors.New("have one hash, so that one would be taken for the other")

// Hashes returns an error, ErrOneHash, if two nodes of the graph have one hash of 32 bits. Gorgonia's machine takes them for one node
// and computes only one of them. It cannot see nodes that were merged when they were added: see Distinct.
func Hashes(g *G.ExprGraph) error {
	seen := make(map[uint32]*G.Node)
	for _, n := range g.AllNodes() {
		h := n.Hashcode()
		if o, ok := seen[h]; ok && o != n {
			return fmt.Errorf("%s and %s %w: build the graph again, or rename an input", o.Name(), n.Name(), ErrOneHash)
		}
		seen[h] = n
	}
	return nil
}

// Distinct returns an error if two of the nodes are one, as Gorgonia makes of inputs of equal name and shape, or if two
// have one name, which hides what is wrong in messages.
func Distinct(nodes ...*G.Node) error {
	names := make(map[string]int)
	for i, n := range nodes {
		if n == nil {
			return fmt.Errorf("node %d of %d is nil", i+1, len(nodes))
		}
		if j, ok := names[n.Name()]; ok && nodes[j] == n {
			return fmt.Errorf("nodes %d and %d of %d are one node, %q: give each input a name of its own", j+1, i+1, len(nodes), n.Name())
		} else if ok {
			return fmt.Errorf("nodes %d and %d of %d are both named %q: give each input a name of its own", j+1, i+1, len(nodes), n.Name())
		}
		names[n.Name()] = i
	}
	return nil
}
