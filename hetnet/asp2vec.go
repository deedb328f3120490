package hetnet

import (
	"context"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/walks"
)

// asp2vecHet is asp2vec on papers and authors. Every author (and venue, where a meta-path has any) i has a vector P_i and K
// aspects Q_i^(s); a paper has the vector f(p) of its encoder. L = L1 + L2 + λ reg, where
//
//   - L1 is the loss of asp2vec over windows around authors, whose aspect the context tells:
//     mean over pairs (i,j) and aspects s of p_s [-log σ(<P_i,V_j^(s)>) - Σ_m log σ(-<P_i,V_m^(s)>)],
//     p = Gumbel-Softmax of <P_i, mean of V^(s) over the window's papers, authors or both>; V is Q for an author;
//   - L2 is that of windows around papers, whose text tells the aspect: mean over pairs (i,j) of
//     -log σ(<f_i,T_j>) - Σ_m log σ(-<f_i,T_m>), where T is f for a paper and U = (P + mean Q)/2 for an author;
//   - reg is asp2vec's regularizer, over the aspects of authors.
//
// Source: Park et al., KDD 2020, section 4.4, Eq. L_Het. Differs: the paper gives V_p^(s) = f(p) for all s, with which contexts
// that are papers say nothing of aspects, though they are its best choice; by default V_p^(s) = W_s f(p) here, with W_s
// near the identity at first (the option aspect-variant: literal is the paper's). T of an author, negatives of the context's
// type, means for sums and the choice of a warm-up by M2V++ are inferred. Of made authors P, T and V are as of papers.
type asp2vecHet struct {
	walked

	p, q         *engine.Table // (N,D), (N,K,D): authors, venues, papers; the last are the encoder's
	freeP, freeQ *engine.Table // the rows that are learnt, in the memory of p and q
	heads        *engine.Table // (K,D,D): W; nil but for the variant of heads
}

// newAsp2vecHet returns a model with random parameters, which prepare makes ready to be trained.
func newAsp2vecHet(in Input, o graphs.Options, threads int) (*asp2vecHet, error) {
	w, err := newWalked(in, o, threads)
	if err != nil {
		return nil, err
	}
	m := &asp2vecHet{walked: w}
	m.match = m.matched
	if Own(o).Variant == VariantHeads && len(w.encoders) > 0 {
		m.heads = engine.NewTable("heads", o.Aspects, o.Dim, o.Dim)
		m.heads.InitNormal(o.Seed, Own(o).HeadNoise)
		for s := range o.Aspects {
			for i := range o.Dim {
				m.heads.Row(s)[i*o.Dim+i]++
			}
		}
	}
	m.tables(m.embedded, 0)
	return m, nil
}

// tables makes the tables for some vertices with vectors of their own, and for others with contents.
func (m *asp2vecHet) tables(free, contents int) {
	k, d := m.o.Aspects, m.o.Dim
	m.p, m.q = engine.NewTable("P", free+contents, d), engine.NewTable("Q", free+contents, k, d)
	m.freeP, m.freeQ = m.p.First(free), m.q.First(free)
	m.freeP.InitNormal(m.o.Seed, initStd)
	m.freeQ.InitNormal(m.o.Seed, initStd)
}

// prepare makes what training on the walks of a corpus needs.
func (m *asp2vecHet) prepare(ctx context.Context, c *corpus) error {
	o := m.o
	if c.FreeVertices() == 0 && m.made == nil {
		return fmt.Errorf("hetnet: %s learns aspects of vertices without content, and meta-paths %s pass none: expected a meta-path through a type without content, or %s", MethodAsp2vecHet, Own(o).MetaPaths, MethodM2V)
	}
	kinds, err := c.hetWindows(o)
	if err != nil {
		return err
	}
	if err := m.open(ctx, c, kinds...); err != nil {
		return err
	}
	m.tables(c.FreeVertices(), m.takeContents(c))
	if c.FreeVertices() == c.Vertices() {
		m.heads = nil // of contents, which are on none of the meta-paths
	}
	m.learnt, m.order = []*engine.Table{m.freeP, m.freeQ}, []int{1, 0}
	if m.heads != nil {
		m.learnt, m.order = append(m.learnt, m.heads), append(m.order, 2)
	}
	m.pass, err = m.newPass()
	return err
}

