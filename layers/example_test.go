package layers_test

import (
	"fmt"
	"log"

	"github.com/asp2vec/asp2vec/layers"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// The aspect of one pair, chosen among three: noise lifts the second above the third.
func ExampleSelection() {
	hard, err := layers.FindSelection("hard")
	if err != nil {
		log.Fatal(err)
	}
	g := G.NewGraph()
	row := func(name string, x ...float64) *G.Node {
		return G.NewMatrix(g, tensor.Float64, G.WithName(name), G.WithShape(1, 3),
			G.WithValue(tensor.New(tensor.WithShape(1, 3), tensor.WithBacking(x))))
	}
	prob, err := hard.Prob(row("logits", 0.1, 0.5, 0.8), row("noise", -0.3, 1.2, 0.4), layers.Values{"tau": 0.5})
	if err != nil {
		log.Fatal(err)
	}
	vm := G.NewTapeMachine(g)
	defer vm.Close()
	if err := vm.RunAll(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(prob.Value().Data())
	// Output: [0 1 0]
}
