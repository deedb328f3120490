package encode

import (
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Graph computes vectors (R,D) of what is in the memory of its inputs, and the gradients of its parameters by that of the vectors.
// It is compiled when it is first run.
type Graph struct {
	build func(g *G.ExprGraph) (out *G.Node, params []*G.Node, err error)
	Grad  []float32 // (R,D): dL/d vectors, which Differentiate reads

	value   *engine.Evaluator
	program *engine.Program
}

// NewGraph returns the graph of some rows of dim numbers, which build makes.
func NewGraph(rows, dim int, build func(g *G.ExprGraph) (*G.Node, []*G.Node, error)) Graph {
	return Graph{build: build, Grad: make([]float32, rows*dim)}
}

// Vectors returns the vectors, which the next run overwrites.
func (v *Graph) Vectors() ([]float32, error) {
	if v.value == nil {
		out, _, err := v.build(G.NewGraph())
		if err != nil {
			return nil, err
		}
		if v.value, err = engine.NewEvaluator(out); err != nil {
			return nil, err
		}
	}
	return v.value.Run()
}

// Differentiate works out the gradients of the parameters, which Gradient returns.
func (v *Graph) Differentiate() error {
	if v.program == nil {
		g := G.NewGraph()
		out, params, err := v.build(g)
		if err != nil {
			return err
		}
		loss, err := WeightedSum(out, engine.FloatNode(g, tensor.Float32, "gradient", v.Grad, out.Shape()...))
		if err != nil {
			return err
		}
		if v.program, err = engine.Compile(loss, nil, params...); err != nil {
			return err
		}
	}
	_, err := v.program.Run()
	return err
}

// Gradient returns that of parameter i by the last Differentiate.
func (v *Graph) Gradient(i int) []float32 { return v.program.Gradient(i) }

// WeightedSum returns the sum of x∘y, whose gradients are those of a loss with dL/dx = y.
func WeightedSum(x, y *G.Node) (*G.Node, error) {
	product, err := G.HadamardProd(x, y)
	if err != nil {
		return nil, err
	}
	return op.Total(product)
}

// InChunks puts rows of x (N,W) into the memory of an input, as many at a time as it has room for and zeros behind the last, and calls do
// for rows lo to hi-1.
func InChunks(input, x []float32, w int, do func(lo, hi int) error) error {
	n, room := len(x)/w, len(input)/w
	for lo := 0; lo < n; lo += room {
		hi := min(lo+room, n)
		clear(input[copy(input, x[lo*w:hi*w]):])
		if err := do(lo, hi); err != nil {
			return err
		}
	}
	return nil
}
