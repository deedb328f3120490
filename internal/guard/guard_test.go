package guard_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// value returns a node with a value: standard normal numbers, the same on every call.
func value(g *G.ExprGraph, dt tensor.Dtype, name string, shape ...int) *G.Node {
	s := rng.New(1, name)
	n := tensor.Shape(shape).TotalSize()
	single, double := make([]float32, n), make([]float64, n)
	for i := range double {
		double[i] = s.Normal()
		single[i] = float32(double[i])
	}
	var backing any = double
	if dt == tensor.Float32 {
		backing = single
	}
	return G.NewTensor(g, dt, len(shape), G.WithName(name), G.WithShape(shape...),
		G.WithValue(tensor.New(tensor.WithShape(shape...), tensor.WithBacking(backing))))
}

func indices(g *G.ExprGraph, name string, below int, n int) *G.Node {
	s := rng.New(1, name)
	x := make([]int, n)
	for i := range x {
		x[i] = s.Intn(below)
	}
	return G.NewVector(g, tensor.Int, G.WithName(name), G.WithShape(n), G.WithValue(tensor.New(tensor.WithBacking(x))))
}

// faulty is a model of one parameter with a fault.
func faulty(loss func(g *G.ExprGraph, dt tensor.Dtype, p *G.Node) (*G.Node, []*G.Node, error)) guard.Model {
	return guard.Model{Name: "faulty", Build: func(g *G.ExprGraph, dt tensor.Dtype) (guard.Graph, error) {
		p := value(g, dt, "p", 4, 3)
		l, inputs, err := loss(g, dt, p)
		return guard.Graph{Loss: l, Params: []*G.Node{p}, Inputs: inputs}, err
	}}
}

func sum(x *G.Node) *G.Node { return G.Must(op.Total(x)) }

// squares returns x² as an op, with the derivative slope·x, plus a number that before may change in each run.
func squares(x *G.Node, slope float64, before func(x []float64)) *G.Node {
	return G.Must(op.Apply(op.Spec{
		Name: "squares", Shape: x.Shape().Clone(), Diff: []bool{true},
		F32: squareKernel[float32](slope, before), F64: squareKernel[float64](slope, before),
	}, x))
}

func squareKernel[T op.Float](slope float64, before func([]float64)) op.Kernel[T] {
	extra := []float64{0}
	return op.Kernel[T]{
		Forward: func(in []op.Array[T], out []T) error {
			if before != nil {
				before(extra)
			}
			for i, v := range in[0].F {
				out[i] = v*v + T(extra[0])
			}
			return nil
		},
		Backward: func(in []op.Array[T], out, gout []T, din [][]T) error {
			for i, v := range in[0].F {
				din[0][i] += T(slope) * v * gout[i]
			}
			return nil
		},
	}
}

func TestFaultsAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		model guard.Model
		check string // that must fail
		want  string
	}{
		"a parameter written in place": {lossOf(func(p *G.Node) *G.Node {
			return sum(G.Must(G.Square(G.Must(G.Reshape(p, tensor.Shape{2, 6})))))
		}), "values are kept", "p is overwritten"},
		"two inputs of one name": {faulty(func(g *G.ExprGraph, dt tensor.Dtype, p *G.Node) (*G.Node, []*G.Node, error) {
			a, b := value(g, dt, "weight", 4, 3), value(g, dt, "weight", 4, 3)
			return sum(G.Must(G.HadamardProd(G.Must(G.HadamardProd(p, a)), b))), []*G.Node{a, b}, nil
		}), "inputs are distinct", "one node"},
		"two names with one hash": {faulty(func(g *G.ExprGraph, dt tensor.Dtype, p *G.Node) (*G.Node, []*G.Node, error) {
			a, b := collision(g, dt)
			return G.Must(G.Add(sum(G.Must(G.Square(p))), sum(G.Must(G.Sub(a, b))))), []*G.Node{a, b}, nil
		}), "nodes are distinct", "one hash"},
		"a wrong gradient": {lossOf(func(p *G.Node) *G.Node {
			return sum(squares(p, 2.001, nil))
		}), "gradients are right", "differences of the loss"},
		"accumulation": {lossOf(func(p *G.Node) *G.Node {
			return sum(squares(p, 2, func(x []float64) { x[0]++ }))
		}), "runs repeat", "accumulated"},
		"a loss of NaN": {lossOf(func(p *G.Node) *G.Node {
			return sum(squares(p, 2, func(x []float64) { x[0] = math.NaN() }))
		}), "runs repeat", "the loss is NaN"},
		"a parameter without effect": {lossOf(func(p *G.Node) *G.Node {
			return G.Must(op.Zero(p))
		}), "parameters are used", "would not be learned"},
		"an index out of range": {faulty(func(g *G.ExprGraph, dt tensor.Dtype, p *G.Node) (*G.Node, []*G.Node, error) {
			i := indices(g, "index", 1, 2)
			i.Value().Data().([]int)[1] = 4
			return sum(G.Must(op.Lookup(p, i))), []*G.Node{i}, nil
		}), "runs repeat", "expected 0 to 3"},
		"an unused parameter": {faulty(func(g *G.ExprGraph, dt tensor.Dtype, p *G.Node) (*G.Node, []*G.Node, error) {
			return sum(value(g, dt, "other", 2)), nil, nil
		}), "graph is built", "does the loss depend on every parameter?"},
		"a loss that is no scalar": {lossOf(func(p *G.Node) *G.Node {
			return p
		}), "graph is built", "not a scalar"},
		"an input without value": {faulty(func(g *G.ExprGraph, dt tensor.Dtype, p *G.Node) (*G.Node, []*G.Node, error) {
			return sum(p), []*G.Node{G.NewVector(g, dt, G.WithName("empty"), G.WithShape(3))}, nil
		}), "graph is built", "has no value"},
		"a panic": {lossOf(func(p *G.Node) *G.Node {
			return G.Must(op.Reshape(p, 5))
		}), "graph is built", "expected as many elements"},
	} {
		t.Run(name, func(t *testing.T) {
			report := guard.Check(c.model)
			found := slices.ContainsFunc(report.Findings, func(f guard.Finding) bool {
				return f.Check == c.check && f.Status == guard.Failed && strings.Contains(f.Detail, c.want)
			})
			if !found {
				t.Errorf("expected %q to fail with %q:\n%s", c.check, c.want, report)
			}
			if found != (report.Err() != nil) {
				t.Errorf("Err is %v", report.Err())
			}
		})
	}
}

// collision returns two inputs of different names that Gorgonia gives one hash; found by search, for
// float32 vectors of two.
func collision(g *G.ExprGraph, dt tensor.Dtype) (a, b *G.Node) {
	return value(g, dt, "x139599", 2), value(g, dt, "x322382", 2)
}
