// Package demo tries methods on a planted network, whose communities are known.
package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
)

// Setup say what Run does.
type Setup struct {
	Network network.PlantedOptions `json:"network"`
	Split   network.SplitOptions   `json:"split"`
	Options graphs.Options         `json:"options"` // of asp2vec; the others have their defaults, with as many numbers for each vertex
}

// Default returns a demonstration that takes half a minute: fifty communities of which a vertex is in one or
// two, and hubs. The options are those of train. Everything random comes from seed. The network was chosen on
// seeds 11 and 12.
func Default(seed uint64) Setup {
	o := graphs.OptionsOf(graphs.MethodOf(graphs.MethodAsp2vec), graphs.Standard)
	o.Seed = seed
	return Setup{
		Network: network.PlantedOptions{Vertices: 1000, Communities: 50, Memberships: 2, MeanDegree: 30, Mixing: 0.15, Skew: 1.2, Seed: seed},
		Split:   network.SplitOptions{Remove: 0.3, Rule: "ce1", Seed: seed},
		Options: o,
	}
}

// Ranked is how the test links are ranked, by the vectors of a method or by the network alone.
type Ranked struct {
	Name    string  `json:"name"`
	Dim     int     `json:"dim"`         // 0 of what needs no vectors
	Vectors int     `json:"vectors"`     // of each vertex
	AUC     float64 `json:"auc"`         // against random pairs
	Matched float64 `json:"auc_matched"` // against pairs of matched degrees
	Seconds float64 `json:"seconds"`     // of training and evaluation
}

// Matched is how well aspects match the communities.
type Matched struct {
	Name string `json:"name"` // the method
	// Learned are the aspects that the method has learned; else they are those of aspects.Find by its final vectors.
	Learned bool `json:"learned"`
	// Hidden compares the aspects of test links, of which no walk knew, with the communities that made them: by their groups, or by their
	// numbers where they were learned.
	Hidden aspects.Agreement `json:"hidden_links"`
	// Vertices does so among the links of one vertex at a time, over all links, for vertices with links of several communities.
	Vertices aspects.Agreement `json:"links_of_a_vertex"`
}

// Result is what Run came to.
type Result struct {
	Setup
	Vertices int       `json:"vertices"`
	Train    int       `json:"train"`
	Test     int       `json:"test"`
	Methods  []Ranked  `json:"methods"` // DeepWalk, asp2vec and ppr by the score fitted, and then scores that need no vectors
	Aspects  []Matched `json:"aspects"` // of DeepWalk and asp2vec, and those that asp2vec has learned
}

// Untrained are the scores that stand beside those of vectors.
var Untrained = []string{"degrees-fitted", "neighbourhood"}

// Run trains DeepWalk, asp2vec and ppr on a network with planted communities, with as many numbers for each
// vertex. It measures how well they predict links, beside what needs no vectors, and how well aspects match
// the communities. begin is told of each training, and returns what watches it. It returns an error for
// options of the network, the split or the training that these refuse, and where ctx is done.
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
	m, err := newMatcher(planted, split, o.Options.Seed)
	if err != nil {
		return nil, err
	}
	flat := graphs.OptionsOf(graphs.MethodOf(graphs.MethodDeepWalk), graphs.Standard)
	flat.Dim, flat.Seed, flat.PairsPerVertex = o.Options.Dim*o.Options.Aspects, o.Options.Seed, o.Options.PairsPerVertex
	ppr := graphs.OptionsOf(graphs.MethodOf("ppr"), graphs.Standard)
	ppr.Dim, ppr.Seed = flat.Dim, flat.Seed
	for _, options := range []graphs.Options{flat, o.Options, ppr} {
		out, err := train(ctx, run.Data{Name: "planted", Split: split, Scores: []string{"fitted"}}, options, threads, begin)
		if err != nil {
			return nil, err
		}
		metrics := out.Record.MetricsBy("fitted")
		trained := Ranked{Name: options.Method.Name, Dim: options.Dim, Vectors: 1, AUC: metrics["auc"], Matched: metrics["auc_matched"],
			Seconds: out.Record.TrainSeconds + out.Record.EvalSeconds}
		if options.Is("ppr") {
			r.Methods = append(r.Methods, trained)
			continue
		}
		e := out.Result.Embedding
		final := eval.Embedding{N: len(split.Names), D: e.D, Data: e.Final}
		found, err := aspects.Find(ctx, m.net, final, threads, nil)
		if err != nil {
			return nil, err
		}
		if err := r.match(m, trained.Name, false, found.To, found.ByGroup); err != nil {
			return nil, err
		}
		if options.Is(graphs.MethodAsp2vec) {
			trained.Vectors = options.Aspects
			learned := aspects.LearnedOf(*e, options.Method)
			if err := r.match(m, trained.Name, true, learned.Number, learned.Number); err != nil {
				return nil, err
			}
		}
		r.Methods = append(r.Methods, trained)
	}
	for _, name := range Untrained {
		start := time.Now()
		metrics, err := eval.Measure(ctx, name, eval.Vectors{}, split, eval.ScoreOptions{Threads: threads, Seed: o.Options.Seed}, eval.Measurement{})
		if err != nil {
			return nil, err
		}
		r.Methods = append(r.Methods, Ranked{Name: name, AUC: metrics["auc"], Matched: metrics["auc_matched"], Seconds: time.Since(start).Seconds()})
	}
	return r, nil
}

// matcher has the links of a planted network by the communities that made them.
type matcher struct {
	net       *network.Network // of the training links
	all, test []aspects.VertexLinks
	seed      uint64
}

func newMatcher(planted *network.PlantedNetwork, split *network.Split, seed uint64) (*matcher, error) {
	m := &matcher{seed: seed}
	var err error
	if m.net, err = split.TrainNetwork(); err != nil {
		return nil, err
	}
	origins := planted.LinkOrigins()
	if m.all, err = aspects.ByOrigin(split.Names, origins, func(_, _ int32) bool { return true }); err != nil {
		return nil, err
	}
	m.test, err = aspects.ByOrigin(split.Names, origins, func(v, u int32) bool { return !m.net.Has(v, u) })
	return m, err
}

// match adds what groupings within vertices and of all links come to.
func (r *Result) match(m *matcher, name string, learned bool, within, overall aspects.Grouping) (err error) {
	out := Matched{Name: name, Learned: learned}
	if out.Hidden, err = aspects.Overall(m.test, overall, m.seed); err != nil {
		return err
	}
	if out.Vertices, err = aspects.Within(m.all, within, m.seed); err != nil {
		return err
	}
	r.Aspects = append(r.Aspects, out)
	return nil
}

// train does a run to its end: one that was stopped is an error.
func train(ctx context.Context, data run.Data, o graphs.Options, threads int, begin func(graphs.Options) run.Watch) (*run.Outcome, error) {
	out, err := run.Run(ctx, data, o, "", threads, begin(o))
	if err == nil && out.Result.Interrupted {
		err = fmt.Errorf("experiments: demo: %w", context.Canceled)
	}
	return out, err
}
