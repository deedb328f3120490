// Package graphs holds whole models as Gorgonia computation graphs, each with its parameters, and the trainer that steps
// them all.
//
// A loss is written once, as a graph of layers and losses (asp2vec.go). That graph is what is trained, block by block of windows (blocks.go).
package graphs

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// SkipGram is asp2vec, or DeepWalk, which is asp2vec with one aspect and no choice: a centre table and an aspect table, a
// loss, and an optimizer.
type SkipGram struct {
	P *engine.Table // (N,D): centres
	Q *engine.Table // (N,K,D): aspects, or contexts where K = 1

	learned []*engine.Table // what the chosen entries learn besides
	o       Options
	terms   *engine.Terms
	move    engine.Optimizer
	longest float64 // longer rows are shortened to it after every epoch; 0: any length will do
}

const initStd = 0.01 // of both tables, as in the authors' code

// NewSkipGram returns a model with random parameters, N(0, 0.01²), over a network of the given number of vertices. Steps use
// up to threads goroutines; their number does not change the result. It returns an error if options are out of range or
// if the graph of their loss cannot be built. vertices and threads are at least 1.
func NewSkipGram(o Options, vertices, threads int) (*SkipGram, error) {
	o, err := o.Resolve()
	if err != nil {
		return nil, fmt.Errorf("graphs: %w", err)
	}
	return newSkipGram(o, vertices, nil, threads)
}

func newSkipGram(o Options, vertices int, a *engine.Anchor, threads int) (*SkipGram, error) {
	if vertices < 1 {
		return nil, fmt.Errorf("graphs: %d vertices: expected at least 1", vertices)
	}
	m := &SkipGram{
		o: o,
		P: engine.NewTable("P", vertices, o.Dim),
		Q: engine.NewTable("Q", vertices, o.Aspects, o.Dim),
	}
	m.P.InitNormal(o.Seed, initStd)
	m.Q.InitNormal(o.Seed, initStd)
	m.move, m.learned = *newOptimizer(o, threads), o.learnedTables(vertices)
	var err error
	m.terms, err = engine.NewTerms(ModelOf(o, engine.Model{P: m.P, Q: m.Q, Learned: m.learned, Threads: threads, Anchor: a}))
	return m, err
}

// Step moves the parameters against the gradient of one batch. It returns the loss before the move, or an error if the loss
// is not finite, or far from that of an untrained model.
func (m *SkipGram) Step(b *walks.Batch) (engine.Loss, error) { return m.step(context.Background(), b) }

// step is Step that returns ctx's error, and has moved nothing, where ctx is cancelled before it knows the gradient.
func (m *SkipGram) step(ctx context.Context, b *walks.Batch) (engine.Loss, error) {
	l, err := m.terms.Forward(ctx, b)
	if err != nil {
		return l, err
	}
	if err := m.bounded(l); err != nil {
		return l, err
	}
	m.move.Begin(b.Pairs * m.Q.Block[0])
	moving := []engine.RowWork{
		{Table: m.Q, Start: b.Index.Start, Prefetch: m.terms.PrefetchAspect, Penalty: m.terms.Penalty(), Gradient: func(g []float32, v int) float64 {
			m.terms.AspectRow(g, v)
			return 0
		}},
		{Table: m.P, Start: b.Index.CenterStart, Prefetch: m.terms.PrefetchCenter, Gradient: func(g []float32, v int) float64 {
			m.terms.CenterRow(g, v)
			return 0
		}}}
	for i, t := range m.learned {
		start := b.Index.CenterStart
		if t.Rows == 1 {
			start = []int32{0, 1}
		}
		moving = append(moving, engine.RowWork{Table: t, Start: start, Prefetch: func(int) {}, Gradient: func(g []float32, v int) float64 {
			m.terms.LearnedRow(i, g, v)
			return 0
		}})
	}
	l.Penalty += m.move.Move(moving...)
	return l, m.terms.Err()
}

// diverged is how many times the loss of an untrained model is more than any training comes to that may yet converge, above zero or below.
const diverged = 1e4

// bounded returns an error if the loss is far above that of a model that knows nothing, or as far below zero: a loss may be negative, but one that
// has fallen so far has no bound.
func (m *SkipGram) bounded(l engine.Loss) error {
	switch untrained := float64(1+m.o.Negatives) * math.Ln2; {
	case l.Pairs > diverged*untrained:
		return fmt.Errorf("graphs: the loss became %v, from %v before training: expected it to decrease; try a smaller learning-rate than %v",
			l.Pairs, untrained, m.o.LearningRate)
	case l.Pairs < -diverged*untrained:
		return fmt.Errorf("graphs: the loss fell to %v: expected pair-loss %s to have a lower bound", l.Pairs, m.o.PairLoss)
	}
	return nil
}

