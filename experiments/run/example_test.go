package run_test

import (
	"context"
	"fmt"
	"log"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
)

// From a network to the AUC of predicting links that training has not seen.
func ExampleRun() {
	ctx := context.Background()
	net, _, err := network.Planted(network.PlantedOptions{Vertices: 200, Communities: 8, Memberships: 2, MeanDegree: 12, Mixing: 0.05, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	split, err := network.MakeSplit(ctx, net, network.SplitOptions{Remove: 0.2, Rule: "ce1", Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	o := graphs.Default()
	o.Dim, o.Aspects, o.LearningRate, o.Batch, o.Epochs = 16, 4, 0.02, 10000, 3
	out, err := run.Run(ctx, run.Data{Name: "planted", Split: split}, o, "validated", 2, run.Watch{})
	if err != nil {
		log.Fatal(err)
	}
	r := out.Record
	fmt.Println("selected by", r.Selection, "in stage", r.BestStage)
	fmt.Println("finds hidden links:", r.Metrics["auc"] > 0.75)
	fmt.Println("a vector for each vertex:", len(out.Result.Embedding.Final)/o.Dim == r.Dataset.Vertices)
	// Output:
	// selected by validation-best in stage asp2vec
	// finds hidden links: true
	// a vector for each vertex: true
}
