package hetnet

import (
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// windowGraph is the whole loss of a step as its definition has it: of the tables that are learnt, the vectors of all vertices with contents, and
// the windows of a batch of each kind. What is checked is this; what is trained are the same terms, block by block.
type windowGraph struct {
	learnt []*engine.Table
	kinds  []windowKind // of batches
	define func(learnt []*G.Node, paper *G.Node, in []engine.Inputs) (loss *G.Node, err error)
}

// windowKind says what a batch's inputs are called, and for which loss and how many aspects they are.
type windowKind struct {
	name    string
	o       graphs.Options
	aspects int
}

// build adds the definition to a graph: its parameters are the learnt tables and, last, the vectors of papers (P,D).
func (w *windowGraph) build(g *G.ExprGraph, dt tensor.Dtype, papers *engine.Table, f engine.Facts, batches []*walks.Batch) (graph guard.Graph, err error) {
	var learnt []*G.Node // nil for a table without rows
	for _, t := range w.learnt {
		var n *G.Node
		if t.Rows > 0 {
			n = t.Node(g, dt)
			graph.Params = append(graph.Params, n)
		}
		learnt = append(learnt, n)
	}
	var in []engine.Inputs
	for i, kind := range w.kinds {
		windows := engine.NewWindows(graphs.ShapeOf(kind.o), batches[i].Windows(), kind.aspects, nil)
		windows.SetStep(graphs.SampleStep)
		windows.Fill(batches[i], 0, batches[i].Windows(), f)
		x := windows.Nodes(g, dt, kind.name)
		graph.Inputs = append(graph.Inputs, x.Center, x.Context, x.Negative, x.Weight)
		if kind.o.Is(graphs.MethodAsp2vec) {
			graph.Inputs = append(graph.Inputs, x.Bag)
		}
		if x.Noise != nil {
			graph.Inputs = append(graph.Inputs, x.Noise)
		}
		in = append(in, x)
	}
	var paper *G.Node
	if papers.Rows > 0 {
		paper = papers.Node(g, dt)
		graph.Params = append(graph.Params, paper)
	}
	graph.Loss, err = w.define(learnt, paper, in)
	return graph, err
}
