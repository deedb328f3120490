// Package engine trains a loss, whatever it is: the graph of a Model over blocks of windows, with Gorgonia's own gradients (blocks.go), cut where it reads
// tables (cut.go), and the rows of the tables, which an optimizer moves (optimizer.go). It knows no method and no options.
package engine

import (
	"github.com/asp2vec/asp2vec/internal/memory"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// A Table is a parameter of a model: one block of numbers for each vertex.
type Table struct {
	Name  string
	Rows  int          // N
	Block tensor.Shape // of a row: (D), or (K,D)
	X     []float32    // (N, Block...)

	Held    int          // rows before it do not move: those of vertices that have their vectors
	Moments [2][]float32 // of the optimizers that keep any; nil until the first step
}

// NewTable returns a table of zeros.
func NewTable(name string, rows int, block ...int) *Table {
	t := &Table{Name: name, Rows: rows, Block: block}
	t.X = memory.Zeros[float32](rows * t.Width())
	return t
}

// Width returns how many numbers a row has.
func (t *Table) Width() int { return t.Block.TotalSize() }

// momentsOf returns the moments of the table's numbers a to b-1; nil where the optimizer keeps none.
func (t *Table) momentsOf(a, b int) (some [2][]float32) {
	for i, m := range t.Moments {
		if m != nil {
			some[i] = m[a:b]
		}
	}
	return some
}

// Shape returns (N, Block...).
func (t *Table) Shape() tensor.Shape { return append(tensor.Shape{t.Rows}, t.Block...) }

// Row returns row v, as part of the table.
func (t *Table) Row(v int) []float32 { return t.X[v*t.Width() : (v+1)*t.Width()] }

// Repeat sets each of a row's vectors to x, of their length.
func (t *Table) Repeat(v int, x []float32) {
	for row := t.Row(v); len(row) > 0; row = row[len(x):] {
		copy(row, x)
	}
}

// InitNormal draws the table from N(0, std²). Each row has a random stream of its own, so that a table of more rows begins
// with the same ones.
func (t *Table) InitNormal(seed uint64, std float64) {
	t.draw(seed, "init", func(x *float32, s *rng.Stream) { *x = float32(std * s.Normal()) })
}

// InitUniform draws the table from (-bound,bound). Each row has a random stream of its own. bound is above 0.
func (t *Table) InitUniform(seed uint64, bound float64) {
	t.draw(seed, "init", func(x *float32, s *rng.Stream) { *x = float32(bound * (2*s.Float64() - 1)) })
}

// Disturb adds noise from N(0, std²) to the table, each row from a random stream of its own.
func (t *Table) Disturb(seed uint64, std float64) {
	if std > 0 {
		t.draw(seed, "disturb", func(x *float32, s *rng.Stream) { *x += float32(std * s.Normal()) })
	}
}

// draw calls set for each number, with the random stream of its row.
func (t *Table) draw(seed uint64, what string, set func(x *float32, s *rng.Stream)) {
	key := rng.NewKey(seed, what+" "+t.Name)
	for v := range t.Rows {
		s := key.Stream(uint64(v))
		row := t.Row(v)
		for i := range row {
			set(&row[i], &s)
		}
	}
}

// First returns the first n rows as a table, in the same memory.
func (t *Table) First(n int) *Table {
	return &Table{Name: t.Name, Rows: n, Block: t.Block, X: t.X[:n*t.Width()]}
}

// Node adds the table, of its Shape, to a graph. A float32 node shares the table's memory; a float64 one is a copy.
func (t *Table) Node(g *G.ExprGraph, dt tensor.Dtype) *G.Node {
	return FloatNode(g, dt, t.Name, t.X, t.Shape()...)
}

// Nodes adds tables to a graph, each as Table.Node does.
func Nodes(g *G.ExprGraph, dt tensor.Dtype, tables ...*Table) []*G.Node {
	return seq.Map(tables, func(t *Table) *G.Node { return t.Node(g, dt) })
}
