package engine

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/plan"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// tablePenalty is the weighted regularizer of an aspect table, a graph over some rows at a time, which runs just before these rows move.
type tablePenalty struct {
	m       Model
	table   *Table
	step    float64                // fraction of the training that is done
	workers []map[int]*rowsPenalty // by number of rows
	errs    []error                // of workers, as Terms has them
}

// rowsPenalty is the graph for some rows.
type rowsPenalty struct {
	plan       *plan.Plan
	x          []float32 // (R,K,D)
	step       []float32 // (R)
	loss, grad []float32
}

func newTablePenalty(m Model, errs []error) (*tablePenalty, error) {
	t := &tablePenalty{m: m, table: cmp.Or(m.Penalized, m.Q), errs: errs}
	for range errs {
		t.workers = append(t.workers, map[int]*rowsPenalty{})
	}
	_, err := t.of(0, 1) // so that a graph that cannot be built is told of at once
	return t, err
}

// of returns the graph of a worker for some rows.
func (t *tablePenalty) of(worker, rows int) (*rowsPenalty, error) {
	if r := t.workers[worker][rows]; r != nil {
		return r, nil
	}
	g := G.NewGraph()
	r := &rowsPenalty{x: make([]float32, rows*t.table.Width()), step: make([]float32, rows)}
	q, penalty, err := t.graph(g, tensor.Float32, r, rows)
	if err != nil {
		return nil, err
	}
	one := g.AddNode(G.NewConstant(float32(1)))
	p, grads, err := differentiated([]*G.Node{penalty}, []*G.Node{one}, []*G.Node{q})
	if err != nil {
		return nil, err
	}
	r.plan, r.loss, r.grad = p, p.Floats(penalty), grads[0]
	t.workers[worker][rows] = r
	return r, nil
}

// graph adds the penalty of some rows to a graph.
func (t *tablePenalty) graph(g *G.ExprGraph, dt tensor.Dtype, r *rowsPenalty, rows int) (q, penalty *G.Node, err error) {
	q = FloatNode(g, dt, t.table.Name, r.x, append([]int{rows}, t.table.Block...)...)
	penalty, err = t.m.Table(losses.Aspects{Rows: q, Step: FloatNode(g, dt, "step", r.step, rows)}, t.table.Rows)
	return q, penalty, err
}

// rows sets g (R,K,D) to the gradient of some rows, and returns their part of the penalty. err has its errors.
func (t *tablePenalty) rows(worker int, g []float32, rows []int32) float64 {
	r, err := t.of(worker, len(rows))
	if err == nil {
		gather(r.x, 0, t.table, rows)
		for i := range r.step {
			r.step[i] = float32(t.step)
		}
		err = r.plan.Run()
	}
	if err != nil {
		t.errs[worker] = fmt.Errorf("engine: regularizer: %w", err)
		return 0
	}
	if r.grad != nil {
		copy(g, r.grad)
	}
	if loss := float64(r.loss[0]); !finite(loss) || !allFinite(r.grad) {
		said, grown := guard.Origin(guard.Model{Build: func(g *G.ExprGraph, dt tensor.Dtype) (guard.Graph, error) {
			q, penalty, err := t.graph(g, dt, r, len(rows))
			return guard.Graph{Loss: penalty, Params: []*G.Node{q}}, err
		}}, tensor.Float32)
		t.errs[worker] = notFinite(loss, said, grown)
	}
	return float64(r.loss[0])
}

// batchPenalty is the weighted regularizer of a whole batch. One pass over the blocks computes what it reads of the pairs, then its graph goes over
// all of them at once, and the pass that trains is given the gradients by what it read.
type batchPenalty struct {
	t       Model
	read    []stateNode
	workers []*blockWorker
	errs    []error

	windows *Windows // as many as the largest batch so far has
	plan    *plan.Plan
	loss    []float32
	values  [][]float32 // beside read
	grads   [][]float32 // by values; nil for none
	from    []float32   // (W,D): centres
}

func newBatchPenalty(m Model, errs []error) (p *batchPenalty, err error) {
	p = &batchPenalty{t: m, read: stateNodes, errs: errs}
	if err := p.build(1); err != nil { // to see what it reads
		return nil, err
	}
	p.workers, err = newBlockWorkers(m, p.read, false)
	return p, err
}

// reads returns what the penalty reads of a State: nothing for none.
func (p *batchPenalty) reads() []stateNode {
	if p == nil {
		return nil
	}
	return p.read
}

