// Command mine embeds links.tsv.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
)

func main() {
	ctx := context.Background()
	net, _, err := network.Read("links.tsv", network.ReadOptions{})
	check(err)
	split, err := network.MakeSplit(ctx, net, network.SplitOptions{Remove: 0.3, Rule: "ce1", Seed: 1})
	check(err)

	o := graphs.OptionsOf(graphs.MethodOf(graphs.MethodAsp2vec), graphs.Standard) // the options of asp2vec train, with its defaults
	o.Aspects = 4
	o.PairLoss = "mine"                                            // of loss.go
	o.Regularizer, o.Readout, o.Selection = "mine", "mine", "mine" // of parts.go
	check(o.Set("pair-loss-focus", 1.5))
	done, err := run.Run(ctx, run.Data{Name: "mine", Split: split}, o, "standard", 2, nil)
	check(err)
	fmt.Printf("test AUC %.3f\n", done.Record.Metrics["auc"])

	res := done.Result
	final := eval.Embedding{N: len(res.Names), D: res.Embedding.D, Data: res.Embedding.Final}
	near, err := eval.Nearest(ctx, final, final.Row(0), 5, func(v int32) bool { return v == 0 }, 2)
	check(err)
	for _, n := range near {
		fmt.Printf("%s is near %s: %.2f\n", res.Names[n.Row], res.Names[0], n.Cosine)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