// hetWindows are the windows of L1, around vertices whose aspect the context tells, which is picked by the vertices that the options
// name, and those of L2, where there are vertices whose contents tell it.
func (c *corpus) hetWindows(o graphs.Options) ([]around, error) {
	readout, err := c.readout(Own(o).Context)
	if err != nil {
		return nil, err
	}
	byContext, byContent := c.byContext(true), c.byContext(false)
	kinds := []around{{c.names(byContext), walks.Types{Centers: byContext, Readout: readout}}}
	if slices.Contains(byContent, true) {
		kinds = append(kinds, around{c.names(byContent), walks.Types{Centers: byContent}})
	}
	return kinds, nil
}

// follow starts from the vectors of a trained M2V++: P and every aspect of an author are its vector.
func (m *asp2vecHet) follow(warm *m2v) {
	copy(m.freeP.X, warm.free.X)
	for v := range m.freeQ.Rows {
		m.freeQ.Repeat(v, warm.free.Row(v))
	}
	copyTables(m.encoderParameters(), warm.encoderParameters())
}

// Parameters returns P and Q of the free rows, the heads and the encoder's weights.
func (m *asp2vecHet) Parameters() []*engine.Table {
	all := []*engine.Table{m.freeP, m.freeQ}
	if m.heads != nil {
		all = append(all, m.heads)
	}
	return append(all, m.encoderParameters()...)
}

// kept returns what scores depend on: P and Q of the authors, and the encoder's weights.
func (m *asp2vecHet) kept() []*engine.Table {
	return append([]*engine.Table{m.freeP.First(m.embedded), m.freeQ.First(m.embedded), m.prior}, m.keptOfEncoders()...)
}

// Embedding returns the authors' vectors: U, P and Q; of other heterogeneous networks those of all vertices, where f is U and P of a
// vertex with contents, and its only aspect unless the context tells which, when these are V. It returns an error where an encoder fails.
func (m *asp2vecHet) Embedding() (graphs.Embedding, error) {
	n, k, d := m.embedded, m.o.Aspects, m.o.Dim
	final, err := m.finalRows()
	if err != nil {
		return graphs.Embedding{}, err
	}
	first := seq.Map(seq.Upto(int32(n+1)), func(v int32) int32 { return v * int32(k) })
	return m.withContents(graphs.Embedding{D: d, Final: final.X[:n*d], Center: m.freeP.X[:n*d], Vectors: m.freeQ.X[:n*k*d], First: first}, m.aspectRows)
}

// aspectRows returns the aspects of the vertices of a type, given their encoder's vectors f: W_s f where the context tells them, and f
// where it does not or there are no heads.
func (m *asp2vecHet) aspectRows(t int, f rows) (rows, error) {
	if m.heads == nil || !m.network.Types[t].ByContext() {
		return f, nil
	}
	v, err := (&aspectGraph{k: m.o.Aspects, dim: m.o.Dim, heads: m.heads}).of(f.x)
	return rows{slices.Clone(v), m.o.Dim, m.o.Aspects}, err
}

// finalRows returns U of the learnt vertices.
func (m *asp2vecHet) finalRows() (*engine.Table, error) {
	u := engine.NewTable("U", m.freeP.Rows, m.o.Dim)
	final := m.newFinal()
	if final == nil {
		return u, nil
	}
	t, err := final.Vectors()
	copy(u.X, t)
	return u, err
}

// matched ranks by <f(p), U_a>, or by the largest <f(p), Q_a^(s)>.
func (m *asp2vecHet) matched(ctx context.Context, texts [][]int32, threads int) (match, error) {
	if m.o.Scorer() != graphs.ScoringMax {
		u, err := m.finalRows()
		if err != nil {
			return match{}, err
		}
		return m.pair(ctx, texts, u, threads)
	}
	found, err := m.pair(ctx, texts, m.freeQ, threads)
	if err == nil && m.made != nil {
		found.to, err = m.aspectRows(m.author, found.to)
	}
	return found, err
}
