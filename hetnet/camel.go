package hetnet

import (
	"context"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/guard"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// camel is Camel in training: a vector for each author and an encoder of papers, such that a paper is near its authors.
//
// Source: Zhang, Huang, Yu, Zhang and Chawla, WWW 2018 (Camel), with the settings of its code in TaPEm's repository. Differs:
// direct triples are shuffled and not sorted by the length of their texts, since the encoder needs no texts of one length
// together; the last, smaller batch of an epoch is not dropped; an author of the paper itself is never drawn as one that is
// far from it.
type camel struct {
	paperModel
	bias *engine.Table // (1): b

	indirect *indirectPairs // nil before prepare, as the rest, and without weight
	graph    *camelGraph
}

// camelGraph is the graph of a batch with the memory that its inputs are bound to.
type camelGraph struct {
	*textBatch
	program          *engine.Program
	direct, indirect *triples
}

// newCamel returns a model with random parameters: authors N(0, 0.01²), b = 0.1. Epochs use up to threads goroutines, whose
// number does not change the result. Papers are not needed before prepare. It returns an error from the encoder.
func newCamel(in Input, o graphs.Options, threads int) (*camel, error) {
	m, err := newPaperModel(in, o, threads)
	if err != nil {
		return nil, err
	}
	c := &camel{paperModel: m, bias: engine.NewTable("b", 1)}
	c.match = c.matched
	c.bias.X[0] = 0.1
	return c, nil
}

// prepare draws the walks and makes the graph. It returns an error if there is no training paper, if one has every author, if
// no walk can follow a meta-path, or ctx's.
func (c *camel) prepare(ctx context.Context) (err error) {
	if c.pairs, err = newDirectPairs(c.b, c.leastPapers(), c.o.Seed); err != nil {
		return err
	}
	if Own(c.o).Indirect > 0 {
		if c.indirect, err = newIndirectPairs(ctx, c.pairs, c.o, c.threads); err != nil {
			return err
		}
	}
	n, _ := c.sizes()
	c.graph = &camelGraph{textBatch: c.newBatch(2*n, 4*n), direct: newTriples(n), indirect: newTriples(n)}
	if c.graph.program, err = compiled(c.build(G.NewGraph(), tensor.Float32)); err != nil {
		return err
	}
	return c.made.conclude(c.authors)
}

// build adds the loss of the batch to a graph. Its parameters are the vectors of authors and of papers, and b.
func (c *camel) build(g *G.ExprGraph, dt tensor.Dtype) (graph guard.Graph, err error) {
	a, f := c.graph.nodes(g, dt)
	bias, direct, indirect := c.bias.Node(g, dt), c.graph.direct.nodes(g, dt, "direct"), c.graph.indirect.nodes(g, dt, "indirect")
	graph.Params, graph.Inputs = []*G.Node{a, f, bias}, append(direct.list(), indirect.list()...)
	graph.Loss, err = camelLoss(f, a, bias, direct, indirect, Own(c.o).Margin, Own(c.o).Indirect)
	return graph, err
}

// Pairs returns about how many pairs of a paper and an author an epoch trains, direct and indirect.
func (c *camel) Pairs() int64 {
	n := int64(len(c.pairs.pairs))
	if c.indirect != nil {
		n *= 2
	}
	return n
}

// Parameters returns the vectors of authors, b, and the encoder's parameters.
func (c *camel) Parameters() []*engine.Table {
	return append([]*engine.Table{c.authors, c.bias}, c.text.Parameters()...)
}

// kept returns what scores depend on.
func (c *camel) kept() []*engine.Table {
	return append([]*engine.Table{c.authors, c.prior, c.bias}, c.text.Kept()...)
}

// Epoch takes a step for each batch of direct triples, with as many indirect ones. Losses of a step are those of its batch,
// divided by the number of its pairs.
func (c *camel) Epoch(ctx context.Context, number int, step func(pairs int64, l engine.Loss)) error {
	var indirect []triple
	if c.indirect != nil {
		indirect = c.indirect.epoch(number)
	}
	direct := c.pairs.epoch(number)
	n, steps := c.sizes()
	return c.steps(ctx, steps, step, func(i int) (pairs int64, l engine.Loss, err error) {
		d, near := direct[i*n:min((i+1)*n, len(direct))], indirect[min(i*n, len(indirect)):min((i+1)*n, len(indirect))]
		pairs = int64(len(d) + len(near))
		fallingRate(c.adam, c.o, number, int64(i*n+min(i*n, len(indirect))), c.Pairs())
		l, err = c.step(d, near)
		return pairs, engine.Loss{Pairs: l.Pairs / float64(pairs), Penalty: l.Penalty / float64(pairs)}, err
	})
}

// fill sets the inputs to a batch.
func (m *camelGraph) fill(direct, indirect []triple) {
	m.reset()
	m.direct.fill(direct, m.textBatch)
	m.indirect.fill(indirect, m.textBatch)
}

// step moves the parameters against the gradient of a batch, and returns its loss before the move.
func (c *camel) step(direct, indirect []triple) (l engine.Loss, err error) {
	m := c.graph
	m.fill(direct, indirect)
	if err := m.enter(c.authors); err != nil {
		return l, err
	}
	return c.moveTexts(m.program, m.textBatch, []*engine.Table{c.bias}, nil, Own(c.o).Decay)
}

// matched ranks by the inner products of papers' and authors' vectors or, for graphs.ScoringDistance, by minus their distances.
func (c *camel) matched(ctx context.Context, texts [][]int32, threads int) (match, error) {
	m, err := c.paperModel.matched(ctx, texts, threads)
	if c.o.Scoring == graphs.ScoringDistance {
		m.score = minusDistances
	}
	return m, err
}
