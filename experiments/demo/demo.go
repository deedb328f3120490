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

// Setup say what Run does.
type Setup struct {
	Network network.PlantedOptions `json:"network"`
	Split   network.SplitOptions   `json:"split"`
	Options graphs.Options         `json:"options"` // of asp2vec; DeepWalk has its defaults, with as many dimensions in one vector
}

// Default returns a demonstration that takes a few seconds: fifty communities of which a vertex is in one or two, and
// hubs. The options are those of train. Everything random comes from seed. The network was chosen on seeds 11 and 12.
func Default(seed uint64) Setup {
	o := graphs.OptionsOf(graphs.MethodOf(graphs.MethodAsp2vec), graphs.Standard)
	o.Seed = seed
	return Setup{
		Network: network.PlantedOptions{Vertices: 1000, Communities: 50, Memberships: 2, MeanDegree: 30, Mixing: 0.15, Skew: 1.2, Seed: seed},
		Split:   network.SplitOptions{Remove: 0.3, Rule: "ce1", Seed: seed},
		Options: o,
	}
}

// Trained is what one method came to.
type Trained struct {
	Name        string  `json:"name"`
	AspectStart string  `json:"aspect_start,omitempty"` // of asp2vec
	Dim         int     `json:"dim"`
	Aspects     int     `json:"aspects"`
	AUC         float64 `json:"auc"`     // of the test links
	Seconds     float64 `json:"seconds"` // of training and evaluation
	// LinkAspects compares the aspects of test links, of which no walk knew, with the communities that made them; nil without aspects.
	LinkAspects *aspects.Agreement `json:"link_aspects,omitempty"`
	// VertexAspects does so among the links of one vertex at a time, over all links, for vertices with links of several communities.
	VertexAspects *aspects.Agreement `json:"vertex_aspects,omitempty"`
}

// Result is what Run came to.
type Result struct {
	Setup
	Vertices int       `json:"vertices"`
	Train    int       `json:"train"`
	Test     int       `json:"test"`
	Methods  []Trained `json:"methods"` // DeepWalk, asp2vec, and asp2vec whose aspects begin at groups of neighbours
}

// Run trains DeepWalk and asp2vec on a network with planted communities, with as many numbers for each vertex, and asp2vec also with aspects that
// begin apart. It measures how well they predict links, and how well the aspects match the communities. begin is told of each training, and returns
// what watches it. It returns an error for options of the network, the split or the training that these refuse, and where ctx is done.
func Run(ctx context.Context, o Setup, threads int, begin func(graphs.Options) run.Watch) (*Result, error) {
	planted, err := o.Network.Generate()
	if err != nil {
		return nil, err
	}
	split, err := network.MakeSplit(ctx, planted.Network, o.Split)
	if err != nil {
		return nil, err
	}
	r := &Result{Setup: o, Vertices: len(split.Names), Train: len(split.Train), Test: len(split.Test)}
	flat := graphs.OptionsOf(graphs.MethodOf(graphs.MethodDeepWalk), graphs.Standard)
	flat.Dim, flat.Seed, flat.PairsPerVertex = o.Options.Dim*o.Options.Aspects, o.Options.Seed, o.Options.PairsPerVertex
	apart := o.Options
	apart.AspectStart = graphs.StartNeighbors
	for _, options := range []graphs.Options{flat, o.Options, apart} {
		out, err := train(ctx, run.Data{Name: "planted", Split: split}, options, threads, begin)
		if err != nil {
			return nil, err
		}
		m := Trained{
			Name: options.Method.Name, Dim: options.Dim, Aspects: 1, AUC: out.Record.Metrics["auc"],
			Seconds: out.Record.TrainSeconds + out.Record.EvalSeconds,
		}
		if options.Is(graphs.MethodAsp2vec) {
			links, vertices, err := aspects.Match(*out.Result.Embedding, split, planted, o.Options.Seed)
			if err != nil {
				return nil, err
			}
			m.Aspects, m.AspectStart, m.LinkAspects, m.VertexAspects = options.Aspects, options.AspectStart, &links, &vertices
		}
		r.Methods = append(r.Methods, m)
	}
	return r, nil
}

// train does a run to its end: one that was stopped is an error.
func train(ctx context.Context, data run.Data, o graphs.Options, threads int, begin func(graphs.Options) run.Watch) (*run.Outcome, error) {
	out, err := run.Run(ctx, data, o, "", threads, begin(o))
	if err == nil && out.Result.Interrupted {
		err = fmt.Errorf("experiments: demo: %w", context.Canceled)
	}
	return out, err
}
