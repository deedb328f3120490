package graphs

import (
	"fmt"
	"runtime"

	"github.com/asp2vec/asp2vec/internal/guard"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Program is a compiled graph of one loss: run it, then read the loss and the gradients.
type Program struct {
	vm    G.VM
	loss  *G.Node
	grads []*G.Node
}

// Compile differentiates a scalar loss by params and makes a machine for it. The graph's input nodes must be bound to
// values, which later runs read in place. It returns an error if Gorgonia would merge two nodes by mistake.
func Compile(loss *G.Node, params ...*G.Node) (*Program, error) {
	grads, err := G.Grad(loss, params...)
	if err != nil {
		return nil, fmt.Errorf("graphs: gradient of %v: %w", loss, err)
	}
	if err := guard.Hashes(loss.Graph()); err != nil {
		return nil, err
	}
	return &Program{vm: newMachine(loss.Graph()), loss: loss, grads: grads}, nil
}

// newMachine returns a machine for a graph, without the finalizer that the library gives it: that is for what a GPU holds, and
// keeps the memory of a graph for a collection longer.
func newMachine(g *G.ExprGraph) G.VM {
	vm := G.NewTapeMachine(g)
	runtime.SetFinalizer(vm, nil)
	return vm
}

// Run computes the loss and its gradients from what the inputs' memory holds.
func (p *Program) Run() (loss float64, err error) {
	p.vm.Reset()
	if err := p.vm.RunAll(); err != nil {
		if inner, ok := err.(interface{ Err() error }); ok {
			err = inner.Err() // the machine's own type does not unwrap
		}
		return 0, fmt.Errorf("graphs: %w", err)
	}
	switch l := p.loss.Value().Data().(type) {
	case float32:
		return float64(l), nil
	case float64:
		return l, nil
	default:
		return 0, fmt.Errorf("graphs: the loss is a %T: want a scalar", l)
	}
}

// Gradient returns the Gradient by parameter i, which the next run overwrites.
func (p *Program) Gradient(i int) []float32 { return p.grads[i].Value().Data().([]float32) }

// dense returns a tensor over memory that others may share: every graph has tensor headers of its own, because some
// operations turn the header of an operand for a while.
func dense(backing any, shape ...int) *tensor.Dense {
	return tensor.New(tensor.WithShape(shape...), tensor.WithBacking(backing))
}
