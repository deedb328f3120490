package hetnet

import (
	"context"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/walks"
)

// m2v is metapath2vec++ with papers that are known by their text: every author, and venue where a meta-path has any, has one
// vector for both its roles, centre and context, and a paper has that of its encoder.
//
//	L = mean over pairs (i,j) of -log σ(<X_i,X_j>) - Σ_m log σ(-<X_i,X_m>),  m of the type of j
//
// Source: Dong, Chawla, Swami, KDD 2017, with the paper's text as Park et al., KDD 2020, section 5.3 have it. Differs: that
// both roles share a vector, and that pairs of two papers and of two authors are trained too, is inferred; a mean over many
// pairs instead of a sum over 500.
type m2v struct {
	in      Input
	o       graphs.Options
	threads int

	x       *graphs.Table // (N,D): authors, venues, papers; the last are the encoder's
	free    *graphs.Table // its rows that are learnt, in its memory
	centers *graphs.Table // (N,D): x as the step found it
	encoder *Encoder
	papers  *papers
	terms   graphs.Terms
	move    *graphs.Optimizer

	corpus *corpus
	stream *walks.Stream
	passes uint64
}

const initStd = 0.01 // of free vectors, as in the authors' code of asp2vec and of Camel

// pairOptions are those of the loss of pairs over plain tables, as package graphs knows it.
func pairOptions(o graphs.Options, method string) graphs.Options {
	o.Method, o.Scoring = method, graphs.ScoringNative
	o.WarmUp = false
	return o.Complete()
}

// newM2V returns a model with random parameters, which prepare makes ready to be trained.
func newM2V(in Input, o graphs.Options, threads int) (*m2v, error) {
	e, err := NewEncoder(in.Words, o.Dim, o, threads)
	if err != nil {
		return nil, err
	}
	m := &m2v{in: in, o: o, threads: threads, encoder: e, move: graphs.NewAdam(o.LearningRate, threads)}
	m.tables(len(in.Bibliography.Authors), 0, 0)
	return m, nil
}

// tables makes the tables of some authors, venues and papers, keeping the vectors that there are.
func (m *m2v) tables(authors, venues, papers int) {
	learnt := authors + venues
	x := graphs.NewTable("X", learnt+papers, m.o.Dim)
	m.free = &graphs.Table{Name: "X", Rows: learnt, Block: x.Block, X: x.X[:learnt*m.o.Dim]}
	m.free.InitNormal(m.o.Seed, initStd)
	if m.x != nil {
		copy(m.free.X, m.x.X)
	}
	m.x = x
}

// prepare makes what training on the walks of a corpus needs.
func (m *m2v) prepare(ctx context.Context, c *corpus) (err error) {
	b := m.in.Bibliography
	m.corpus = c
	if m.stream, err = m.corpus.stream(ctx, m.o, m.o.Batch, walks.Types{}); err != nil {
		return err
	}
	if m.stream.Pairs() == 0 {
		return noWindows(m.o, "any vertex")
	}
	if batch := batchOf(m.o, m.stream.Pairs()); batch < m.o.Batch {
		if m.stream, err = m.corpus.stream(ctx, m.o, batch, walks.Types{}); err != nil {
			return err
		}
	}
	first := int(m.corpus.start[len(m.corpus.start)-2])
	m.tables(len(b.Authors), first-len(b.Authors), len(b.Train))
	m.papers = newPapers(b, m.encoder, first, m.threads)
	m.centers = graphs.NewTable("centers", m.x.Rows, m.o.Dim)
	contexts := &graphs.Table{Name: "contexts", Rows: m.x.Rows, Block: []int{1, m.o.Dim}, X: m.x.X}
	m.terms, err = graphs.NewTerms(pairOptions(m.o, graphs.MethodDeepWalk), m.centers, contexts, contexts, m.threads)
	return err
}

// Engine says how the loss is computed.
func (m *m2v) Engine() string { return m.terms.Engine }

// Pairs returns the number of pairs of an epoch.
func (m *m2v) Pairs() int64 { return m.stream.Pairs() }

// Epoch trains one epoch.
func (m *m2v) Epoch(ctx context.Context, number int, step func(pairs int64, l graphs.Loss)) error {
	m.passes++
	var done int64
	for b := range m.stream.Pass(ctx, m.passes) {
		fallingRate(m.move, m.o, number, done, m.Pairs())
		l, err := m.step(b)
		if err != nil {
			return err
		}
		done += int64(b.Pairs)
		step(int64(b.Pairs), l)
		if ctx.Err() != nil {
			break
		}
	}
	return nil
}

func (m *m2v) step(b *walks.Batch) (l graphs.Loss, err error) {
	if _, err := m.papers.encode(m.x, b); err != nil {
		return l, err
	}
	copy(m.centers.X, m.x.X)
	pairs := m.terms.Pairs
	if l.Pairs, err = pairs.Forward(b); err != nil {
		return l, err
	}
	if err := finite(l.Pairs, m.o.LearningRate); err != nil {
		return l, err
	}
	if err := m.encoder.Backward(m.papers.gradient(m.o.Dim, func(g []float32, _, v int) {
		pairs.CenterRow(g, v)
		pairs.AspectRow(g, v)
	})); err != nil {
		return l, err
	}
	m.move.Begin(b.Pairs)
	l.Penalty = m.move.Move(m.free, graphs.RowWork{Gradient: func(g []float32, v int) float64 {
		pairs.CenterRow(g, v)
		pairs.AspectRow(g, v)
		return decayed(g, m.free.Row(v), m.o.Decay)
	}})
	l.Penalty += m.papers.move(m.move, m.o.Decay)
	return l, finite(l.Penalty, m.o.LearningRate)
}

// Parameters returns the free vectors and the encoder's weights.
func (m *m2v) Parameters() []*graphs.Table {
	return append([]*graphs.Table{m.free}, m.encoder.Parameters()...)
}

// kept returns what scores depend on: no venue's vector.
func (m *m2v) kept() []*graphs.Table {
	return append([]*graphs.Table{m.authors()}, m.encoder.Parameters()...)
}

// authors returns the authors' vectors (A,D).
func (m *m2v) authors() *graphs.Table {
	n := len(m.in.Bibliography.Authors)
	return &graphs.Table{Name: "authors", Rows: n, Block: m.x.Block, X: m.free.X[:n*m.o.Dim]}
}

// Embedding returns the authors' vectors.
func (m *m2v) Embedding() graphs.Embedding { return graphs.Embedding{D: m.o.Dim, Final: m.authors().X} }

// Scores ranks by <f(p), X_a>.
func (m *m2v) Scores(ctx context.Context, texts, authors [][]int32, threads int) ([][]float32, error) {
	return scoreVectors(ctx, m.encoder, m.authors(), false, texts, authors, threads)
}

func copyTables(dst, src []*graphs.Table) {
	for i, t := range dst {
		copy(t.X, src[i].X)
	}
}
