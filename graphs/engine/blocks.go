package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/memory"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Terms are the terms of a model's loss, with their gradients: the sum over the pairs of a batch, and the penalties of the batch and of aspect vectors where there are
// such.
//
// It runs the Gorgonia graph of layers and losses, with Gorgonia's own gradients, over blocks of windows. The first pass goes over blocks, in
// parallel, and writes only to the windows' own places. There the graph is cut: inner products of rows come straight from the tables (see cut.go).
// The second pass goes over the rows of the tables, each of which one worker owns, who adds up what its windows say in the batch's order. There are
// no locks and no copies of tables, and bits do not depend on the number of threads or on the size of blocks.
type Terms struct {
	Model
	step    float64 // fraction of the training that is done
	workers []*blockWorker
	ofBatch *batchPenalty // nil for none
	ofTable *tablePenalty // nil for none

	batch      *walks.Batch
	coef       []float32 // (W*C + W*C*M, K): dL/d of the inner products of the slots' rows with their windows' centres
	center     []float32 // (W,D): dL/d of each window's centre
	from       []float32 // (W,D): the centre of each window as it was before the step, so that both tables can move at once
	ofContext  []float32 // (W*C,K,D), (W*C*M,K,D): dL/d of rows that something else than inner products reads; nil where nothing does
	ofNegative []float32
	learned    [][]float32 // (W,.): dL/d of the rows of each learned table, for each window
	losses     []float64   // of each block
	broken     []bool      // blocks with a gradient that is not finite
	errs       []error     // of each worker
}

// blockWindows is how many windows a worker takes at a time: enough for runs of the vector kernels, and few enough that all that its graph
// computes stays near. 16 to 64 were about as fast.
const blockWindows = 32

// errFacts is of a loss that reads what is not known.
var errFacts = errors.New("engine: the loss reads degrees or types of vertices, which are not known of what is trained here")

// NewTerms makes the terms of a model. It returns an error for a loss whose graph cannot be built or cut.
func NewTerms(m Model) (*Terms, error) {
	if m.Block == 0 {
		m.Block = blockWindows
	}
	if m.Weight == 0 {
		m.Weight = 1
	}
	p := &Terms{Model: m, errs: make([]error, max(m.Threads, 1))}
	var err error
	if m.Batch != nil {
		if p.ofBatch, err = newBatchPenalty(m, p.errs); err != nil {
			return nil, err
		}
	}
	if p.workers, err = newBlockWorkers(m, p.ofBatch.reads(), true); err != nil {
		return nil, err
	}
	if m.Table != nil {
		p.ofTable, err = newTablePenalty(m, p.errs)
	}
	return p, err
}

// SetStep says which fraction of the training is done, from 0 to 1, for what reads it.
func (p *Terms) SetStep(fraction float64) {
	if p.step = fraction; p.ofTable != nil {
		p.ofTable.step = fraction
	}
}

// Penalty returns the penalty of aspect vectors as RowWork takes it; nil for none.
func (p *Terms) Penalty() func(worker int, g []float32, rows []int32) float64 {
	if p.ofTable == nil {
		return nil
	}
	return p.ofTable.rows
}

// Err returns the errors of Penalty.
func (p *Terms) Err() error { return errors.Join(p.errs...) }

