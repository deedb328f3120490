package engine

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/internal/plan"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Checked is what a model is checked on, whether it adds up.
type Checked struct {
	Batch *walks.Batch
	Facts Facts
	Step  float64 // fraction of the training that is done

	Readout, Selection, PairLoss, Regularizer string // names of what the model is made of; the first two are "" where it has no logits

	Tolerance float64 // relative, of the graph as Gorgonia's machine runs it
}

// AddsUp returns an error unless the loss of a model is the sum of what blocks of windows and of vertices make of it, as it is trained. It is
// worked out once whole and once in two blocks; the error names the part that differs. It returns an error too where the graph cannot be built.
func AddsUp(m Model, c Checked) error {
	m.Facts = func() Facts { return c.Facts }
	whole, err := partsOf(m, c, c.Batch.Windows())
	if err != nil {
		return err
	}
	blocks, err := partsOf(m, c, c.Batch.Windows()*2/3) // which are not equal: a mean over halves is that over all
	if err != nil {
		return err
	}
	for i, part := range whole {
		if err := part.same(blocks[i], 1e-4); err != nil {
			return err
		}
	}
	if err := asCut(m, c); err != nil {
		return err
	}
	return tableAddsUp(m, c)
}

// part is what a part of a loss gives for the windows of a batch.
type part struct {
	name   string // as messages call it
	values []float32
}

func (p part) same(q part, tolerance float64) error {
	scale, worst := 1e-6, 0.0
	for i, x := range p.values {
		y := q.values[i]
		if math.IsNaN(float64(x)) || math.IsNaN(float64(y)) {
			return nil // which other checks tell of
		}
		scale, worst = max(scale, math.Abs(float64(x))), max(worst, math.Abs(float64(x)-float64(y)))
	}
	if worst <= tolerance*scale {
		return nil
	}
	return fmt.Errorf("%s is %.6g for all windows at once and %.6g in two blocks: expected each pair's own, whatever the others are; a penalty of the whole batch is a regularizer with Batch",
		p.name, sumOf(p.values), sumOf(q.values))
}

func sumOf(x []float32) (sum float64) {
	for _, v := range x {
		sum += float64(v)
	}
	return sum
}

// partsOf returns the logits, the probabilities and the loss of a batch, in blocks of so many windows.
func partsOf(m Model, c Checked, block int) (parts []part, err error) {
	m.Block = block
	b := c.Batch
	if c.Readout != "" {
		w, err := newBlockWorker(m, []stateNode{func(s *losses.State) **G.Node { return &s.Logits }, func(s *losses.State) **G.Node { return &s.Prob }}, false)
		if err != nil {
			return nil, err
		}
		parts = []part{{name: fmt.Sprintf("readout %q", c.Readout)}, {name: fmt.Sprintf("selection %q", c.Selection)}}
		w.windows.SetStep(c.Step)
		from := make([]float32, b.Windows()*m.Q.Block[1])
		for lo := 0; lo < b.Windows(); lo += block {
			hi := min(lo+block, b.Windows())
			w.fill(b, lo, hi, c.Facts, from)
			if err := w.plan.Run(); err != nil {
				return nil, fmt.Errorf("engine: %w", err)
			}
			for i, x := range w.values {
				parts[i].values = append(parts[i].values, x[:len(x)/block*(hi-lo)]...)
			}
		}
	}
	terms, err := NewTerms(m)
	if err != nil {
		return nil, err
	}
	terms.step = c.Step
	l, err := terms.Forward(context.Background(), b)
	return append(parts, part{fmt.Sprintf("pair loss %q", c.PairLoss), []float32{float32(l.Pairs)}}), err
}

// asCut compares the loss that is trained, of the graph as it is cut and planned, with what Gorgonia's machine makes of the graph itself over whole
// tables, and their gradients: an edit of an op at which graphs are cut would not be trained.
func asCut(m Model, c Checked) error {
	terms, err := NewTerms(m)
	if err != nil {
		return err
	}
	terms.step = c.Step
	l, err := terms.Forward(context.Background(), c.Batch)
	if err != nil {
		return err
	}
	trained := []float32{float32(l.Pairs + l.Penalty)}
	rows := func(table *Table, row func(g []float32, v int)) {
		g := make([]float32, len(table.X))
		for v := range table.Rows {
			row(g[v*table.Width():][:table.Width()], v)
		}
		trained = append(trained, g...)
	}
	rows(m.P, terms.CenterRow)
	rows(m.Q, terms.AspectRow)
	for i, table := range m.Learned {
		rows(table, func(g []float32, v int) { terms.LearnedRow(i, g, v) })
	}
	n := c.Batch.Windows()
	w := NewWindows(m.Shape, n, m.Q.Block[0], m.Anchor)
	w.SetStep(c.Step)
	w.Fill(c.Batch, 0, n, c.Facts)
	g := G.NewGraph()
	graph, _, err := m.Graph(g, tensor.Float32, w)
	if err != nil {
		return err
	}
	gradients, err := G.Grad(graph.Loss, graph.Params...)
	if err != nil {
		return fmt.Errorf("engine: gradient: %w", err)
	}
	machine := G.NewTapeMachine(g)
	defer machine.Close()
	if err := machine.RunAll(); err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	written := []float32{graph.Loss.Value().Data().(float32)}
	for _, n := range gradients {
		written = append(written, n.Value().Data().([]float32)...)
	}
	if (part{values: written}).same(part{values: trained}, c.Tolerance) != nil {
		return fmt.Errorf("the loss is %.6g by its graph and %.6g as it is trained, or their gradients differ: expected ops Lookup, RowDots and BagMean as graphs/engine/cut.go has them", written[0], trained[0])
	}
	return nil
}

// tableAddsUp compares the penalty of all vertices with the sum over two halves.
func tableAddsUp(m Model, c Checked) error {
	if m.Table == nil {
		return nil
	}
	q := m.Q
	penalty := func(lo, hi int) (float64, error) {
		g := G.NewGraph()
		rows := FloatNode(g, tensor.Float32, "rows", q.X[lo*q.Width():hi*q.Width()], append([]int{hi - lo}, q.Block...)...)
		n, err := m.Table(AspectsAt(rows, c.Step), q.Rows)
		if err != nil {
			return 0, err
		}
		p, err := plan.New(n)
		if err != nil {
			return 0, err
		}
		err = p.Run()
		return float64(p.Floats(n)[0]), err
	}
	var found [3]float64
	for i, rows := range [][2]int{{0, q.Rows}, {0, q.Rows / 2}, {q.Rows / 2, q.Rows}} {
		g, err := penalty(rows[0], rows[1])
		if err != nil {
			return err
		}
		found[i] = g
	}
	if whole, sum := found[0], found[1]+found[2]; math.Abs(whole-sum) > 1e-4*max(math.Abs(whole), 1e-6) {
		return fmt.Errorf("regularizer %q is %.6g for all vertices at once and %.6g in two blocks: expected a sum over vertices", c.Regularizer, whole, sum)
	}
	return nil
}