// newOptimizer returns the optimizer that options choose.
func newOptimizer(o Options, threads int) *engine.Optimizer {
	update := Optimizers.Get(o.Optimizer)
	return engine.NewOptimizer(update, o.values(update.Parameters), o.LearningRate, threads)
}

// factsOf returns what losses can read of the vertices of a network, which is worked out when it is first asked for.
func factsOf(net *network.Network) func() engine.Facts {
	return sync.OnceValue(func() engine.Facts {
		f := engine.Facts{Degree: make([]float32, net.Vertices())}
		for v := range f.Degree {
			f.Degree[v] = float32(net.Degree(int32(v)))
		}
		return f
	})
}

// scaleRows multiplies a matrix of n rows so that their lengths have the given root mean square. Zeros, and what is not
// finite, stay as they are.
func scaleRows(x []float32, n int, length float64) {
	square := squares(x)
	if !(square > 0) || math.IsInf(square, 0) {
		return
	}
	factor := length / math.Sqrt(square/float64(n))
	for i := range x {
		x[i] = float32(factor * float64(x[i]))
	}
}

// squares returns the sum of the squares of numbers: float32 would overflow for a diverged row, and hide it as zeros.
func squares[T float32 | float64](x []T) (sum float64) {
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return sum
}

// means returns (N,D) U_v = (P_v + mean_s Q_v^(s)) / 2.
//
// Source: Park et al., KDD 2020, Eq. 16. Differs: halved, as in the authors' code and as is usual for DeepWalk; only
// the penalty of a classifier trained on it can see that.
func (m *SkipGram) means() []float32 {
	dst := make([]float32, len(m.P.X))
	k, d := m.Q.Block[0], m.Q.Block[1]
	for v := range m.P.Rows {
		u, p, q := dst[v*d:(v+1)*d], m.P.Row(v), m.Q.Row(v)
		for i := range u {
			var sum float32
			for s := range k {
				sum += q[s*d+i]
			}
			u[i] = (p[i] + sum/float32(k)) / 2
		}
	}
	return dst
}

// warmStart sets every centre and every aspect of a vertex to its vector in u (N,D).
func (m *SkipGram) warmStart(u []float32) {
	copy(m.P.X, u)
	d := m.o.Dim
	for v := range m.Q.Rows {
		m.Q.Repeat(v, u[v*d:][:d])
	}
}

// capNorms shortens the rows of DeepWalk's tables that are longer than MaxNorm, at the start and after every epoch, as the
// authors' code does with 1. Other methods' are left alone.
func (m *SkipGram) capNorms() {
	if m.longest == 0 {
		return
	}
	for _, t := range []*engine.Table{m.P, m.Q} {
		for v := t.Held; v < t.Rows; v++ {
			row := t.Row(v)
			if norm := math.Sqrt(squares(row)); norm > m.longest {
				for i := range row {
					row[i] = float32(float64(row[i]) * m.longest / norm)
				}
			}
		}
	}
}

// Parameters returns the tables.
func (m *SkipGram) Parameters() []*engine.Table {
	return append([]*engine.Table{m.P, m.Q}, m.learned...)
}

// Embedding returns the centres, the aspects, and the final vectors: the centres, or means, as the options name them, scaled as they say.
func (m *SkipGram) Embedding() Embedding {
	final := m.means()
	if m.o.Vectors == EmbeddingCenter {
		copy(final, m.P.X)
	}
	if m.o.Scale > 0 {
		scaleRows(final, m.P.Rows, m.o.Scale)
	}
	return Embedding{D: m.o.Dim, Final: final, Center: m.P.X, Vectors: m.Q.X, First: each(m.P.Rows, m.Q.Block[0]), Learned: m.learned}
}

// each returns where the vectors of each of n vertices begin, k for each.
func each(n, k int) []int32 {
	first := make([]int32, n+1)
	for v := range first {
		first[v] = int32(v * k)
	}
	return first
}

// startAsWord2vec draws the centres from U(-1/2D, 1/2D) and sets the contexts to zero.
//
// Source: word2vec and gensim, which PolyDW and Splitter train with.
func (m *SkipGram) startAsWord2vec() {
	key := rng.NewKey(m.o.Seed, "init word2vec")
	for v := range m.P.Rows {
		s := key.Stream(uint64(v))
		row := m.P.Row(v)
		for i := range row {
			row[i] = float32((s.Float64() - 0.5) / float64(len(row)))
		}
	}
	clear(m.Q.X)
}
