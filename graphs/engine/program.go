package engine

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/plan"
	"github.com/asp2vec/asp2vec/internal/seq"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Program is a graph of one loss, ready to be run: run it, then read the loss and the gradients.
type Program struct {
	plan   *plan.Plan
	loss   *G.Node
	params []*G.Node
	grads  []*G.Node
}

// Compile differentiates a scalar loss by params. The graph's input nodes must be bound to float32 or int values, which later runs read in
// place. Values are nodes whose values are wanted besides. It returns an error if the loss is no scalar, or does not depend on a parameter.
func Compile(loss *G.Node, values []*G.Node, params ...*G.Node) (*Program, error) {
	grads, err := G.Grad(loss, params...)
	if err != nil {
		return nil, fmt.Errorf("engine: gradient of %v: %w", loss, err)
	}
	p, err := plan.New(slices.Concat([]*G.Node{loss}, values, grads)...)
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	return &Program{p, loss, params, grads}, nil
}

// Run computes the loss and its gradients from what the inputs' memory holds. It returns an error where an operation of the graph
// fails, and for a loss that is not finite, with the operation that made it so.
func (p *Program) Run() (loss float64, err error) {
	if err := p.plan.Run(); err != nil {
		return 0, fmt.Errorf("engine: %w", err)
	}
	if loss = float64(p.plan.Floats(p.loss)[0]); !finite(loss) {
		said, grown := guard.Origin(guard.Model{Build: func(*G.ExprGraph, tensor.Dtype) (guard.Graph, error) {
			return guard.Graph{Loss: p.loss, Params: p.params}, nil
		}}, tensor.Float32)
		return loss, notFinite(loss, said, grown)
	}
	return loss, nil
}

// Gradient returns the gradient by parameter i, which the next run overwrites.
func (p *Program) Gradient(i int) []float32 { return p.plan.Floats(p.grads[i]) }

// Value returns one of the values that Compile was asked for, which the next run overwrites.
func (p *Program) Value(n *G.Node) []float32 { return p.plan.Floats(n) }

// differentiated plans results, with their gradients by inputs from those by the results, seeds; a gradient is nil where there is none.
func differentiated(results, seeds, inputs []*G.Node) (p *plan.Plan, gradients [][]float32, err error) {
	derived, err := plan.Gradients(results, seeds, inputs)
	if err != nil {
		return nil, nil, err
	}
	there := seq.Filter(derived, func(n *G.Node) bool { return n != nil })
	if p, err = plan.New(slices.Concat(results, there)...); err != nil {
		return nil, nil, err
	}
	return p, seq.Map(derived, p.Floats), nil
}

// Evaluator is a graph of which only the value is wanted.
type Evaluator struct {
	plan *plan.Plan
	out  *G.Node
}

// NewEvaluator returns an evaluator of a graph that computes out, a float32 tensor. It returns an error for inputs of other types than float32
// and int.
func NewEvaluator(out *G.Node) (*Evaluator, error) {
	p, err := plan.New(out)
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	return &Evaluator{p, out}, nil
}

// Run computes the value from what the inputs' memory holds. The next run overwrites it. It returns an error where an operation of the
// graph fails.
func (e *Evaluator) Run() ([]float32, error) {
	if err := e.plan.Run(); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	return e.plan.Floats(e.out), nil
}

// dense returns a tensor over memory that others may share: every graph has tensor headers of its own, because some
// operations turn the header of an operand for a while.
func dense(backing any, shape ...int) *tensor.Dense {
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(backing))
}
