package gradcheck

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/guard"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// function is a function under test as a graph.
type function struct {
	g         *G.ExprGraph
	in        []*G.Node
	inputs    []Input
	out, loss *G.Node // the result, and the result contracted to a scalar
	value     G.Value // of out, copied in the run, because later ops may work in place
	vm        G.VM
}

func assemble(build Build, dt tensor.Dtype, inputs []Input) (*function, error) {
	f := &function{g: G.NewGraph(), inputs: inputs}
	for _, in := range inputs {
		n, err := in.node(f.g, dt)
		if err != nil {
			return nil, err
		}
		f.in = append(f.in, n)
	}
	var err error
	if f.out, err = build(f.g, f.in); err != nil {
		return nil, err
	}
	f.loss = f.out
	if !f.out.IsScalar() {
		weights := Input{Name: "gradcheck.weights", Shape: f.out.Shape(), Floats: unequal(f.out.Shape().TotalSize())}
		w, err := weights.node(f.g, dt)
		if err != nil {
			return nil, err
		}
		product, err := G.HadamardProd(f.out, w)
		if err != nil {
			return nil, fmt.Errorf("contracting the result: %w", err)
		}
		if f.loss, err = G.Sum(product); err != nil {
			return nil, fmt.Errorf("contracting the result: %w", err)
		}
	}
	G.Read(f.out, &f.value)
	return f, nil
}

// unequal returns n fixed weights in [0.25,1.25) without pattern: multiples of the golden ratio, modulo 1.
func unequal(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		x := float64(i+1) * 0.6180339887498949
		w[i] = 0.25 + x - float64(int(x))
	}
	return w
}

func (in Input) node(g *G.ExprGraph, dt tensor.Dtype) (*G.Node, error) {
	size := tensor.Shape(in.Shape).TotalSize()
	if len(in.Floats)+len(in.Ints) != size {
		return nil, fmt.Errorf("input %s: %d elements, expected %d for %v", in.Name, len(in.Floats)+len(in.Ints), size, in.Shape)
	}
	var backing any = append([]float64{}, in.Floats...)
	switch {
	case in.Ints != nil:
		dt, backing = tensor.Int, append([]int{}, in.Ints...)
	case dt == tensor.Float32:
		single := make([]float32, size)
		for i, x := range in.Floats {
			single[i] = float32(x)
		}
		backing = single
	}
	if len(in.Shape) == 0 {
		return G.NewScalar(g, dt, G.WithName(in.Name), G.WithValue(first(backing))), nil
	}
	value := tensor.New(tensor.WithShape(in.Shape...), tensor.WithBacking(backing))
	return G.NewTensor(g, dt, len(in.Shape), G.WithName(in.Name), G.WithShape(in.Shape...), G.WithValue(value)), nil
}

func first(backing any) any {
	switch b := backing.(type) {
	case []float32:
		return b[0]
	case []float64:
		return b[0]
	case []int:
		return b[0]
	}
	return nil
}

// differentiate adds the gradients and makes the machine.
func (f *function) differentiate() error {
	var wrt G.Nodes
	for i, in := range f.inputs {
		if in.Diff {
			wrt = append(wrt, f.in[i])
		}
	}
	if len(wrt) > 0 {
		if _, err := G.Grad(f.loss, wrt...); err != nil {
			return fmt.Errorf("gradient: %w", err)
		}
	}
	f.vm = G.NewTapeMachine(f.g)
	return nil
}

// result runs the machine once.
func (f *function) result() (Result, error) {
	defer f.vm.Reset()
	if err := f.vm.RunAll(); err != nil {
		return Result{}, err
	}
	r := Result{Value: guard.Floats(f.value), Shape: f.out.Shape(), Grads: make([][]float64, len(f.in))}
	for i, in := range f.inputs {
		if !in.Diff {
			continue
		}
		v, err := f.in[i].Grad()
		if err != nil {
			return Result{}, fmt.Errorf("gradient of %s: %w", in.Name, err)
		}
		r.Grads[i] = guard.Floats(v)
	}
	return r, nil
}

// snapshot returns the bytes of the inputs.
func (f *function) snapshot() [][]byte {
	b := make([][]byte, len(f.in))
	for i, n := range f.in {
		b[i] = guard.Bytes(n.Value())
	}
	return b
}
