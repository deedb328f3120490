// Package plan runs Gorgonia graphs in float32: their own nodes, with Gorgonia's own gradients, one after the other, on memory that stays where
// it is. A run is a list of calls of kernels on slices. It allocates nothing, and leaves no goroutine or lock behind.
//
// Gorgonia's machine computes the same numbers (the tests compare them). It makes every value anew, and hands each run to another
// goroutine, which costs more than the arithmetic of a graph over a few windows. It also takes nodes for one whose hashes are alike.
package plan

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Plan computes some nodes of a graph. It is not safe for use by several goroutines; plans of different graphs may run at once.
type Plan struct {
	slots map[*G.Node]*slot
	steps []*step
	runs  []func() error // of steps
}

// slot is the value of a node.
type slot struct {
	shape tensor.Shape
	f     []float32
	ints  []int
	last  int   // the last step that reads it
	fixed bool  // memory of its own: of an input, or a result
	view  *slot // in whose memory it lies, with another shape; nil for none
}

// base returns the slot that has the memory.
func (s *slot) base() *slot {
	for s.view != nil {
		s = s.view
	}
	return s
}

func (s *slot) array() op.Array[float32] { return op.Array[float32]{Shape: s.shape, F: s.f, I: s.ints} }

// value returns the slot's memory as Gorgonia's ops take it.
func (s *slot) value() G.Value {
	switch {
	case s.shape.IsScalar():
		return G.NewF32(s.f[0])
	case s.ints != nil:
		return tensor.New(tensor.WithShape(s.shape...), tensor.WithBacking(s.ints))
	}
	return tensor.New(tensor.WithShape(s.shape...), tensor.WithBacking(s.f))
}

// step computes slots from others.
type step struct {
	name     string
	in, out  []*slot
	function func() func() error // asked for once all slots have memory
}

// New returns a plan for some nodes of one graph. Its inputs must be bound to values, which runs read in place. It returns an error for an input
// without a value, or of another type than float32 and int.
func New(results ...*G.Node) (*Plan, error) {
	b := &builder{Plan: &Plan{slots: map[*G.Node]*slot{}}, gradients: map[any][]*slot{}}
	for _, n := range results {
		if _, err := b.visit(n); err != nil {
			return nil, fmt.Errorf("plan: %w", err)
		}
	}
	for _, n := range results {
		b.slots[n].base().fixed = true
	}
	b.allocate()
	for _, s := range b.steps {
		b.runs = append(b.runs, s.function())
	}
	return b.Plan, nil
}

// Run computes the results from what the inputs' memory holds. It returns an error where an operation of the graph fails.
func (p *Plan) Run() error {
	for i, run := range p.runs {
		if err := run(); err != nil {
			return fmt.Errorf("plan: %s: %w", p.steps[i].name, err)
		}
	}
	return nil
}

// Floats returns the memory of a result, which the next run overwrites, or of an input; nil for a node that the results do not depend on.
func (p *Plan) Floats(n *G.Node) []float32 {
	if s := p.slots[n]; s != nil {
		return s.f
	}
	return nil
}

// builder makes a plan, node by node.
type builder struct {
	*Plan
	gradients map[any][]*slot // of an op, by input: one step computes all of them; nil where there is none
	views     []*slot
}

func (b *builder) visit(n *G.Node) (*slot, error) {
	if s := b.slots[n]; s != nil {
		return s, nil
	}
	children := op.Children(n)
	if len(children) == 0 && n.Value() != nil {
		s, err := leaf(n)
		b.slots[n] = s
		return s, err
	}
	if len(children) == 0 {
		return nil, fmt.Errorf("%v has no value: expected one bound", n)
	}
	in := make([]*slot, len(children))
	for i, c := range children {
		var err error
		if in[i], err = b.visit(c); err != nil {
			return nil, err
		}
	}
	d, direct := op.AsDirect(n.Op())
	if direct && d.Backward {
		s := b.backward(d, in)
		b.slots[n] = s
		return s, nil
	}
	if dt := n.Dtype(); dt != tensor.Float32 {
		return nil, fmt.Errorf("%v is %v: expected float32", n, dt)
	}
	s := &slot{shape: n.Shape().Clone()}
	b.slots[n] = s
	name := fmt.Sprint(n.Op())
	switch {
	case direct && d.Kind() == op.ReshapeKind: // ops write to their results alone, so that they can share memory
		s.view = in[0]
		b.views = append(b.views, s)
	case direct:
		b.add(name, in, []*slot{s}, func() func() error {
			arrays := arraysOf(in)
			return func() error { return d.Kernel.Forward(arrays, s.f) }
		})
	default:
		b.add(name, in, []*slot{s}, func() func() error {
			if fast := elementwise(name, in, s.f); fast != nil {
				return fast
			}
			return stock(n.Op(), in, s)
		})
	}
	return s, nil
}