// Forward is the first pass. It returns the loss of a batch, in nats; an error where the graph of the loss cannot be run on it; and ctx's where that is cancelled
// before the last block has begun.
func (p *Terms) Forward(ctx context.Context, b *walks.Batch) (l Loss, err error) {
	p.batch = b
	for _, w := range p.workers {
		w.windows.SetStep(p.step)
	}
	n, k, d := b.Windows(), p.Q.Block[0], p.Q.Block[1]
	p.coef = grown(p.coef, n*b.SlotsPerWindow()*k)
	p.center, p.from = grown(p.center, n*d), grown(p.from, n*d)
	p.learned = slices.Grow(p.learned, len(p.Learned))[:len(p.Learned)]
	for i, t := range p.Learned {
		p.learned[i] = grown(p.learned[i], n*t.Width())
	}
	if p.workers[0].context.rows != nil {
		p.ofContext = grown(p.ofContext, n*b.Slots*k*d)
	}
	if p.workers[0].negative.rows != nil {
		p.ofNegative = grown(p.ofNegative, n*b.Slots*b.Negatives*k*d)
	}
	var facts Facts
	if p.workers[0].windows.facts || p.ofBatch != nil && p.ofBatch.windows.facts {
		if p.Facts != nil {
			facts = p.Facts()
		}
		if facts.Degree == nil {
			return l, errFacts
		}
	}
	if p.ofBatch != nil {
		if l.Penalty, err = p.ofBatch.forward(b, facts, p.step); err != nil {
			return l, err
		}
	}
	blocks := (n + p.Block - 1) / p.Block
	p.losses, p.broken = grown(p.losses, blocks), grown(p.broken, blocks)
	large := memory.OutgrowsCache(len(p.Q.X))
	var left atomic.Bool
	par.Blocks(p.Threads, blocks, func(worker, i int) {
		if ctx.Err() != nil {
			left.Store(true)
			return
		}
		lo, hi := i*p.Block, min((i+1)*p.Block, n)
		w := p.workers[worker]
		w.prefetch = large
		w.fill(b, lo, hi, facts, p.from)
		if p.ofBatch != nil {
			p.ofBatch.seed(w, lo, hi)
		}
		if err := w.plan.Run(); err != nil {
			p.errs[worker] = fmt.Errorf("engine: %w", err)
			return
		}
		p.losses[i] = float64(w.loss[0])
		p.keep(w, lo, hi)
		p.broken[i] = !allFinite(p.center[lo*d : hi*d])
		for j, t := range p.Learned {
			p.broken[i] = p.broken[i] || !allFinite(p.learned[j][lo*t.Width():hi*t.Width()])
		}
	})
	if left.Load() {
		return l, ctx.Err()
	}
	for _, x := range p.losses {
		l.Pairs += x
	}
	l.Pairs *= p.Weight
	if err := errors.Join(p.errs...); err != nil || finite(l.Pairs+l.Penalty) && !slices.Contains(p.broken, true) {
		return l, err
	}
	return l, p.blame(l, facts)
}

