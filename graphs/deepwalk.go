package graphs

import (
	"context"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/walks"
)

func deepWalkMethod() *Method {
	return &Method{
		Name: MethodDeepWalk, Title: "DeepWalk", Sides: true,
		Source: "Perozzi, Al-Rfou, Skiena, KDD 2014",
		Differs: "negative sampling instead of hierarchical softmax, dense Adam, and rows of length at most 1, as in the paper's " +
			"comparison and its authors' warm-up; under the protocol standard rows may be longer, the centre vectors alone, " +
			"without the contexts, are the embedding, and a pilot chooses between Adam and sgd",
		Scorings:  []string{ScoringLR},
		Options:   []string{"corpus", "pairs", "vectors", "pilot"},
		Formula:   "2·n·dim",
		Published: func(n int64, o Options) int64 { return 2 * n * int64(o.Dim) },
		Stages: func(ctx context.Context, in Input, o Options, threads int) ([]Stage, error) {
			src, err := uniformWalks(in.Network, o)
			if err != nil {
				return nil, err
			}
			return deepWalkStages(ctx, src, in, o, threads)
		},
		Models: func(o Options) []Options { return []Options{o} },
	}
}

func node2vecMethod() *Method {
	return &Method{
		Name: MethodNode2vec, Title: "node2vec", Weights: true, Sides: true,
		Source: "Grover, Leskovec, KDD 2016",
		Differs: "trained like DeepWalk here, as in the paper's comparison; walks use rejection sampling, which has the same " +
			"distribution and needs no table for each arc, and link weights, which no other skip-gram here uses; p and q are chosen on" +
			" validation links if a grid is given",
		Scorings:  []string{ScoringLR},
		Options:   deepWalkMethod().Options,
		Own:       option.Defaults[Node2vecOptions](),
		Formula:   "2·n·dim",
		Published: deepWalkMethod().Published,
		Stages: func(ctx context.Context, in Input, o Options, threads int) ([]Stage, error) {
			own := Own[Node2vecOptions](o)
			src, err := walks.NewNode2Vec(in.Network, walks.Options{PerVertex: o.Walks, Length: o.Length, Seed: o.Seed}, own.P, own.Q)
			if err != nil {
				return nil, err
			}
			return deepWalkStages(ctx, src, in, o, threads)
		},
		Models: deepWalkMethod().Models,
	}
}

// Node2vecOptions are node2vec's own; published: 1/4 to 4.
type Node2vecOptions struct {
	P float64 `json:"p" default:"1" range:"[1e-100,1e100]" group:"Model" help:"return parameter; a step back has weight 1/p"`
	Q float64 `json:"q" default:"1" range:"[1e-100,1e100]" group:"Model" help:"in-out parameter; a step away has weight 1/q"`
}

// flatOptions are those of the model that other methods warm up with, or train on something else than vertices: one vector
// and one context vector for each.
func flatOptions(o Options) Options { return o.As(MethodOf(MethodDeepWalk)) }

// warmUpOptions are those of the DeepWalk that a run warms up with: flatOptions, with a loss of pairs that may be its own.
func warmUpOptions(o Options) Options {
	if o.WarmUpPairLoss != "" && o.warmsUpAlone() {
		o.PairLoss = o.WarmUpPairLoss
	}
	return flatOptions(o).normal()
}

// deepWalkStages is DeepWalk's training on the walks of a source.
func deepWalkStages(ctx context.Context, src walks.Source, in Input, o Options, threads int) ([]Stage, error) {
	whole, err := in.budget(ctx, o, threads)
	if err != nil {
		return nil, err
	}
	o, pairs := whole.stage(o, 1, in.moving())
	c, err := in.corpus(ctx, src, o, threads)
	if err != nil {
		return nil, err
	}
	m, err := newDeepWalk(o, in.Network.Vertices(), threads)
	if err != nil {
		return nil, err
	}
	in.enter(m)
	l := newSkipGramLearner(m, c, o.Epochs, pairs)
	return []Stage{l.stage(StageMain, l, o.Select)}, nil
}

// newDeepWalk returns DeepWalk's model. In the paper's comparison its rows are never longer than 1 (MaxNorm).
func newDeepWalk(o Options, vertices, threads int) (*SkipGram, error) {
	m, err := NewSkipGram(flatOptions(o), vertices, threads)
	if err != nil {
		return nil, err
	}
	m.longest = o.MaxNorm
	m.capNorms()
	return m, nil
}