// build makes the graph for some windows.
func (p *batchPenalty) build(windows int) error {
	k := p.t.Q.Block[0]
	p.windows = NewWindows(p.t.Shape, windows, k, nil)
	g := G.NewGraph()
	in := p.windows.Nodes(g, tensor.Float32, "")
	b := len(p.windows.weight)
	s := losses.State{
		Pos: penaltyInput(g, "pos", b, k), Neg: penaltyInput(g, "neg", b, p.t.Shape.Negatives, k), Logits: penaltyInput(g, "logits", b, k), Prob: penaltyInput(g, "prob", b, k),
		Weight: in.Weight, Step: in.Step, Center: in.OfCenter, Context: in.OfContext, Negative: in.OfNegative,
		Offset: FloatNode(g, tensor.Float32, "offset of pairs", p.windows.offset, b),
	}
	var inputs []*G.Node
	for _, of := range p.read {
		inputs = append(inputs, *of(&s))
	}
	penalty, err := p.t.Batch(s)
	if err != nil {
		return err
	}
	weight := g.AddNode(G.NewConstant(float32(p.t.Weight)))
	made, grads, err := differentiated([]*G.Node{penalty}, []*G.Node{weight}, inputs)
	if err != nil {
		return err
	}
	p.plan, p.loss = made, made.Floats(penalty)
	read := p.read
	p.read, p.values, p.grads = nil, nil, nil
	for i, of := range read {
		if x := p.plan.Floats(inputs[i]); x != nil {
			p.read, p.values, p.grads = append(p.read, of), append(p.values, x), append(p.grads, grads[i])
		}
	}
	p.windows.readBy(p.plan.Reads, in)
	p.windows.offsets = p.plan.Reads(s.Offset)
	return nil
}

func penaltyInput(g *G.ExprGraph, name string, shape ...int) *G.Node {
	return FloatNode(g, tensor.Float32, name, make([]float32, tensor.Shape(shape).TotalSize()), shape...)
}

// forward returns the penalty of a batch, and works out its gradients by what it reads.
func (p *batchPenalty) forward(b *walks.Batch, f Facts, step float64) (float64, error) {
	n := b.Windows()
	if n > p.windows.room {
		if err := p.build(n + n/8); err != nil {
			return 0, err
		}
	}
	p.windows.SetStep(step)
	for _, w := range p.workers {
		w.windows.SetStep(step)
	}
	size := p.t.Block
	p.from = grown(p.from, n*p.t.Q.Block[1])
	par.Blocks(p.t.Threads, (n+size-1)/size, func(worker, i int) {
		lo, hi := i*size, min((i+1)*size, n)
		w := p.workers[worker]
		w.fill(b, lo, hi, f, p.from)
		if err := w.plan.Run(); err != nil {
			p.errs[worker] = fmt.Errorf("engine: %w", err)
			return
		}
		for j, x := range w.values {
			each := len(x) / size
			copy(p.values[j][lo*each:hi*each], x)
		}
	})
	if err := errors.Join(p.errs...); err != nil {
		return 0, err
	}
	for _, x := range p.values { // padding is like the first window, and weighs nothing
		each := len(x) / p.windows.room
		for i := n; i < p.windows.room; i++ {
			copy(x[i*each:][:each], x)
		}
	}
	p.windows.Fill(b, 0, n, f)
	if err := p.plan.Run(); err != nil {
		return 0, fmt.Errorf("engine: regularizer: %w", err)
	}
	return p.t.Weight * float64(p.loss[0]), nil
}

// seed gives a worker the gradients of windows lo to hi-1.
func (p *batchPenalty) seed(w *blockWorker, lo, hi int) {
	for j, dx := range w.dValues {
		clear(dx)
		if g := p.grads[j]; g != nil {
			each := len(dx) / w.t.Block
			copy(dx, g[lo*each:hi*each])
		}
	}
}

// AspectsAt returns rows (N,K,D) of aspect vectors at a fraction of the training, as penalties read them.
func AspectsAt(rows *G.Node, fraction float64) losses.Aspects {
	step := make([]float32, rows.Shape()[0])
	for i := range step {
		step[i] = float32(fraction)
	}
	return losses.Aspects{Rows: rows, Step: FloatNode(rows.Graph(), rows.Dtype(), "step", step, len(step))}
}
