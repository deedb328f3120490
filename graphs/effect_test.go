package graphs

import (
	"context"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	G "gorgonia.org/gorgonia"

	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// changes give each option that is no switch another value than TestOptionsMatter begins with. "other" is a loss or layer that it registers.
var changes = map[string]any{
	"dim": 5, "learning-rate": 0.025, "patience": 1, "select": SelectLast, "seed": 2,
	"epochs": 3, // one before the best of the scores

	"walks": 2, "walk-length": 7, "window": 3, "negatives": 3, "noise-power": 0, "order": walks.Grouped,

	"pair-loss": "other", "batch": 100, "final-learning-rate": 0.05,
	"optimizer": OptimizerSGD, // or adam

	"aspects": 2, "selection": "softmax", "noise": NoiseWindow, "tau": 2, "readout": "other", "regularizer": "other", "lambda": 0, "epsilon": 1,
	"warm-up-epochs": 1, "aspect-noise": 0, "warm-up-pair-loss": "other",

	"pairs-per-vertex": 100, "steps": 40, "rate-sum": 0.5, "degree-power": 0, "spread-power": 1, "rate-end": 1, "max-norm": 0.01, "warm-up-share": 0.7,
	"embedding": EmbeddingCenter, "embedding-scale": 0.5,

	"filter-order": 2, "filter-mu": 0.5, "filter-theta": 2, "ppr-restart": 0.5, "ppr-floor": 1, "ppr-landmarks": 10, "p": 2, "q": 2,
	"facet-copies": 2, "facet-tolerance": 0.2, "clustering": network.ClusteringComponents,
	"features": "features.txt", // the name of a file, which is for callers to read
}

// still are the options that must leave the vectors as they are, to rounding.
var still = map[string]any{
	"scoring":         ScoringLR, // ranks links by the vectors
	"walks-in-memory": "false",
	"feature-links":   FeaturesBoth, // links here have no direction; see TestDGIFeatureLinks
	"hold-out":        0.1,          // which links to learn from is for callers, and what to do after a choice
	"refit":           true,
	"pilot":           0.5, // is for callers, who have links to score it by; see Pilot
	"pilot-negatives": "uniform-matched",
}

// begins give options that say nothing to the others a run to say something to, on top of what TestOptionsMatter begins with.
var begins = map[string]func(in *Input, o *Options){
	"pairs-per-vertex": recipe, "steps": recipe, "rate-sum": recipe, "degree-power": recipe, "spread-power": recipe, "warm-up-share": recipe, "rate-end": recipe,
	"hold-out": func(_ *Input, o *Options) { o.Select = SelectLast },
}

// recipe is a run on a directed network whose length and rates are known beforehand.
func recipe(in *Input, o *Options) {
	in.Network = directed(in.Network)
	o.Select, o.PairsPerVertex, o.Steps, o.RateSum, o.DegreePower = SelectLast, 200, 20, 1, 0.5
}

// Each option that a method says it reads changes its vectors, or is known to leave them: none is read by the flags, written
// to the record, and then ignored.
func TestOptionsMatter(t *testing.T) {
	golden.StillPaper(t)
	otherLossesAndLayers(t)
	vectors := func(t *testing.T, in Input, o Options) []float32 {
		n := 0
		r, err := Train(context.Background(), in, o, 1, Monitor{
			Tell: On(func(Begun) { n = 0 }),
			Score: func(context.Context, Learner) (float64, error) {
				n++
				return []float64{.5, .7, .6, .8, .4}[n-1], nil // with less patience or fewer epochs, the second is the best
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return slices.Concat(r.Embedding.Final, r.Embedding.Vectors)
	}
	for _, m := range Methods() {
		t.Run(m.Name, func(t *testing.T) {
			o := quick(t, m.Name)
			o.Dim, o.Aspects, o.Epochs, o.WarmUpEpochs, o.Patience, o.Select = 4, 3, 5, 2, 2, SelectValidation
			o.Walks, o.Length, o.Window, o.Negatives, o.NoisePower, o.Batch = 1, 6, 2, 2, 0.75, 200
			o.LearningRate, o.FinalRate, o.Tau, o.Lambda, o.Epsilon = 0.05, 0.01, 0.5, 0.5, 0.3
			Edit(&o, func(p *Node2vecOptions) { p.P, p.Q = 0.5, 0.5 })
			Edit(&o, func(p *FacetOptions) { p.Copies = 1 })
			o.AspectNoise = 0.3 // without it, aspects begin as one another, and rounding decides which way they part
			plain := vectors(t, Input{Network: karate()}, o)
			for _, name := range m.All() {
				in, other, began := Input{Network: karate()}, o, plain
				if begin := begins[name]; begin != nil {
					begin(&in, &other)
					began = vectors(t, in, other)
				}
				value, moves := changes[name], name != "seed" || m.Stages != nil // the subspace of a factorisation hardly depends on where it begins
				if keeps, is := still[name]; is {
					value, moves = keeps, false
				}
				switch now, _ := other.Get(name); now := now.(type) {
				case bool:
					value = !now
				case string:
					if value == now {
						value = OptimizerAdam
					}
				}
				if value == nil {
					t.Errorf("option %q: expected another value of it in changes, or in still", name)
					continue
				}
				if name == "features" {
					n := in.Network.Vertices()
					f := &network.Features{Columns: 3, Offsets: make([]int64, n+1), Index: make([]int32, n), Value: make([]float32, n)}
					for v := range n {
						f.Offsets[v+1], f.Index[v], f.Value[v] = int64(v+1), int32(v%3), 1
					}
					in.Features = f
				}
				other.set(name, value)
				if Near(began, vectors(t, in, other), 0, 1e-3) == moves {
					t.Errorf("option %q moves the vectors by more than 0.001 of the largest number: expected %v", name, moves)
				}
			}
		})
	}
}

// otherLossesAndLayers registers a second of what there is one of, for the time of a test.
func otherLossesAndLayers(t *testing.T) {
	add(t, losses.Pairs, "other", losses.Pair{Loss: func(s losses.State, _ losses.Values) (*G.Node, error) {
		loss, err := losses.SkipGram(s.Pos, s.Neg)
		if err != nil {
			return nil, err
		}
		return G.Square(loss)
	}})
	cosine := losses.Regularizers.Get("cosine")
	add(t, losses.Regularizers, "other", losses.Regularizer{Parameters: cosine.Parameters, Table: func(a losses.Aspects, h losses.Values) (*G.Node, error) {
		penalty, err := cosine.Table(a, h)
		if err != nil {
			return nil, err
		}
		return op.Scale(penalty, -1)
	}})
	add(t, layers.Readouts, "other", layers.Readout{Read: func(c layers.Contexts, _ layers.Values) (*G.Node, error) {
		mean, err := layers.MeanReadout(c.Rows, c.Weight)
		if err != nil {
			return nil, err
		}
		return op.Scale(mean, -5)
	}})
}
