package graphs

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
)

// changes give each option another value than TestOptionsMatter begins with. "other" is a loss or layer that it registers.
var changes = map[string]func(in *Input, o *Options){
	"dim":           func(_ *Input, o *Options) { o.Dim++ },
	"learning-rate": func(_ *Input, o *Options) { o.LearningRate /= 2 },
	"epochs":        func(_ *Input, o *Options) { o.Epochs = 3 }, // one before the best of the scores
	"patience":      func(_ *Input, o *Options) { o.Patience = 1 },
	"select":        func(_ *Input, o *Options) { o.Select = SelectLast },
	"seed":          func(_ *Input, o *Options) { o.Seed++ },

	"walks":              func(_ *Input, o *Options) { o.Walks++ },
	"walk-length":        func(_ *Input, o *Options) { o.Length++ },
	"window":             func(_ *Input, o *Options) { o.Window++ },
	"shrink-window":      func(_ *Input, o *Options) { o.Shrink = !o.Shrink },
	"negatives":          func(_ *Input, o *Options) { o.Negatives++ },
	"noise-power":        func(_ *Input, o *Options) { o.NoisePower = 0 },
	"resample-negatives": func(_ *Input, o *Options) { o.Resample = !o.Resample },
	"order":              func(_ *Input, o *Options) { o.Order = walks.Grouped },

	"pair-loss":           func(_ *Input, o *Options) { o.PairLoss = "other" },
	"batch":               func(_ *Input, o *Options) { o.Batch /= 2 },
	"final-learning-rate": func(_ *Input, o *Options) { o.FinalRate = o.LearningRate },
	"optimizer": func(_ *Input, o *Options) {
		if o.Optimizer == OptimizerSGD {
			o.Optimizer = OptimizerAdam
		} else {
			o.Optimizer = OptimizerSGD
		}
	},

	"aspects":        func(_ *Input, o *Options) { o.Aspects-- },
	"selection":      func(_ *Input, o *Options) { o.Selection = "softmax" },
	"noise":          func(_ *Input, o *Options) { o.Noise = NoiseWindow },
	"tau":            func(_ *Input, o *Options) { o.Tau *= 4 },
	"readout":        func(_ *Input, o *Options) { o.Readout = "other" },
	"regularizer":    func(_ *Input, o *Options) { o.Regularizer = "other" },
	"lambda":         func(_ *Input, o *Options) { o.Lambda = 0 },
	"lambda-mean":    func(_ *Input, o *Options) { o.MeanPenalty = true },
	"epsilon":        func(_ *Input, o *Options) { o.Epsilon = 1 },
	"warm-up":        func(_ *Input, o *Options) { o.WarmUp = false },
	"warm-up-epochs": func(_ *Input, o *Options) { o.WarmUpEpochs = 1 },
	"aspect-noise":   func(_ *Input, o *Options) { o.AspectNoise = 0 },

	"warm-up-pair-loss": func(_ *Input, o *Options) { o.WarmUpPairLoss = "other" },

	"pairs-per-vertex": func(_ *Input, o *Options) { o.PairsPerVertex /= 2 },
	"steps":            func(_ *Input, o *Options) { o.Steps *= 2 },
	"rate-sum":         func(_ *Input, o *Options) { o.RateSum /= 2 },
	"degree-power":     func(_ *Input, o *Options) { o.DegreePower = 0 },
	"spread-power":     func(_ *Input, o *Options) { o.SpreadPower = 1 },
	"rate-end":         func(_ *Input, o *Options) { o.RateEnd = 1 },
	"max-norm":         func(_ *Input, o *Options) { o.MaxNorm = 0.01 },
	"warm-up-share":    func(_ *Input, o *Options) { o.WarmUpShare = 0.7 },
	"embedding":        func(_ *Input, o *Options) { o.Vectors = EmbeddingCenter },
	"embedding-scale":  func(_ *Input, o *Options) { o.Scale = 0.5 },

	"filter-order":   func(_ *Input, o *Options) { Edit(o, func(p *FilterOptions) { p.Order = 2 }) },
	"filter-mu":      func(_ *Input, o *Options) { Edit(o, func(p *FilterOptions) { p.Mu = 0.5 }) },
	"filter-theta":   func(_ *Input, o *Options) { Edit(o, func(p *FilterOptions) { p.Theta = 2 }) },
	"normalize-rows": func(_ *Input, o *Options) { Edit(o, func(p *FilterOptions) { p.Normalize = true }) },

	"ppr-restart":   func(_ *Input, o *Options) { Edit(o, func(p *PageRankOptions) { p.Restart = 0.5 }) },
	"ppr-floor":     func(_ *Input, o *Options) { Edit(o, func(p *PageRankOptions) { p.Floor = 1 }) },
	"ppr-landmarks": func(_ *Input, o *Options) { Edit(o, func(p *PageRankOptions) { p.Landmarks = 10 }) },

	"p":               func(_ *Input, o *Options) { Edit(o, func(p *Node2vecOptions) { p.P *= 4 }) },
	"q":               func(_ *Input, o *Options) { Edit(o, func(p *Node2vecOptions) { p.Q *= 4 }) },
	"facet-copies":    func(_ *Input, o *Options) { Edit(o, func(p *FacetOptions) { p.Copies++ }) },
	"facet-tolerance": func(_ *Input, o *Options) { Edit(o, func(p *FacetOptions) { p.Tolerance = 0.2 }) },
	"clustering": func(_ *Input, o *Options) {
		Edit(o, func(p *PersonaOptions) { p.Clustering = network.ClusteringComponents })
	},
	"features": func(in *Input, o *Options) { // the option is the name of a file, which is for callers to read
		n := in.Network.Vertices()
		f := &network.Features{Columns: 3, Offsets: make([]int64, n+1), Index: make([]int32, n), Value: make([]float32, n)}
		for v := range n {
			f.Offsets[v+1], f.Index[v], f.Value[v] = int64(v+1), int32(v%3), 1
		}
		in.Features = f
		Edit(o, func(p *FeatureOptions) { p.Features = "features.txt" })
	},
}

