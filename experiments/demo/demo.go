// Package demo tries methods on planted networks, whose communities or topics are known.
package demo

import (
	"context"
	"fmt"

	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
)

// DemoOptions say what Demo does.
type DemoOptions struct {
	Network network.PlantedOptions `json:"network"`
	Split   network.SplitOptions   `json:"split"`
	Options graphs.Options         `json:"options"` // of asp2vec; DeepWalk has the same, with all numbers in one vector
}

// DefaultDemo returns a demonstration that takes a few seconds: fifty communities of which a vertex is in one or two, and
// hubs. Everything random comes from seed.
//
// Network and options were chosen on seeds 11 and 12, by the AUC of both methods and the match of the aspects there. What
// differs from the defaults of training: steps are of 2,000 pairs, since the network is small; the windows are of two
// vertices, since a walk soon leaves a community; and aspects start apart (no warm-up), are picked with less noise (tau) and
// are held apart less (lambda), since otherwise the epoch with the best AUC comes before they stand for anything.
func DefaultDemo(seed uint64) DemoOptions {
	o := graphs.Default()
	o.Walks, o.Length, o.Window, o.Batch = 5, 40, 2, 2000
	o.WarmUp, o.Tau, o.Lambda, o.Seed = false, 0.2, 1e-4, seed
	return DemoOptions{
		Network: network.PlantedOptions{Vertices: 1000, Communities: 50, Memberships: 2, MeanDegree: 30, Mixing: 0.15, Skew: 1.2, Seed: seed},
		Split:   network.SplitOptions{Remove: 0.3, Rule: "ce1", Seed: seed},
		Options: o,
	}
}

// DemoMethod is what one method came to.
type DemoMethod struct {
	Name    string  `json:"name"`
	Dim     int     `json:"dim"`
	Aspects int     `json:"aspects"`
	AUC     float64 `json:"auc"` // of the test links
	Epoch   int     `json:"epoch"`
	Seconds float64 `json:"seconds"` // of training and evaluation
}

// DemoResult is what Demo came to.
type DemoResult struct {
	DemoOptions
	Vertices int          `json:"vertices"`
	Train    int          `json:"train"`
	Test     int          `json:"test"`
	Methods  []DemoMethod `json:"methods"` // DeepWalk, then asp2vec
	// LinkAspects compares the aspects of test links, of which no walk knew, with the communities that made them.
	LinkAspects aspects.Agreement `json:"link_aspects"`
	// VertexAspects does so among the links of one vertex at a time, over all links, for vertices with links of several communities.
	VertexAspects aspects.Agreement `json:"vertex_aspects"`
}

// Demo trains DeepWalk and asp2vec on a network with planted communities, with the same walks, windows and steps and as many
// numbers for each vertex, both with their epoch chosen on validation links. It measures how well they predict links, and how
// well the aspects of asp2vec match the communities. begin is told of each method, and returns what watches it. It returns an error for
// options of the network, the split or the training that these refuse, and where ctx is done.
func Demo(ctx context.Context, o DemoOptions, threads int, begin func(graphs.Options) run.Watch) (*DemoResult, error) {
	planted, err := o.Network.Generate()
	if err != nil {
		return nil, err
	}
	split, err := network.MakeSplit(ctx, planted.Network, o.Split)
	if err != nil {
		return nil, err
	}
	r := &DemoResult{DemoOptions: o, Vertices: len(split.Names), Train: len(split.Train), Test: len(split.Test)}
	flat := o.Options.As(graphs.MethodOf(graphs.MethodDeepWalk))
	flat.Dim = o.Options.Dim * o.Options.Aspects
	var embedding graphs.Embedding
	for _, options := range []graphs.Options{flat, o.Options} {
		out, err := train(ctx, run.Data{Name: "planted", Split: split}, options, threads, begin)
		if err != nil {
			return nil, err
		}
		embedding = *out.Result.Embedding
		r.Methods = append(r.Methods, DemoMethod{
			Name: options.Method.Name, Dim: options.Dim, Aspects: options.Aspects, AUC: out.Record.Metrics["auc"], Epoch: out.Record.BestEpoch,
			Seconds: out.Record.TrainSeconds + out.Record.EvalSeconds,
		})
	}
	r.LinkAspects, r.VertexAspects, err = aspects.Match(embedding, split, planted, o.Options.Seed)
	return r, err
}

// train does a run to its end: one that was stopped is an error.
func train(ctx context.Context, data run.Data, o graphs.Options, threads int, begin func(graphs.Options) run.Watch) (*run.Outcome, error) {
	out, err := run.Run(ctx, data, o, "", threads, begin(o))
	if err == nil && out.Result.Interrupted {
		err = fmt.Errorf("experiments: demo: %w", context.Canceled)
	}
	return out, err
}
