package guard_test

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/guard"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// A loss that writes into its parameter: Gorgonia's Reshape shares memory, and Square works in place.
func ExampleCheck() {
	report := guard.Check(guard.Model{Name: "example", Build: func(g *G.ExprGraph, dt tensor.Dtype) (guard.Graph, error) {
		p := value(g, dt, "embedding", 4, 3)
		flat, err := G.Reshape(p, tensor.Shape{12})
		if err != nil {
			return guard.Graph{}, err
		}
		loss, err := G.Sum(G.Must(G.Square(flat)))
		return guard.Graph{Loss: loss, Params: []*G.Node{p}}, err
	}})
	for _, f := range report.Findings {
		fmt.Println(f.Status, "-", f.Check)
	}
	// Output:
	// ok - graph is built
	// ok - inputs are distinct
	// ok - nodes are distinct
	// failed - runs repeat
	// failed - values are kept
	// ok - parameters are used
	// skipped - gradients are right
}
