package engine

import (
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Learn adds tables to a graph, and to the inputs their rows for each window. It returns the tables' nodes.
func (in *Inputs) Learn(g *G.ExprGraph, dt tensor.Dtype, tables []*Table) (nodes []*G.Node, err error) {
	defer op.Recover(&err, "engine: learned tables")
	in.Learned = map[string]*G.Node{}
	var first *G.Node
	for _, t := range tables {
		node, index := t.Node(g, dt), in.Center
		if t.Rows == 1 {
			if first == nil {
				windows := in.Center.Shape()[0]
				first = IntNode(g, "first row", make([]int, windows), windows)
			}
			index = first
		}
		in.Learned[t.Name] = G.Must(layers.Lookup(node, index))
		nodes = append(nodes, node)
	}
	return nodes, nil
}

// LearnedBy returns the rows that an entry declares: of windows, or of the pairs of their slots.
func (in Inputs) LearnedBy(declared []option.Learned, slots int) map[string]*G.Node {
	if len(declared) == 0 {
		return nil
	}
	rows := map[string]*G.Node{}
	for _, l := range declared {
		if rows[l.Key] = in.Learned[l.Key]; slots > 1 && rows[l.Key] != nil {
			rows[l.Key] = G.Must(layers.Expand(rows[l.Key], slots))
		}
	}
	return rows
}
