package hetnet

import (
	"context"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/gru"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Guard models are the graphs that methods train, on a bibliography small enough to check every gradient. What the
// encoder makes of papers is a parameter of theirs; the encoder is a model of its own.

const (
	guardStd   = 0.5 // of all numbers: far from 0, where a wrong gradient would not show
	guardSteps = 5   // words of a text, at most
	guardHigh  = 3   // numbers of the embedding of a pair, and of a word's vector
)

// guardSample returns options for models with vectors of at most three numbers, and papers. Both are the same whatever the seed.
func guardSample(o graphs.Options) (graphs.Options, *typed.Authorship, error) {
	o.Dim, o.Aspects = min(o.Dim, 3), min(o.Aspects, 3)
	o.Walks, o.Length, o.Window, o.Negatives, o.Batch = 2, 10, 3, min(o.Negatives, 2), 12
	o.Lambda = min(o.Lambda, 1) // a larger weight would drown the pairs in the rounding of differences
	o.Seed, o.FinalRate = 1, 0  // on which the graph does not depend, as on meta-paths
	graphs.Edit(&o, func(p *PaperOptions) {
		p.Dropout = min(p.Dropout, 0.5) // of so few numbers, more could leave nothing
		p.MetaPaths, p.ContextRatio = "APA", 0.05
		if p.Context != ContextPaper && p.Context != ContextAuthor {
			p.Context = ContextBoth // types of another network
		}
	})
	const authors, words = 12, 20
	t := papers.NewTable()
	for i := range 24 {
		r := papers.Row{Name: fmt.Sprint(i)}
		for k := range 1 + i%3 {
			r.Authors = append(r.Authors, fmt.Sprint((i+k*(1+i/authors))%authors))
		}
		for k := range 2 + i%4 {
			r.Words = append(r.Words, fmt.Sprint(i*(k+1)%words))
		}
		if err := t.Add(r); err != nil {
			return o, nil, err
		}
	}
	b, _, err := t.Bibliography("guard")
	return o, b.Authorship, err
}

// guardModel returns a model that is built on guardSample.
func guardModel(name string, o graphs.Options, build guardBuild) guard.Model {
	return guard.Model{Name: name, Build: func(g *G.ExprGraph, dt tensor.Dtype) (guard.Graph, error) {
		o, b, err := guardSample(o)
		if err != nil {
			return guard.Graph{}, err
		}
		return build(g, dt, o, b)
	}}
}

// guardBuild builds the graph of a method.
type guardBuild func(g *G.ExprGraph, dt tensor.Dtype, o graphs.Options, b *typed.Authorship) (guard.Graph, error)

// guards returns the graphs of a method: its own, that of a warm-up where the options ask for it, and the encoder's.
func guards(name string, build guardBuild, warmUp string, buildWarmUp guardBuild) func(o graphs.Options) []guard.Model {
	return func(o graphs.Options) []guard.Model {
		model := guardModel(name, o, build)
		if o.Is(MethodAsp2vecHet) {
			model.Smooth = graphs.Smooth(o, func(o graphs.Options) guard.Model { return guardModel(name, o, build) })
		}
		switch name {
		case MethodM2V:
			model.AddsUp = func() error { return graphs.AddsUp(pairOptions(o, graphs.MethodDeepWalk)) }
		case MethodAsp2vecHet:
			model.AddsUp = func() error { return graphs.AddsUp(pairOptions(o, graphs.MethodAsp2vec)) }
		}
		models := []guard.Model{model}
		if o.WarmUp && buildWarmUp != nil {
			models = append(models, guardModel(warmUp, o, buildWarmUp))
		}
		encoder := guardModel("encoder", o, buildEncoder)
		encoder.NoBound = "a weighted sum of what the encoder returns, which is no loss"
		return append(models, encoder)
	}
}

// guardTable adds a table of random numbers to a graph.
func guardTable(g *G.ExprGraph, dt tensor.Dtype, o graphs.Options, name string, rows int, block ...int) *G.Node {
	t := engine.NewTable(name, rows, block...)
	t.InitNormal(o.Seed, guardStd)
	return t.Node(g, dt)
}

// firstBatch returns the first windows around vertices of the given types.
func (c *corpus) firstBatch(o graphs.Options, types walks.Types) (*walks.Batch, error) {
	stream, err := c.stream(context.Background(), o, o.Batch, types)
	if err != nil {
		return nil, err
	}
	if batches := firstBatches(context.Background(), stream); batches != nil {
		return batches[0], nil
	}
	return nil, noWindows(o, "what is asked for")
}

// buildWalked is the graph that a method trains on walks, with random numbers for all that it learns.
func buildWalked(g *G.ExprGraph, dt tensor.Dtype, o graphs.Options, c *corpus, w *windowGraph, types ...walks.Types) (guard.Graph, error) {
	first, last := c.FreeVertices(), c.Vertices()
	var batches []*walks.Batch
	for _, t := range types {
		b, err := c.firstBatch(o, t)
		if err != nil {
			return guard.Graph{}, err
		}
		batches = append(batches, b)
	}
	for _, t := range w.learnt {
		t.InitNormal(o.Seed, guardStd)
	}
	vectors := engine.NewTable("papers", last-first, o.Dim)
	vectors.InitNormal(o.Seed, guardStd)
	return w.build(g, dt, vectors, c.facts(), batches)
}

func buildM2V(g *G.ExprGraph, dt tensor.Dtype, o graphs.Options, b *typed.Authorship) (guard.Graph, error) {
	c, err := newCorpus(context.Background(), OfPapers(b.Network, nil), o, 1)
	if err != nil {
		return guard.Graph{}, err
	}
	return buildWalked(g, dt, o, c, m2vGraph(o, engine.NewTable("X", c.FreeVertices(), o.Dim)), walks.Types{})
}

func buildAsp2vecHet(g *G.ExprGraph, dt tensor.Dtype, o graphs.Options, b *typed.Authorship) (guard.Graph, error) {
	c, err := newCorpus(context.Background(), OfPapers(b.Network, nil), o, 1)
	if err != nil {
		return guard.Graph{}, err
	}
	free, k, d := c.FreeVertices(), o.Aspects, o.Dim
	learnt := []*engine.Table{engine.NewTable("P", free, d), engine.NewTable("Q", free, k, d)}
	if Own(o).Variant == VariantHeads {
		learnt = append(learnt, engine.NewTable("heads", k, d, d))
	}
	kinds, err := c.hetWindows(o)
	if err != nil {
		return guard.Graph{}, err
	}
	return buildWalked(g, dt, o, c, hetGraph(o, true, learnt...), kinds[0].types, kinds[1].types)
}

// guardInput returns papers as an input, with random vectors of words.
func guardInput(o graphs.Options, b *typed.Authorship) Input {
	words := engine.NewTable("words", len(b.Words), guardHigh)
	words.InitNormal(o.Seed, guardStd)
	return OfPapers(b.Network, &encode.Words{Dim: guardHigh, Vectors: words.X})
}

func buildCamel(g *G.ExprGraph, dt tensor.Dtype, o graphs.Options, b *typed.Authorship) (graph guard.Graph, err error) {
	c, err := newCamel(guardInput(o, b), o, 1)
	if err == nil {
		err = c.prepare(context.Background())
	}
	if err != nil {
		return graph, err
	}
	n, _ := c.sizes()
	var near []triple
	if c.indirect != nil {
		near = c.indirect.epoch(1)
	}
	c.graph.fill(c.pairs.epoch(1)[:n], near[:min(n, len(near))])
	for _, t := range []*engine.Table{c.graph.a, c.graph.f, c.bias} {
		t.InitNormal(o.Seed, guardStd)
	}
	if graph, err = c.build(g, dt); c.indirect == nil { // nothing then depends on b
		graph.Params, graph.Inputs = graph.Params[:2], append(graph.Inputs, graph.Params[2])
	}
	return graph, err
}

func buildTaPEm(g *G.ExprGraph, dt tensor.Dtype, o graphs.Options, b *typed.Authorship) (graph guard.Graph, err error) {
	t, err := newTaPEm(guardInput(o, b), o, 1)
	if err != nil {
		return graph, err
	}
	t.tables = newTapemTables(o.Dim, guardHigh, o.Seed)
	if err = t.prepare(context.Background()); err != nil {
		return graph, err
	}
	m, paths := t.graphs[0], t.contexts.epoch(1, Own(o).ContextRatio)
	n, _ := t.sizes()
	m.fill(t.pairs.epoch(1)[:n], paths[:min(len(paths), len(m.weight))], int32(t.authors.Rows))
	t.drawMasks(m.mask1, 0)
	t.drawMasks(m.mask2, 1)
	for _, t := range append(t.tables, m.a, m.f) {
		t.InitNormal(o.Seed, guardStd)
	}
	graph, err = t.build(m, g, dt)
	const offset = 2 + attendOffset // the same for all steps, of which a softmax sees the differences only
	graph.Inputs = append(graph.Inputs, graph.Params[offset])
	graph.Params = slices.Delete(graph.Params, offset, offset+1)
	return graph, err
}

// buildEncoder is the encoder of the first papers' texts, with random weights of what it gives for a loss. Of gru it is the op that is
// trained.
func buildEncoder(g *G.ExprGraph, dt tensor.Dtype, o graphs.Options, b *typed.Authorship) (guard.Graph, error) {
	texts := slices.Clone(b.Texts()[:4])
	weights := guardTable(g, dt, o, "weights", len(texts), o.Dim)
	if Own(o).Encoder == EncoderMean {
		means, learnt := guardTable(g, dt, o, "means", len(texts), guardHigh), guardTable(g, dt, o, "weight_mean", o.Dim, guardHigh)
		out, err := encode.ComposeMean(means, learnt)
		return guardVectors(guard.Graph{Params: []*G.Node{learnt}, Inputs: []*G.Node{means, weights}}, out, weights, err)
	}
	cell, err := gru.FindCell(Own(o).Cell)
	if err != nil {
		return guard.Graph{}, err
	}
	for i, text := range texts {
		texts[i] = text[:min(len(text), guardSteps, Own(o).TextLength)]
	}
	words, d := guardTable(g, dt, o, "words", len(b.Words), guardHigh), o.Dim
	graph := guard.Graph{Inputs: []*G.Node{words, weights}, Params: []*G.Node{
		guardTable(g, dt, o, "weight_ih", 3*d, guardHigh), guardTable(g, dt, o, "weight_hh", 3*d, d), guardTable(g, dt, o, "bias_ih", 3*d),
	}}
	if cell == gru.ResetAfter {
		graph.Params = append(graph.Params, guardTable(g, dt, o, "bias_hh", 3*d))
	}
	out, err := gru.Means(cell, words, len(texts), func() ([][]int32, error) { return texts, nil }, 1, graph.Params...)
	return guardVectors(graph, out, weights, err)
}

// guardVectors gives a graph the sum of weighted vectors (B,D) for a loss; err is of what made them.
func guardVectors(graph guard.Graph, out, weights *G.Node, err error) (guard.Graph, error) {
	if err != nil {
		return graph, err
	}
	graph.Loss, err = encode.WeightedSum(out, weights)
	return graph, err
}
