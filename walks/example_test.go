package walks_test

import (
	"context"
	"fmt"
	"log"

	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// From a network over its walks to the batches that a step of training sees.
func Example() {
	net, _ := network.Karate()
	src, err := walks.NewUniform(net, walks.Options{PerVertex: 10, Length: 80, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	stream, err := walks.NewStream(ctx, src, net.Vertices(), walks.StreamOptions{
		Window: 3, Negatives: 2, Batch: 50000, Order: walks.Shuffled, Resample: true, Seed: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(src.Walks(), "walks,", stream.Pairs(), "pairs")
	for b := range stream.Pass(ctx, 0) {
		fmt.Println("batch of", b.Pairs, "pairs")
	}
	// Output:
	// 340 walks, 159120 pairs
	// batch of 50000 pairs
	// batch of 50000 pairs
	// batch of 50000 pairs
	// batch of 9120 pairs
}

// A window has its contexts in the walk's order, and marks the distinct ones: 0 comes twice here, and counts once in the
// readout. Negatives are outside the window.
func ExampleBatch() {
	net, err := network.New([]string{"0", "1", "2"}, []network.Link{{From: 0, To: 1}, {From: 1, To: 2}}, nil, false)
	if err != nil {
		log.Fatal(err)
	}
	src, err := walks.NewUniform(net, walks.Options{PerVertex: 1, Length: 4, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	stream, err := walks.NewStream(ctx, src, net.Vertices(), walks.StreamOptions{Window: 2, Negatives: 1, Batch: 100, Order: walks.Grouped})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("walk", src.Walk(0, nil))
	for b := range stream.Pass(ctx, 0) {
		for w := range 4 {
			fmt.Printf("centre %d contexts %v bag %b\n", b.Center[w], b.Context[w*b.Slots:][:b.Count[w]], b.Bag[w])
		}
	}
	// Output:
	// walk [0 1 0 1]
	// centre 0 contexts [1 0] bag 11
	// centre 0 contexts [0 1 1] bag 11
	// centre 1 contexts [0 0 1] bag 101
	// centre 1 contexts [1 0] bag 11
}
