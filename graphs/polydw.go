package graphs

import (
	"context"
	"fmt"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/symnmf"
	"github.com/asp2vec/asp2vec/walks"
)

func polyDWMethod() *Method {
	return &Method{
		Name: MethodPolyDW, Title: "PolyDW",
		Source: "Liu, Tan, Zhu, Du, Hu, KDD 2019 (Is a single vector enough? Exploring node polysemy for network embedding)",
		Differs: "skip-gram with negative sampling only, where the published code adds hierarchical softmax, in steps of many pairs; no " +
			"subsampling of frequent tokens; facets are drawn by the mean of the walk, as in the code, not of the window; " +
			"multiplicative updates for the factorisation; directed networks are made undirected; the scoring used by the paper of " +
			"asp2vec (sum of cosines, no classifier) is inferred",
		Scorings:  []string{ScoringSum, ScoringMax, ScoringLR},
		Options:   []string{"corpus", "pairs", "aspects"},
		Own:       option.Defaults[FacetOptions](),
		Formula:   "2·n·d·(K+1)",
		Published: func(n int64, o Options) int64 { return 2 * n * int64(o.Dim) * int64(o.Aspects+1) },
		Valid: func(o Options) error {
			if o.Aspects > walks.MaxFacets {
				return fmt.Errorf("aspects = %d: expected 1 to %d", o.Aspects, walks.MaxFacets)
			}
			return nil
		},
		Stages: polyDWStages,
		Models: func(o Options) []Options { return []Options{flatOptions(o)} },
	}
}

// FacetOptions are PolyDW's own.
type FacetOptions struct {
	Copies int `json:"facet-copies" default:"10" range:"[1,65536]" group:"Model" help:"copies of each walk, each with facets drawn anew"`
	// See symnmf.Options; at the default facets still change.
	Tolerance float64 `json:"facet-tolerance" default:"1e-4" range:"(0,1)" group:"Model" help:"stop the factorisation when the residual changes by less than this share"`
}

// polyDWStages factorises the adjacency matrix, and trains a skip-gram over walks of tokens, one for each facet of a vertex.
func polyDWStages(ctx context.Context, in Input, o Options, threads int) ([]Stage, error) {
	net := in.Network.Simple()
	n, k := net.Vertices(), o.Aspects
	o, pairs := o.budget(in.Network).stage(o, 1, n*k)
	base, err := uniformWalks(net, o)
	if err != nil {
		return nil, err
	}
	factors, err := symnmf.Factor(ctx, net, symnmf.Options{Facets: k, Tolerance: Own[FacetOptions](o).Tolerance, Seed: o.Seed}, threads)
	if err != nil {
		return nil, fmt.Errorf("graphs: facets of %s: %w", MethodPolyDW, err)
	}
	prior := factors.Prior()
	src, err := walks.NewFacets(base, prior, k, Own[FacetOptions](o).Copies, o.Seed)
	if err != nil {
		return nil, err
	}
	l, err := newTokenLearner(ctx, src, n*k, 0, o, pairs, threads)
	if err != nil {
		return nil, err
	}
	return []Stage{l.stage(StageMain, &several{l, each(n, k), prior, nil}, o.Select)}, nil
}