// still are the options that must leave the vectors as they are, to rounding.
var still = map[string]func(in *Input, o *Options){
	"method":          func(_ *Input, _ *Options) {},                        // says whose options these are
	"scoring":         func(_ *Input, o *Options) { o.Scoring = ScoringLR }, // ranks links by the vectors
	"walks-in-memory": func(_ *Input, o *Options) { o.WalksInMemory = "false" },
	"feature-links":   func(_ *Input, o *Options) { Edit(o, func(p *FeatureOptions) { p.FeatureLinks = FeaturesBoth }) }, // links here have no direction; see TestDGIFeatureLinks
	"hold-out":        func(_ *Input, o *Options) { o.HoldOut = 0.1 },                                                    // which links to learn from is for callers, and what to do after a choice
	"refit":           func(_ *Input, o *Options) { o.Refit = true },
	"pilot":           func(_ *Input, o *Options) { o.Pilot = 0.5 }, // is for callers, who have links to score it by; see Pilot
	"pilot-negatives": func(_ *Input, o *Options) { o.PilotNegatives = "uniform-matched" },
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
				change, moves := changes[name], name != "seed" || m.Stages != nil // the subspace of a factorisation hardly depends on where it begins
				if change == nil {
					change, moves = still[name], false
				}
				if change == nil {
					t.Errorf("option %q: expected another value of it in changes, or in still", name)
					continue
				}
				change(&in, &other)
				if got := difference(began, vectors(t, in, other)); (got > 1e-3) != moves {
					t.Errorf("option %q moves the vectors by %v of the largest number: expected more than 0.001: %v", name, got, moves)
				}
			}
		})
	}
}

// difference is the largest between two lists, as a share of the largest number in them; infinite if they differ in length.
func difference(x, y []float32) float64 {
	if len(x) != len(y) {
		return math.Inf(1)
	}
	var scale, worst float64
	for i := range x {
		scale = max(scale, math.Abs(float64(x[i])), math.Abs(float64(y[i])))
		worst = max(worst, math.Abs(float64(x[i])-float64(y[i])))
	}
	return worst / scale
}

// otherLossesAndLayers registers a second of what there is one of, for the time of a test.
func otherLossesAndLayers(t *testing.T) {
	t.Cleanup(func() {
		losses.Pairs.Remove("other")
		losses.Regularizers.Remove("other")
		layers.Readouts.Remove("other")
	})
	losses.Pairs.Add("other", losses.Pair{Loss: func(s losses.State, _ losses.Values) (*G.Node, error) {
		loss, err := losses.SkipGram(s.Pos, s.Neg)
		if err != nil {
			return nil, err
		}
		return G.Square(loss)
	}})
	cosine := losses.Regularizers.Get("cosine")
	losses.Regularizers.Add("other", losses.Regularizer{Parameters: cosine.Parameters, Table: func(a losses.Aspects, h losses.Values) (*G.Node, error) {
		penalty, err := cosine.Table(a, h)
		if err != nil {
			return nil, err
		}
		return op.Scale(penalty, -1)
	}})
	layers.Readouts.Add("other", layers.Readout{Read: func(c layers.Contexts, _ layers.Values) (*G.Node, error) {
		mean, err := layers.MeanReadout(c.Rows, c.Weight)
		if err != nil {
			return nil, err
		}
		return op.Scale(mean, -5)
	}})
}