// backward returns the gradient of one of an op's inputs.
func (b *builder) backward(d op.Direct, in []*slot) *slot {
	if of := b.gradients[d.Of]; of != nil {
		return of[d.Input]
	}
	inputs, out, gout := in[:len(in)-2], in[len(in)-2], in[len(in)-1]
	if d.Kind() == op.ReshapeKind {
		s := &slot{shape: inputs[0].shape, view: gout}
		b.views = append(b.views, s)
		b.gradients[d.Of] = []*slot{s}
		return s
	}
	of := make([]*slot, len(inputs))
	var all []*slot
	for i, differentiable := range d.Spec.Diff { // kernels write them all, wanted or not
		if differentiable {
			of[i] = &slot{shape: inputs[i].shape}
			all = append(all, of[i])
		}
	}
	b.gradients[d.Of] = of
	b.add("gradient of "+d.Spec.Name, in, all, func() func() error {
		arrays, din := arraysOf(inputs), make([][]float32, len(inputs))
		var zero [][]float32
		for i, s := range of {
			if s == nil {
				continue
			}
			din[i] = s.f
			if d.Spec.Sets == nil || !d.Spec.Sets[i] {
				zero = append(zero, s.f)
			}
		}
		return func() error {
			for _, x := range zero {
				clear(x)
			}
			return d.Kernel.Backward(arrays, out.f, gout.f, din)
		}
	})
	return of[d.Input]
}

func (b *builder) add(name string, in, out []*slot, function func() func() error) {
	b.steps = append(b.steps, &step{name, in, out, function})
}

// allocate gives every slot memory: what no later step reads is used again, so that a small graph stays in cache.
func (b *builder) allocate() {
	for i, s := range b.steps {
		for _, x := range slices.Concat(s.in, s.out) {
			x.base().last = i
		}
	}
	free := map[int][][]float32{} // by length
	for i, s := range b.steps {
		for _, x := range s.out {
			n := x.shape.TotalSize()
			if same := free[n]; len(same) > 0 && !x.fixed {
				x.f, free[n] = same[len(same)-1], same[:len(same)-1]
			} else {
				x.f = make([]float32, n)
			}
		}
		done := map[*slot]bool{}
		for _, x := range slices.Concat(s.in, s.out) {
			if x = x.base(); x.last == i && !x.fixed && !done[x] {
				done[x] = true
				free[len(x.f)] = append(free[len(x.f)], x.f)
			}
		}
	}
	for _, v := range b.views {
		v.f = v.base().f
	}
}

// leaf returns the slot of an input, in the memory of its value.
func leaf(n *G.Node) (*slot, error) {
	s := &slot{shape: n.Shape().Clone(), fixed: true}
	switch x := n.Value().Data().(type) {
	case []float32:
		s.f = x
	case float32:
		s.f = []float32{x}
	case []int:
		s.ints = x
	default:
		return nil, fmt.Errorf("%v holds %T: expected float32 or int", n, x)
	}
	return s, nil
}

func arraysOf(slots []*slot) []op.Array[float32] {
	arrays := make([]op.Array[float32], len(slots))
	for i, s := range slots {
		arrays[i] = s.array()
	}
	return arrays
}

// stock runs an op of Gorgonia's by its own code.
func stock(o G.Op, in []*slot, out *slot) func() error {
	args := make([]G.Value, len(in))
	return func() error {
		for i, s := range in {
			args[i] = s.value() // anew: some ops turn the header of an operand
		}
		v, err := o.Do(args...)
		if err != nil {
			return err
		}
		switch x := v.Data().(type) {
		case []float32:
			copy(out.f, x)
		case float32:
			out.f[0] = x
		default:
			return fmt.Errorf("the result holds %T: expected float32", x)
		}
		return nil
	}
}

// Reads says whether the results depend on a node.
func (p *Plan) Reads(n *G.Node) bool { return n != nil && p.slots[n] != nil }
