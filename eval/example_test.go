package eval_test

import (
	"context"
	"fmt"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/network"
)

// Half of the pairs of a positive and a negative score are in order, and one is a tie.
func ExampleAUC() {
	auc, err := eval.AUC([]float64{3, 1}, []float64{2, 1})
	fmt.Println(auc, err)
	// Output: 0.625 <nil>
}

// Vertices 0 to 2 point one way and 3 to 5 the other, and links join what points alike.
func ExampleLinkPrediction() {
	e := eval.Embedding{N: 6, D: 2, Data: []float32{1, 0, 1, .1, .9, 0, 0, 1, .1, 1, 0, .9}}
	split := &network.Split{
		Names: []string{"a", "b", "c", "d", "e", "f"},
		Train: []network.Link{{From: 0, To: 1}, {From: 3, To: 4}}, TrainNeg: []network.Link{{From: 0, To: 3}, {From: 1, To: 4}},
		Test: []network.Link{{From: 1, To: 2}, {From: 4, To: 5}}, TestNeg: []network.Link{{From: 2, To: 3}, {From: 0, To: 5}},
	}
	score, err := eval.LinkPrediction(context.Background(), e, split, eval.LinkOptions{})
	fmt.Println(score.AUC, err)
	// Output: 1 <nil>
}
