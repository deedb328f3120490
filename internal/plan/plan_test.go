package plan

import (
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func input(g *G.ExprGraph, name string, x []float32, shape ...int) *G.Node {
	return G.NewTensor(g, tensor.Float32, len(shape), G.WithName(name), G.WithShape(shape...), G.WithValue(tensor.New(tensor.WithShape(shape...), tensor.WithBacking(x))))
}

// A plan computes what Gorgonia's machine does, values and gradients, of every op of Gorgonia's that has a loop of its own here, of one that
// has none, and of views; with numbers of both signs where they are defined.
func TestPlanIsTheMachine(t *testing.T) {
	type build func(x, y *G.Node) (*G.Node, error)
	one := func(f func(x *G.Node) (*G.Node, error)) build {
		return func(x, _ *G.Node) (*G.Node, error) { return f(x) }
	}
	where := func(f func(x, y *G.Node, same bool) (*G.Node, error)) build {
		return func(x, y *G.Node) (*G.Node, error) { return G.HadamardProd(x, G.Must(f(x, y, true))) }
	}
	two := func() *G.Node { return G.NewConstant(float32(2)) }
	for name, build := range map[string]build{
		"neg": one(G.Neg), "exp": one(G.Exp),
		"log":     func(x, _ *G.Node) (*G.Node, error) { return G.Log(G.Must(G.Square(x))) },
		"sigmoid": one(G.Sigmoid), "tanh": one(G.Tanh),
		"square": one(G.Square), "cube": one(G.Cube),
		"sqrt": func(x, _ *G.Node) (*G.Node, error) { return G.Sqrt(G.Must(G.Square(x))) }, "abs": one(G.Abs),
		"inverse": one(G.Inverse), "sign": func(x, _ *G.Node) (*G.Node, error) { return G.HadamardProd(x, G.Must(G.Sign(x))) },
		"rectify": one(G.Rectify),
		"add":     G.Add, "sub": G.Sub, "mul": G.HadamardProd, "div": G.HadamardDiv,
		"of a number": func(x, _ *G.Node) (*G.Node, error) { return G.Sub(two(), G.Must(G.Mul(x, two()))) },
		"above":       where(G.Gt),
		"at least":    where(G.Gte),
		"below":       where(G.Lt),
		"at most":     where(G.Lte),
		"stock":       func(x, y *G.Node) (*G.Node, error) { return G.Mul(x, G.Must(G.Transpose(y))) },
		"rows":        func(x, _ *G.Node) (*G.Node, error) { return G.Slice(x, G.S(1, 3)) },
		"columns":     func(x, _ *G.Node) (*G.Node, error) { return G.Square(G.Must(G.Slice(x, nil, G.S(1, 3)))) },
		"a column":    func(x, _ *G.Node) (*G.Node, error) { return G.Square(G.Must(G.Slice(x, nil, G.S(2)))) },
		"turned": func(x, y *G.Node) (*G.Node, error) {
			return G.HadamardProd(G.Must(G.Transpose(x)), G.Must(G.Transpose(y)))
		},
		"sums":        func(x, _ *G.Node) (*G.Node, error) { return G.Square(G.Must(G.Sum(x, 1))) },
		"column sums": func(x, _ *G.Node) (*G.Node, error) { return G.Square(G.Must(G.Sum(x, 0))) },
		"means":       func(x, _ *G.Node) (*G.Node, error) { return G.Square(G.Must(G.Mean(x, 1))) },
		"maxima":      func(x, _ *G.Node) (*G.Node, error) { return G.Max(x, 1) },
		"joined":      func(x, y *G.Node) (*G.Node, error) { return G.Square(G.Must(G.Concat(1, x, y))) },
		"powers":      func(x, y *G.Node) (*G.Node, error) { return G.Pow(x, two()) },
		"broadcast": func(x, y *G.Node) (*G.Node, error) {
			return G.BroadcastHadamardProd(x, G.Must(G.Sum(y, 1)), nil, []byte{1})
		},
		"reshaped": func(x, _ *G.Node) (*G.Node, error) { return G.Square(G.Must(G.Reshape(x, tensor.Shape{4, 3}))) },
		"views": func(x, y *G.Node) (*G.Node, error) {
			flat := G.Must(op.Reshape(x, 12))
			return G.Add(G.Must(G.Square(flat)), G.Must(op.Reshape(G.Must(op.Softplus(y)), 12)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := G.NewGraph()
			x := input(g, "x", []float32{-2, -1, -.5, -.1, .1, .2, .5, .7, 1, 1.5, 2, 3}, 3, 4)
			y := input(g, "y", []float32{1, -1, 2, -.1, .3, .2, -4, .7, 5, -1.5, 2, .25}, 3, 4)
			out := call.Of(build(x, y))(t)
			loss := G.Must(op.Total(out))
			grads := call.Of(G.Grad(loss, x))(t)
			p := call.Of(New(out, loss, grads[0]))(t)
			for range 2 { // a second run finds nothing of the first
				call.OK(t, p.Run())
			}
			mine := slices.Concat(p.Floats(loss), p.Floats(grads[0]))
			vm := G.NewTapeMachine(g)
			defer vm.Close()
			call.OK(t, vm.RunAll())
			theirs := append([]float32{loss.Value().Data().(float32)}, grads[0].Value().Data().([]float32)...)
			for i, want := range theirs {
				if got := mine[i]; !(math.Abs(float64(got-want)) <= 1e-5*max(1, math.Abs(float64(want)))) {
					t.Errorf("number %d is %v, the machine's %v", i, got, want)
				}
			}
		})
	}
}

// A copy with a node in place of another computes from that one, and shares the memory of the inputs that it keeps.
func TestCopier(t *testing.T) {
	g := G.NewGraph()
	memory := []float32{1, 2, 3}
	x, y := input(g, "x", memory, 3), input(g, "y", []float32{7, 7, 7}, 3)
	sum := G.Must(G.Add(x, G.Must(G.Square(y))))
	c := &Copier{To: G.NewGraph()}
	c.Replace = func(n *G.Node) (*G.Node, error) {
		if n == y {
			return input(c.To, "other", []float32{1, 0, -1}, 3), nil
		}
		return nil, nil
	}
	copied := call.Of(c.Copy(sum))(t)
	p := call.Of(New(copied))(t)
	memory[0] = 10
	if err := p.Run(); err != nil || !slices.Equal(p.Floats(copied), []float32{11, 2, 4}) {
		t.Errorf("%v, %v: expected 11, 2, 4", p.Floats(copied), err)
	}
}
