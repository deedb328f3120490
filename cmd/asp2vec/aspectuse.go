package main

import (
	"context"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// use returns how often vertices use each of their aspects, as numbers that add up to 1, nil for a vertex of which that cannot be
// told; and nil where it can be told of none, which it says why. windows is over how many windows of walks it is a mean.
func (p *program) use(ctx context.Context, e *embedding, s eval.MultiEmbedding, l *linked, vs []int32, windows int) ([][]float64, error) {
	if s.Share != nil {
		return seq.Map(vs, func(v int32) []float64 { return shareOf(s, v) }), nil
	}
	o := optionsOf(e.Record)
	switch {
	case e.Center == nil || e.D != s.D || e.Aspects() == 0, e.method != "" && e.method != graphs.MethodAsp2vec:
		return nil, nil
	case o.Readout != "mean" || !slices.Contains([]string{"gumbel", "hard", "softmax"}, o.Selection): // whose probabilities VertexUse computes
		p.log.Info("the use of aspects is only known for readout mean with selection gumbel, hard or softmax", "readout", o.Readout, "selection", o.Selection)
		return nil, nil
	case l == nil:
		p.log.Info("the use of aspects is not known without the training links: give --network or --split")
		return nil, nil
	}
	center := eval.Embedding{N: len(e.Names), D: e.D, Data: e.Center}
	return aspects.VertexUse(ctx, l.net, vs, center, s, max(1, o.Window), windows, p.threads)
}

// shareOf returns the shares of a vertex's vectors, nil where they are all 0.
func shareOf(s eval.MultiEmbedding, v int32) []float64 {
	var use []float64
	sum := 0.
	for _, x := range s.Share[s.First[v]:s.First[v+1]] {
		use, sum = append(use, float64(x)), sum+float64(x)
	}
	if !(sum > 0) {
		return nil
	}
	for k := range use {
		use[k] /= sum
	}
	return use
}
