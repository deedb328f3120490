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
// values, which later runs read in place. It returns an error if the loss is no scalar, does not depend on a parameter, or Gorgonia
// would merge two nodes by mistake.
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

// Evaluator is a compiled graph of which only the value is wanted.
type Evaluator struct {
	vm    G.VM
	value G.Value
}

// NewEvaluator makes a machine for a graph that computes out, a float32 tensor. It returns an error if Gorgonia would merge two nodes by
// mistake.
func NewEvaluator(out *G.Node) (*Evaluator, error) {
	if err := guard.Hashes(out.Graph()); err != nil {
		return nil, err
	}
	e := new(Evaluator)
	G.Read(out, &e.value)
	e.vm = newMachine(out.Graph())
	return e, nil
}

// Run computes the value from what the inputs' memory holds. The next run overwrites it. It returns an error where an operation of the
// graph fails.
func (e *Evaluator) Run() ([]float32, error) {
	if err := runWhole(e.vm); err != nil {
		return nil, err
	}
	return e.value.Data().([]float32), nil
}

// runWhole runs a machine from the start.
func runWhole(vm G.VM) error {
	vm.Reset()
	err := vm.RunAll()
	if err == nil {
		return nil
	}
	if inner, ok := err.(interface{ Err() error }); ok {
		err = inner.Err() // the machine's own type does not unwrap
	}
	return fmt.Errorf("graphs: %w", err)
}

// newMachine returns a machine for a graph, without the finalizer that the library gives it: that is for what a GPU holds, and
// keeps the memory of a graph for a collection longer.
func newMachine(g *G.ExprGraph) G.VM {
	vm := G.NewTapeMachine(g)
	runtime.SetFinalizer(vm, nil)
	return vm
}

// Run computes the loss and its gradients from what the inputs' memory holds. It returns an error where an operation of the graph
// fails, or the loss is no scalar.
func (p *Program) Run() (loss float64, err error) {
	if err := runWhole(p.vm); err != nil {
		return 0, err
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
