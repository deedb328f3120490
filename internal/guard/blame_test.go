package guard_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// entry calls a loss of x as the entry "mine" of a registry.
func entry(x *G.Node, loss func(x *G.Node) *G.Node) *G.Node {
	return G.Must(op.Entry{Name: `losses: pair loss "mine"`, In: x, Want: x.Shape(), As: "as pos"}.Call(func() (*G.Node, error) { return loss(x), nil }))
}

func lossOf(loss func(p *G.Node) *G.Node) guard.Model {
	return faulty(func(g *G.ExprGraph, dt tensor.Dtype, p *G.Node) (*G.Node, []*G.Node, error) {
		return loss(p), nil, nil
	})
}

// half returns x/2 by an op of this package, which the checks name with this function.
func half(x *G.Node) *G.Node { return G.Must(op.Scale(x, .5)) }

// halfLog returns log(x/2)/2.
func halfLog(x *G.Node) *G.Node {
	return G.Must(op.Scale(G.Must(G.Log(G.Must(op.Scale(x, .5)))), .5))
}

// cut returns x where it is above 0, and 0 elsewhere.
func cut(x *G.Node) *G.Node { return G.Must(G.Rectify(x)) }

// of returns the details of the findings of a status.
func of(r guard.Report, status guard.Status) string {
	text := ""
	for _, f := range r.Findings {
		if f.Status == status {
			text += f.Check + ": " + f.Detail + "\n"
		}
	}
	return text
}

