package hetnet

import (
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// windowGraph is the pass that a method's definition gives: the loss of a step as one graph, of the tables that are learnt, the
// vectors of the step's papers and the windows of its batches. It is made anew where a step has more of these than it has room for.
type windowGraph struct {
	learnt   []*graphs.Table
	kinds    []windowKind // of batches
	define   func(learnt []*G.Node, paper *G.Node, in []graphs.Inputs) (loss *G.Node, err error)
	contents *contents

	program *graphs.Program
	windows []*graphs.Windows // beside kinds
	paper   *graphs.Table     // (U,D)
	place   []int32           // of each paper, its row in paper
}

// windowKind says what a batch's inputs are called, and for which loss and how many aspects they are.
type windowKind struct {
	name    string
	o       graphs.Options
	aspects int
}

// makeRoom makes the memory of the inputs where it is not large enough, and says whether it has. More than is needed is made, so that
// most batches of an epoch fit in at once.
func (w *windowGraph) makeRoom(d int, batches []*walks.Batch) (made bool) {
	const share = 8
	if w.windows == nil {
		w.windows, w.place = make([]*graphs.Windows, len(w.kinds)), make([]int32, w.contents.vertices())
	}
	for i, b := range batches {
		if n := b.Windows(); w.windows[i] == nil || n > w.windows[i].Room {
			w.windows[i], made = graphs.NewWindows(w.kinds[i].o, n+n/share, w.kinds[i].aspects), true
		}
	}
	if n := len(w.contents.used); len(w.place) > 0 && (w.paper == nil || n > w.paper.Rows) {
		w.paper, made = graphs.NewTable("papers", max(1, min(n+n/share, len(w.place))), d), true
	}
	return made
}

// fill sets the inputs: vectors (U,D) are those of the used papers.
func (w *windowGraph) fill(vectors []float32, batches []*walks.Batch) {
	if w.paper != nil {
		clear(w.paper.X[copy(w.paper.X, vectors):])
	}
	clear(w.place)
	first := w.contents.first
	for i, v := range w.contents.used {
		w.place[int(v)-first] = int32(i)
	}
	for i, b := range batches {
		w.windows[i].Fill(b, func(v int32) int {
			if int(v) < first {
				return int(v)
			}
			return first + int(w.place[int(v)-first])
		})
	}
}

// build adds the definition to a graph: its parameters are the learnt tables and, last, the papers' vectors.
func (w *windowGraph) build(g *G.ExprGraph, dt tensor.Dtype) (graph guard.Graph, err error) {
	graph.Params = tableNodes(g, dt, w.learnt)
	var in []graphs.Inputs
	for i, kind := range w.kinds {
		x := w.windows[i].Nodes(g, dt, kind.name)
		graph.Inputs = append(graph.Inputs, x.Center, x.Context, x.Negative, x.Weight)
		if kind.o.Is(graphs.MethodAsp2vec) {
			graph.Inputs = append(graph.Inputs, x.Bag)
		}
		if x.Noise != nil {
			graph.Inputs = append(graph.Inputs, x.Noise)
		}
		in = append(in, x)
	}
	learnt := graph.Params
	var paper *G.Node
	if w.paper != nil {
		paper = w.paper.Node(g, dt)
		graph.Params = append(graph.Params, paper)
	}
	graph.Loss, err = w.define(learnt, paper, in)
	return graph, err
}

func (w *windowGraph) forward(vectors []float32, batches []*walks.Batch) (l graphs.Loss, err error) {
	if w.makeRoom(w.contents.dim, batches) {
		graph, err := w.build(G.NewGraph(), tensor.Float32)
		if err != nil {
			return l, err
		}
		if w.program, err = graphs.Compile(graph.Loss, graph.Params...); err != nil {
			return l, err
		}
	}
	w.fill(vectors, batches)
	l.Pairs, err = w.program.Run()
	return l, err
}

func (w *windowGraph) ofContents() []float32 {
	if w.paper == nil {
		return nil
	}
	return w.program.Gradient(len(w.learnt))[:len(w.contents.used)*w.contents.dim]
}

func (w *windowGraph) row(table int, g []float32, v int) float64 {
	kernel.Axpy(g, w.program.Gradient(table)[v*len(g):][:len(g)], 1)
	return 0
}