// blame returns the error of a loss or a gradient that is not finite: by the whole graph of the first block that has such a number.
func (p *Terms) blame(l Loss, facts Facts) error {
	said, grown := "", true
	for i, x := range p.losses {
		if said != "" || finite(x) && finite(l.Penalty) && !p.broken[i] {
			continue
		}
		w := NewWindows(p.Shape, p.Block, p.Q.Block[0], p.Anchor)
		w.SetStep(p.step)
		w.Fill(p.batch, i*p.Block, min((i+1)*p.Block, p.batch.Windows()), facts)
		said, grown = guard.Origin(guard.Model{Build: func(g *G.ExprGraph, dt tensor.Dtype) (guard.Graph, error) {
			graph, _, err := p.Graph(g, dt, w)
			return graph, err
		}}, tensor.Float32)
	}
	return notFinite(l.Pairs+l.Penalty, said, grown)
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// allFinite says whether all numbers are. One pass of a kernel tells, but for numbers whose squares overflow.
func allFinite(x []float32) bool {
	return finite(float64(kernel.Dot(x, x))) || !slices.ContainsFunc(x, func(v float32) bool { return !finite(float64(v)) })
}

// notFinite is the error of a loss, or of the gradient of a finite one, that is not finite, as said by guard.Origin.
func notFinite(loss float64, said string, grown bool) error {
	if said != "" {
		said = ": " + said
	}
	if grown {
		said += ": expected a finite number; try a smaller learning-rate"
	}
	if finite(loss) {
		return fmt.Errorf("engine: the gradient of a loss of %.6g is not finite%s", loss, said)
	}
	return fmt.Errorf("engine: the loss became %v%s", loss, said)
}

// keep takes what the graph says of windows lo to hi-1 to where the second pass reads it, and adds up the gradients of their centres.
func (p *Terms) keep(w *blockWorker, lo, hi int) {
	b, k, d := p.batch, p.Q.Block[0], p.Q.Block[1]
	slots, m, kd := b.Slots, b.Negatives, p.Q.Width()
	n, first := hi-lo, b.Windows()*slots // of the negatives' coefficients
	keepSlots(p.coef[lo*slots*k:][:n*slots*k], w.context.dScores)
	keepSlots(p.coef[(first+lo*slots*m)*k:][:n*slots*m*k], w.negative.dScores)
	for i := lo; i < hi; i++ {
		at, out := i-lo, p.center[i*d:][:d]
		clear(out)
		if g := w.context.dScores; g != nil {
			kernel.Combine(out, g[at*slots*k:], p.Q.X, b.Context[i*slots:][:b.Count[i]], k, d)
		}
		if g := w.negative.dScores; g != nil {
			first, last := int(b.First[i])*m, int(b.Last[i])*m
			kernel.Combine(out, g[(at*slots*m+first)*k:], p.Q.X, b.Negative[i*slots*m+first:i*slots*m+last], k, d)
		}
		if g := w.center.dRows; g != nil {
			kernel.Axpy(out, g[at*d:][:d], 1)
		}
	}
	for i, t := range p.Learned {
		keepSlots(p.learned[i][lo*t.Width():hi*t.Width()], w.learned[i].dRows)
	}
	if w.context.rows != nil {
		keepSlots(p.ofContext[lo*slots*kd:][:n*slots*kd], w.context.dRows)
	}
	if w.negative.rows != nil {
		keepSlots(p.ofNegative[lo*slots*m*kd:][:n*slots*m*kd], w.negative.dRows)
	}
}

// keepSlots copies a gradient to dst; zeros where there is none.
func keepSlots(dst, gradient []float32) {
	if gradient == nil {
		clear(dst)
		return
	}
	copy(dst, gradient)
}

// CenterRow adds the gradient of row v of the centre table (D) to g. Any number of goroutines may call it, while other rows of both tables move.
func (p *Terms) CenterRow(g []float32, v int) {
	index := &p.batch.Index
	for _, w := range index.Windows[index.CenterStart[v]:index.CenterStart[v+1]] {
		kernel.Axpy(g, p.center[int(w)*len(g):][:len(g)], 1)
	}
}

// LearnedRow adds the gradient of row v of learned table i to g, as CenterRow does. The one row of a table that all share has that of every window.
func (p *Terms) LearnedRow(i int, g []float32, v int) {
	rows := func(yield func(w int) bool) {
		for w := 0; w < p.batch.Windows() && yield(w); w++ {
		}
	}
	if p.Learned[i].Rows > 1 {
		index := &p.batch.Index
		rows = func(yield func(w int) bool) {
			for _, w := range index.Windows[index.CenterStart[v]:index.CenterStart[v+1]] {
				if !yield(int(w)) {
					return
				}
			}
		}
	}
	for w := range rows {
		kernel.Axpy(g, p.learned[i][w*len(g):][:len(g)], 1)
	}
}

// AspectRow adds the gradient of row v of the aspect table (K,D) to g, as CenterRow does.
func (p *Terms) AspectRow(g []float32, v int) {
	index := &p.batch.Index
	lo, hi := index.Start[v], index.Start[v+1]
	if lo == hi {
		return
	}
	kernel.Outer(g, p.coef, p.from, index.Slots[lo:hi], index.Owners[lo:hi], p.Q.Block[0], p.Q.Block[1])
	if p.ofContext == nil && p.ofNegative == nil {
		return
	}
	negatives, width := p.batch.Windows()*p.batch.Slots, len(g)
	for _, slot := range index.Slots[lo:hi] {
		switch s := int(slot); {
		case s < negatives && p.ofContext != nil:
			kernel.Axpy(g, p.ofContext[s*width:][:width], 1)
		case s >= negatives && p.ofNegative != nil:
			kernel.Axpy(g, p.ofNegative[(s-negatives)*width:][:width], 1)
		}
	}
}

// prefetched is how many of a row's contributions are asked for ahead: rows with more are rare in a network whose tables
// outgrow the caches, and the processor sees their addresses early enough by itself.
const prefetched = 4

// PrefetchCenter asks for the memory that CenterRow will read.
func (p *Terms) PrefetchCenter(v int) {
	index, d := &p.batch.Index, p.Q.Block[1]
	lo, hi := int(index.CenterStart[v]), int(index.CenterStart[v+1])
	for _, w := range index.Windows[lo:min(hi, lo+prefetched)] {
		memory.Prefetch(p.center[int(w)*d:][:d])
	}
}

// PrefetchAspect asks for the memory that AspectRow will read.
func (p *Terms) PrefetchAspect(v int) {
	index, k, d := &p.batch.Index, p.Q.Block[0], p.Q.Block[1]
	lo, hi := int(index.Start[v]), int(index.Start[v+1])
	for i := lo; i < min(hi, lo+prefetched); i++ {
		memory.Prefetch(p.coef[int(index.Slots[i])*k:][:k])
		memory.Prefetch(p.from[int(index.Owners[i])*d:][:d])
	}
}

// grown returns a slice of n elements, in the memory of s if it fits.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/8)
	}
	return s[:n]
}
