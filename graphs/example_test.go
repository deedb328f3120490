package graphs_test

import (
	"context"
	"fmt"
	"log"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
)

// Training without a score: for a number of epochs, and the last one is kept.
func ExampleTrain() {
	net, _ := network.Karate()
	o := graphs.Default()
	o.Dim, o.Aspects, o.WarmUp = 8, 2, false
	o.Select, o.Epochs, o.LearningRate = graphs.SelectLast, 4, 0.02
	var losses []float64
	res, err := graphs.Train(context.Background(), graphs.Input{Network: net}, o, 2, graphs.Monitor{
		Done: func(e graphs.Epoch) { losses = append(losses, e.Loss.Pairs) },
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(losses), "epochs; the loss fell:", losses[3] < losses[0])
	fmt.Println(len(res.Names), "vertices,", len(res.Embedding.Final), "numbers")
	fmt.Println("aspects of the first vertex:", res.Embedding.First[1])
	// Output:
	// 4 epochs; the loss fell: true
	// 34 vertices, 272 numbers
	// aspects of the first vertex: 2
}

// Options say all that is wrong with them at once.
func ExampleOptions_Validate() {
	o := graphs.Default()
	o.Aspects, o.Tau, o.Selection = 0, -0.5, "argmax"
	fmt.Println(o.Validate())
	// Output:
	// aspects = 0: want 1 to 4096
	// selection = "argmax": want one of entmax15, gumbel, hard, none, random, softmax, straight-through
	// tau = -0.5: want a number, at least 1e-06
}