// The number that is not finite is traced to what made it: not to what noticed it, nor to the loss.
func TestOrigin(t *testing.T) {
	for name, c := range map[string]struct {
		model guard.Model
		want  string
	}{
		"a stock op in an entry": {lossOf(func(p *G.Node) *G.Node {
			return sum(entry(half(p), func(x *G.Node) *G.Node { return G.Must(G.Neg(G.Must(G.Log(x)))) }))
		}), `runs repeat: the loss is NaN: Log in losses: pair loss "mine": element (0,1) is NaN, of -0.`},
		"an op of the project in an entry": {lossOf(func(p *G.Node) *G.Node {
			return sum(entry(p, func(x *G.Node) *G.Node { return half(G.Must(G.Exp(G.Must(op.Scale(x, 1000))))) }))
		}), `runs repeat: the loss is +Inf: Exp in losses: pair loss "mine": element (0,0) is +Inf, of `},
		"an op of the project": {lossOf(func(p *G.Node) *G.Node {
			return sum(G.Must(G.Square(G.Must(op.Scale(half(p), 1e39)))))
		}), `runs repeat: the loss is +Inf: Scale in guard_test.TestOrigin: element (0,0) is +Inf, of `},
		"a stock op between others": {lossOf(func(p *G.Node) *G.Node {
			return sum(G.Must(G.Log(half(p))))
		}), `Log after Scale in guard_test.half, called by guard_test.TestOrigin: element (0,1) is NaN`},
		"a stock op in a function": {lossOf(func(p *G.Node) *G.Node {
			return sum(halfLog(p))
		}), `Log in guard_test.halfLog, called by guard_test.TestOrigin: element (0,1) is NaN`},
		"an input": {faulty(func(g *G.ExprGraph, dt tensor.Dtype, p *G.Node) (*G.Node, []*G.Node, error) {
			w := value(g, dt, "weight", 4, 3)
			set(w, 4)
			return sum(G.Must(G.HadamardProd(p, w))), []*G.Node{w}, nil
		}), "runs repeat: the loss is NaN: weight: element (1,1) is NaN"},
		"a scalar": {lossOf(func(p *G.Node) *G.Node {
			return G.Must(G.Log(G.Must(op.Scale(sum(G.Must(G.Square(p))), -1))))
		}), "the result is NaN, of -"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := of(guard.Check(c.model), guard.Failed); !strings.Contains(got, c.want) {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// set makes an element of a node's value NaN.
func set(n *G.Node, i int) {
	switch x := n.Value().Data().(type) {
	case []float32:
		x[i] -= x[i]
		x[i] /= x[i]
	case []float64:
		x[i] -= x[i]
		x[i] /= x[i]
	}
}

// A gradient that is not finite is traced to the op whose gradient made it.
func TestGradientOrigin(t *testing.T) {
	for name, c := range map[string]struct {
		model guard.Model
		want  []string
	}{
		"a square root of 0": {lossOf(func(p *G.Node) *G.Node {
			return sum(entry(half(p), func(x *G.Node) *G.Node { return G.Must(G.Sqrt(cut(x))) }))
		}), []string{"parameters are used: p has a gradient of ", "at element (0,1): that of Sqrt in losses: pair loss \"mine\" makes it: +Inf at element (0,1), of 0"}},
		"an op of the project": {lossOf(func(p *G.Node) *G.Node {
			return sum(steep(cut(p)))
		}), []string{"parameters are used: p has a gradient of NaN, at element (0,1): that of Steep in guard_test.steep, called by guard_test.TestGradientOrigin makes it: NaN at element (0,1), of 0"}},
		"used twice": {lossOf(func(p *G.Node) *G.Node {
			x := cut(p)
			return sum(G.Must(G.Add(G.Must(G.Square(x)), G.Must(G.Sqrt(x)))))
		}), []string{"that of Sqrt before Total in guard_test.sum"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := of(guard.Check(c.model), guard.Failed)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("%s\nwant %s", got, want)
				}
			}
			if n := strings.Count(got, "\n"); n != 1 {
				t.Errorf("%d lines: expected one\n%s", n, got)
			}
		})
	}
}

// steep returns x, with a gradient of NaN at 0.
func steep(x *G.Node) *G.Node {
	return G.Must(op.Apply(op.Spec{Name: "Steep", Shape: x.Shape().Clone(), Diff: []bool{true}, F32: steepKernel[float32](), F64: steepKernel[float64]()}, x))
}

func steepKernel[T op.Float]() op.Kernel[T] {
	return op.Kernel[T]{
		Forward: func(in []op.Array[T], out []T) error {
			copy(out, in[0].F)
			return nil
		},
		Backward: func(in []op.Array[T], out, gout []T, din [][]T) error {
			for i, x := range in[0].F {
				din[0][i] += gout[i] * x / x
			}
			return nil
		},
	}
}

// A gradient that is wrong names its element by its place.
func TestElement(t *testing.T) {
	if got := guard.Element(tensor.Shape{4, 3, 2}, 23); got != "(3,2,1)" {
		t.Error(got)
	}
	got := of(guard.Check(lossOf(func(p *G.Node) *G.Node { return sum(squares(p, 2.001, nil)) })), guard.Failed)
	if !strings.Contains(got, "p: element (0,0) has the gradient ") {
		t.Error(got)
	}
}

// A loss without a lower bound is told of; whoever wants one may train it.
func TestFalls(t *testing.T) {
	for name, c := range map[string]struct {
		loss func(p *G.Node) *G.Node
		want string
	}{
		"squares":           {func(p *G.Node) *G.Node { return sum(G.Must(G.Neg(G.Must(G.Square(p))))) }, "falls to"},
		"down the gradient": {func(p *G.Node) *G.Node { return sum(G.Must(op.Scale(cut(p), -1e3))) }, "falls to"},
		"an exponential":    {func(p *G.Node) *G.Node { return sum(G.Must(G.Neg(G.Must(G.Exp(p))))) }, "falls to"},
		"a sum":             {func(p *G.Node) *G.Node { return sum(G.Must(op.Scale(p, 1e3))) }, "down its gradient"},
		"a bound":           {func(p *G.Node) *G.Node { return sum(G.Must(op.Shift(G.Must(op.Softplus(p)), -3))) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := guard.Check(lossOf(c.loss))
			got := of(r, guard.Warning)
			if c.want == "" && got != "" || !strings.Contains(got, c.want) || r.Err() != nil {
				t.Errorf("%s, expected %q\n%s", got, c.want, r)
			}
		})
	}
}

// A column is not a vector, and a number is not a vector of one.
func TestEntryOfOne(t *testing.T) {
	p := value(G.NewGraph(), tensor.Float32, "p", 4, 1)
	_, err := op.Entry{Name: "mine", In: p, Want: p.Shape()}.Call(func() (*G.Node, error) { return op.Reshape(p, 4) })
	if want := "mine returned (4): expected (4,1)"; fmt.Sprint(err) != want {
		t.Errorf("%v, expected %s", err, want)
	}
	_, err = op.Entry{Name: "mine", In: p, Want: tensor.ScalarShape()}.Call(func() (*G.Node, error) { return op.Reshape(firstOf(p), 1) })
	if want := "mine returned (1): expected a scalar"; fmt.Sprint(err) != want {
		t.Errorf("%v, expected %s", err, want)
	}
	if n, err := (op.Entry{Name: "mine", In: p, Want: tensor.ScalarShape()}).Call(func() (*G.Node, error) { return G.Sum(p) }); err != nil {
		t.Errorf("%v, %v", n, err)
	}
}

// firstOf returns the first number as a vector of one.
func firstOf(p *G.Node) *G.Node {
	return G.Must(op.Apply(op.Spec{Name: "First", Shape: tensor.Shape{1}, Diff: []bool{false}, F32: firstKernel[float32](), F64: firstKernel[float64]()}, p))
}

func firstKernel[T op.Float]() op.Kernel[T] {
	return op.Kernel[T]{Forward: func(in []op.Array[T], out []T) error {
		out[0] = in[0].F[0]
		return nil
	}}
}
