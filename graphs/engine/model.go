package engine

import (
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Model is a loss, and what it is over.
type Model struct {
	P, Q    *Table       // centres (N,D) and aspects (N,K,D), which are read whenever the terms are asked
	Learned []*Table     // (N,.) or (1,.): what else is learned
	Weight  float64      // of the pairs' loss and of the penalty of the batch; 0 for 1
	Facts   func() Facts // of the vertices; nil where nothing is known of them
	Threads int
	Anchor  *Anchor // nil for none
	Shape   Shape   // of the windows

	// Pairs builds the part of the loss that is a sum over the pairs of a batch, with what a penalty of the batch can read of them.
	Pairs func(p, q *G.Node, in Inputs) (loss *G.Node, s losses.State, err error)
	// Batch builds the penalty of a whole batch, a scalar; nil for none.
	Batch func(s losses.State) (*G.Node, error)
	// Table builds what some of so many vertices add to the penalty of aspect vectors, a scalar; nil for none.
	Table     func(a losses.Aspects, vertices int) (*G.Node, error)
	Penalized *Table // whose rows Table is of, Q or a part of its memory; nil for Q

	Block int // windows that a worker takes at a time; 0 for 32. It changes no bit
}

// Whole builds the loss of a batch: that of its pairs, and the penalty of the batch.
func (m Model) Whole(p, q *G.Node, in Inputs) (*G.Node, error) {
	loss, s, err := m.Pairs(p, q, in)
	if err != nil || m.Batch == nil {
		return loss, err
	}
	penalty, err := m.Batch(s)
	if err != nil {
		return nil, err
	}
	return G.Add(loss, penalty)
}

// Graph builds the loss of a batch that windows hold, over whole tables, which are its Params, those that entries learn among them.
func (m Model) Graph(g *G.ExprGraph, dt tensor.Dtype, w *Windows) (guard.Graph, Inputs, error) {
	params, in := Nodes(g, dt, m.P, m.Q), w.Nodes(g, dt, "")
	learned, err := in.Learn(g, dt, m.Learned)
	if err != nil {
		return guard.Graph{}, in, err
	}
	loss, err := m.Whole(params[0], params[1], in)
	return guard.Graph{Loss: loss, Params: append(params, learned...)}, in, err
}

// Loss is what a step minimised, in nats.
type Loss struct {
	Pairs   float64 // mean over the batch's pairs and aspects
	Penalty float64 // lambda times the regularizer
}
