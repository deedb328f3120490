package hetnet

import (
	"context"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/kernel"
)

// Recommender is a trained model that ranks the vertices of one type for those of another.
type Recommender interface {
	// Scorer returns what the model makes of the targets of a task, as it is now. It returns an error for types that are on none of the
	// model's meta-paths.
	Scorer(t *typed.Task) (typed.Scorer, error)
}

// rows are the vectors of the vertices of one type: n blocks of equally many vectors, one after the other.
type rows struct {
	x   []float32
	dim int
	per int // vectors of a vertex
}

// of returns the vectors of a vertex.
func (r rows) of(v int) []float32 { return r.x[v*r.per*r.dim:][:r.per*r.dim] }

// LargestProduct returns the largest inner product of a vector (d) with several, one after the other (S·d, S ≥ 1): how a source ranks
// a target that has S aspects, or one vector.
func LargestProduct(with, vectors []float32) float32 {
	best := kernel.Dot(with, vectors[:len(with)])
	for at := len(with); at < len(vectors); at += len(with) {
		best = max(best, kernel.Dot(with, vectors[at:][:len(with)]))
	}
	return best
}

// scorerOf returns the largest inner products of the sources' vectors, one of each, with those of the targets.
func scorerOf(sources, targets rows) typed.Scorer {
	return func(source int32, dst []float32) error {
		from := sources.of(int(source))
		for v := range dst {
			dst[v] = LargestProduct(from, targets.of(v))
		}
		return nil
	}
}

// freeRows returns the part of a table of learnt vertices that a type of the corpus has.
func (w *walked) freeRows(t int, table *graphs.Table) (rows, error) {
	width, first := table.Width(), 0
	for _, e := range w.embeddedTypes {
		n := w.network.Vertices(e)
		if e == t {
			return rows{table.X[first*width : (first+n)*width], w.o.Dim, width / w.o.Dim}, nil
		}
		first += n
	}
	return rows{}, fmt.Errorf("hetnet: vertices %s have no learnt vectors: want a type without content", w.network.Types[t].Name)
}

// contentRows returns the encoder's vectors of all vertices of a type; of texts, some are encoded at a time.
func (w *walked) contentRows(t int) (rows, error) {
	if texts, ok := w.encoders[t].(*textContent); ok {
		x, err := texts.Encode(context.Background(), texts.texts, w.threads)
		return rows{x, w.o.Dim, 1}, err
	}
	x, err := w.encoders[t].encode(upTo(w.network.Vertices(t)))
	return rows{append([]float32(nil), x...), w.o.Dim, 1}, err
}

// withContents returns an embedding with the encoders' vectors of the vertices that are embedded by these. Where vertices have several
// vectors, aspects says what those of a type are, given these. It returns an error where an encoder fails.
func (w *walked) withContents(e graphs.Embedding, aspects func(t int, f rows) (rows, error)) (graphs.Embedding, error) {
	for _, t := range w.encodedTypes {
		of, err := w.contentRows(t)
		if err != nil {
			return graphs.Embedding{}, fmt.Errorf("hetnet: vectors of %s: %w", w.network.Types[t].Name, err)
		}
		e.Final = slices.Concat(e.Final, of.x)
		if e.Vectors == nil {
			continue
		}
		several, err := aspects(t, of)
		if err != nil {
			return graphs.Embedding{}, err
		}
		e.Center, e.Vectors = slices.Concat(e.Center, of.x), slices.Concat(e.Vectors, several.x)
		for range w.network.Vertices(t) {
			e.First = append(e.First, e.First[len(e.First)-1]+int32(several.per))
		}
	}
	return e, nil
}

// ends returns the vectors of a task's sources and targets: those of a table of learnt vertices, or the encoders'.
func (w *walked) ends(t *typed.Task, sources, targets *graphs.Table) (from, to rows, err error) {
	of := func(typ int, table *graphs.Table) (rows, error) {
		if w.encoders[typ] != nil {
			return w.contentRows(typ)
		}
		return w.freeRows(typ, table)
	}
	source, target := t.Ends(w.network)
	if from, err = of(source, sources); err != nil {
		return from, to, err
	}
	to, err = of(target, targets)
	return from, to, err
}

// Scorer ranks by <X_u, X_i>.
func (m *m2v) Scorer(t *typed.Task) (typed.Scorer, error) {
	from, to, err := m.ends(t, m.free, m.free)
	return scorerOf(from, to), err
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
func (m *asp2vecHet) finalRows() (*graphs.Table, error) {
	u := graphs.NewTable("U", m.freeP.Rows, m.o.Dim)
	final, err := m.newFinal()
	if err != nil {
		return nil, err
	}
	return u, final.values(u.Rows, u.Row, m.freeP.Row, m.freeQ.Row)
}

// Scorer ranks by <U_u, U_i>, or by the largest <P_u, Q_i^(s)>.
func (m *asp2vecHet) Scorer(t *typed.Task) (typed.Scorer, error) {
	if m.o.Scorer() == graphs.ScoringMax {
		from, to, err := m.ends(t, m.freeP, m.freeQ)
		if _, target := t.Ends(m.network); err == nil && m.encoders[target] != nil {
			to, err = m.aspectRows(target, to)
		}
		return scorerOf(from, to), err
	}
	u, err := m.finalRows()
	if err != nil {
		return nil, err
	}
	from, to, err := m.ends(t, u, u)
	return scorerOf(from, to), err
}
