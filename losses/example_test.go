//go:build paper

package losses_test

import (
	"fmt"
	"log"

	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// A pair whose context scores 2, against two negatives that score 0 and -1.
func ExampleSkipGram() {
	g := G.NewGraph()
	pos := G.NewMatrix(g, tensor.Float64, G.WithName("pos"), G.WithShape(1, 1),
		G.WithValue(tensor.New(tensor.WithShape(1, 1), tensor.WithBacking([]float64{2}))))
	neg := G.NewTensor(g, tensor.Float64, 3, G.WithName("neg"), G.WithShape(1, 2, 1),
		G.WithValue(tensor.New(tensor.WithShape(1, 2, 1), tensor.WithBacking([]float64{0, -1}))))
	loss, err := losses.SkipGram(pos, neg)
	if err != nil {
		log.Fatal(err)
	}
	vm := G.NewTapeMachine(g)
	defer vm.Close()
	if err := vm.RunAll(); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f nats\n", loss.Value().Data())
	// Output: [1.1333] nats
}
