package network_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/network"
)

func ExampleReadFrom() {
	text := `# who knows whom, and how well
anna,bert,2
bert,carl,1
carl,anna,0.5
anna,carl,0.5
`
	n, report, err := network.ReadFrom(strings.NewReader(text), "friends.csv", network.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n.Vertices(), "vertices,", n.Links(), "links,", report.Repeated, "repeated, separated by a", report.Separator)
	for _, l := range n.List() {
		fmt.Println(n.Name(l.From), n.Name(l.To))
	}
	// Output:
	// 3 vertices, 3 links, 1 repeated, separated by a comma
	// anna bert
	// anna carl
	// bert carl
}

func ExampleReadFrom_error() {
	_, _, err := network.ReadFrom(strings.NewReader("1 2 0.5\n2 3 NaN\n"), "links.txt", network.ReadOptions{})
	fmt.Println(err)
	// Output: network: links.txt:2: weight "NaN": want a finite number > 0 in the third column; if that has times: --columns source,target,time
}

func ExampleMakeSplit() {
	club, _ := network.Karate()
	split, err := network.MakeSplit(context.Background(), club, network.SplitOptions{Remove: 0.5, Rule: "ce1", Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	train, err := split.TrainNetwork()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(split.Train), "links to learn from,", len(split.Test), "to predict among", len(split.TestNeg), "pairs that are none")
	fmt.Println(train.Stats().Components, "component of", train.Vertices(), "vertices")
	// Output:
	// 39 links to learn from, 39 to predict among 39 pairs that are none
	// 1 component of 34 vertices
}

func ExamplePlanted() {
	n, memberships, err := network.Planted(network.PlantedOptions{Vertices: 200, Communities: 5, Memberships: 2, MeanDegree: 10, Mixing: 0.1, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(n.Vertices(), "vertices,", n.Links(), "links,", len(memberships), "lists of communities")
	// Output: 200 vertices, 1000 links, 200 lists of communities
}
