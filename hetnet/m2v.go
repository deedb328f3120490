package hetnet

import (
	"context"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
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
	walked
	x    *engine.Table // (N,D): vertices with vectors of their own, and those with the encoders'
	free *engine.Table // its rows that are learnt, in its memory
}

const initStd = 0.01 // of free vectors, as in the authors' code of asp2vec and of Camel

// pairOptions are those of the loss of pairs over plain tables, as package graphs knows it.
func pairOptions(o graphs.Options, method string) graphs.Options {
	o = o.As(graphs.MethodOf(method))
	o.WarmUp = false
	return o
}

// newM2V returns a model with random parameters, which prepare makes ready to be trained.
func newM2V(in Input, o graphs.Options, threads int) (*m2v, error) {
	w, err := newWalked(in, o, threads)
	if err != nil {
		return nil, err
	}
	m := &m2v{walked: w}
	m.match = m.matched
	m.tables(m.embedded, 0)
	return m, nil
}

// tables makes the tables of some vertices with vectors of their own, and of others with contents.
func (m *m2v) tables(free, contents int) {
	m.x = engine.NewTable("X", free+contents, m.o.Dim)
	m.free = m.x.First(free)
	m.free.InitNormal(m.o.Seed, initStd)
}

// prepare makes what training on the walks of a corpus needs.
func (m *m2v) prepare(ctx context.Context, c *corpus) (err error) {
	if err = m.open(ctx, c, around{"any vertex", walks.Types{}}); err != nil {
		return err
	}
	m.tables(c.FreeVertices(), m.takeContents(c))
	m.learnt, m.order = []*engine.Table{m.free}, []int{0}
	m.pass, err = m.newPass()
	return err
}

// M2VLoss returns the loss of M2V++ on a batch of windows, a scalar in nats: graphs.DeepWalkLoss, both of whose tables are x (F,D),
// of vertices with vectors of their own, over paper (U,D), the encoders' vectors of the vertices F to F+U-1; either is nil where there are none.
// It returns an error if shapes disagree or an option names no loss.
//
// Source: Dong, Chawla, Swami, KDD 2017. Differs: see m2v.
func M2VLoss(o graphs.Options, x, paper *G.Node, in engine.Inputs) (loss *G.Node, err error) {
	defer op.Recover(&err, "hetnet: M2VLoss")
	all := G.Must(over(x, paper))                                          // (F+U,D)
	contexts := G.Must(op.Reshape(all, all.Shape()[0], 1, all.Shape()[1])) // (F+U,1,D)
	return graphs.DeepWalkLoss(pairOptions(o, graphs.MethodDeepWalk), all, contexts, in)
}

// m2vGraph is M2VLoss over a table of authors and venues.
func m2vGraph(o graphs.Options, x *engine.Table) *windowGraph {
	return &windowGraph{
		learnt: []*engine.Table{x}, kinds: []windowKind{{"", pairOptions(o, graphs.MethodDeepWalk), 1}},
		define: func(learnt []*G.Node, paper *G.Node, in []engine.Inputs) (*G.Node, error) {
			return M2VLoss(o, learnt[0], paper, in[0])
		},
	}
}

// m2vPass is M2V++'s loss with its gradients: both tables of the pairs are the vectors.
type m2vPass struct {
	*m2v
	centers *engine.Table // (N,D): x as the step found it
	pairs   *engine.Terms
}

func (m *m2v) newPass() (stepPass, error) {
	o := pairOptions(m.o, graphs.MethodDeepWalk)
	f := &m2vPass{m2v: m, centers: engine.NewTable("centers", m.x.Rows, m.o.Dim)}
	contexts := &engine.Table{Name: "contexts", Rows: m.x.Rows, Block: []int{1, m.o.Dim}, X: m.x.X}
	var err error
	f.pairs, err = engine.NewTerms(graphs.ModelOf(o, engine.Model{P: f.centers, Q: contexts, Facts: m.facts, Threads: m.threads}))
	return f, err
}

func (f *m2vPass) forward(vectors []float32, batches []*walks.Batch) (engine.Loss, error) {
	f.contents.put(f.x, vectors)
	copy(f.centers.X, f.x.X)
	f.pairs.SetStep(f.fraction)
	return f.pairs.Forward(context.Background(), batches[0])
}

func (f *m2vPass) ofContents() ([]float32, error) {
	return f.contents.gradient(f.o.Dim, func(g []float32, _, v int) { f.row(0, g, v) }), nil
}

func (f *m2vPass) penalty(int) func(worker int, g []float32, rows []int32) float64 { return nil }
func (f *m2vPass) err() error                                                      { return nil }

func (f *m2vPass) row(_ int, g []float32, v int) {
	f.pairs.CenterRow(g, v)
	f.pairs.AspectRow(g, v)
}

// Parameters returns the free vectors and the encoders' weights.
func (m *m2v) Parameters() []*engine.Table {
	return append([]*engine.Table{m.free}, m.encoderParameters()...)
}

// kept returns what scores depend on: no venue's vector.
func (m *m2v) kept() []*engine.Table {
	kept := append([]*engine.Table{m.prior}, m.keptOfEncoders()...)
	if m.made == nil {
		kept = append(kept, m.authors())
	}
	return kept
}

// authors returns the vectors (A,D) of the vertices that are embedded, which are the authors of a bibliography.
func (m *m2v) authors() *engine.Table {
	authors := m.free.First(m.embedded)
	authors.Name = "authors"
	return authors
}

// Embedding returns the vectors of the vertices that are embedded. It returns an error where an encoder fails.
func (m *m2v) Embedding() (graphs.Embedding, error) {
	return m.withContents(graphs.Embedding{D: m.o.Dim, Final: m.authors().X}, nil)
}

// matched ranks by <f(p), X_a>.
func (m *m2v) matched(ctx context.Context, texts [][]int32, threads int) (match, error) {
	return m.pair(ctx, texts, m.free, threads)
}

func copyTables(dst, src []*engine.Table) {
	for i, t := range dst {
		copy(t.X, src[i].X)
	}
}
