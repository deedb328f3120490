package guard_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/op"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// fingerprint is that of a loss of two matrices of parameters.
func fingerprint(t *testing.T, names string, loss func(x, y *G.Node) *G.Node) string {
	t.Helper()
	f, err := guard.Fingerprint(guard.Model{Name: names, Build: func(g *G.ExprGraph, dt tensor.Dtype) (guard.Graph, error) {
		x, y := value(g, dt, names+" x", 3, 2), value(g, dt, names+" y", 3, 2)
		return guard.Graph{Loss: loss(x, y), Params: []*G.Node{x, y}}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func total(x *G.Node) *G.Node { return G.Must(op.Total(x)) }

// Ops, constants, the order of operands and what an op is given set definitions apart; names and initial values do not.
func TestFingerprint(t *testing.T) {
	subtract := func(x, y *G.Node) *G.Node { return total(G.Must(G.HadamardProd(G.Must(G.Sub(x, y)), x))) }
	one := fingerprint(t, "one", subtract)
	if len(one) != 16 || fingerprint(t, "two", subtract) != one {
		t.Errorf("%s, and %s by other names", one, fingerprint(t, "two", subtract))
	}
	if again := fingerprint(t, "one", func(x, y *G.Node) *G.Node {
		total(y) // which the loss does not depend on
		return subtract(x, y)
	}); again != one {
		t.Errorf("%s, and %s beside another node", one, again)
	}
	seen := map[string]string{one: "x-y"}
	for name, loss := range map[string]func(x, y *G.Node) *G.Node{
		"y-x":          func(x, y *G.Node) *G.Node { return subtract(y, x) },
		"a constant":   func(x, y *G.Node) *G.Node { return subtract(G.Must(G.Mul(x, G.NewConstant(2.0))), y) },
		"another":      func(x, y *G.Node) *G.Node { return subtract(G.Must(G.Mul(x, G.NewConstant(2.0001))), y) },
		"a scale":      func(x, y *G.Node) *G.Node { return subtract(G.Must(op.Scale(x, 2)), y) },
		"another one":  func(x, y *G.Node) *G.Node { return subtract(G.Must(op.Scale(x, 2.0001)), y) },
		"an op":        func(x, y *G.Node) *G.Node { return subtract(G.Must(op.Tanh(x)), y) },
		"same numbers": func(x, y *G.Node) *G.Node { return subtract(G.Must(op.Scale(x, 1)), y) },
	} {
		f := fingerprint(t, "one", loss)
		if seen[f] != "" {
			t.Errorf("%s and %s have one fingerprint", name, seen[f])
		}
		seen[f] = name
	}
}

// A loss that is not defined everywhere has the fingerprint of where it is.
func TestFingerprintOfLogarithm(t *testing.T) {
	log := func(factor float64) (string, error) {
		return guard.Fingerprint(guard.Model{Build: func(g *G.ExprGraph, dt tensor.Dtype) (guard.Graph, error) {
			x := G.NewVector(g, dt, G.WithName("x"), G.WithShape(2), G.WithValue(tensor.New(tensor.WithBacking([]float64{5, 7}))))
			return guard.Graph{Loss: total(G.Must(op.Scale(G.Must(G.Log(G.Must(G.Sub(x, G.NewConstant(3.0))))), factor))), Params: []*G.Node{x}}, nil
		}})
	}
	one, err := log(1)
	if err != nil {
		t.Fatal(err)
	}
	if two, err := log(2); err != nil || one == two {
		t.Errorf("%s and %s, %v", one, two, err)
	}
}

func TestFingerprintFails(t *testing.T) {
	for want, build := range map[string]func(g *G.ExprGraph, dt tensor.Dtype) (guard.Graph, error){
		"no such layer": func(*G.ExprGraph, tensor.Dtype) (guard.Graph, error) {
			return guard.Graph{}, errors.New("no such layer")
		},
		"out of luck": func(*G.ExprGraph, tensor.Dtype) (guard.Graph, error) { panic("out of luck") },
		"not a scalar": func(g *G.ExprGraph, dt tensor.Dtype) (guard.Graph, error) {
			x := value(g, dt, "x", 3, 2)
			return guard.Graph{Loss: x, Params: []*G.Node{x}}, nil
		},
	} {
		if _, err := guard.Fingerprint(guard.Model{Name: "m", Build: build}); err == nil || !strings.Contains(err.Error(), "guard: m: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %s", err, want)
		}
	}
}
