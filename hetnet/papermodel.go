package hetnet

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/seq"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// paperModel is what the methods that train on pairs of a paper and an author have in common: vectors of authors, and steps of Adam against
// the gradients of a graph.
type paperModel struct {
	ranking
	o       graphs.Options
	b       *typed.Authorship
	papers  bool         // are embedded too
	text    *textContent // of papers
	threads int

	authors *engine.Table // (A,D)
	made    *made         // nil where authors have vectors of their own
	pairs   *directPairs  // nil before prepare
	adam    *engine.Optimizer
	skip    int // steps that the next epoch has had already
}

// newPaperModel returns what methods have in common: authors N(0, 0.01²) and a random encoder. It returns the encoder's error, and one for a
// network that is not of papers and authors.
func newPaperModel(in Input, o graphs.Options, threads int) (paperModel, error) {
	b, err := in.authorship(o.Method.Name)
	if err != nil {
		return paperModel{}, err
	}
	m := paperModel{o: o, b: b, papers: len(in.Types) != 1, threads: threads, adam: graphs.NewAdam(o.LearningRate, threads)}
	m.ranking = newRanking(b.Names[b.Author])
	if m.papers {
		m.names = b.VertexNames(b.Author) // as embeddings have them
	}
	m.authors = engine.NewTable("authors", len(m.names), o.Dim)
	m.authors.InitNormal(o.Seed, initStd)
	if m.text, err = newTexts(in, b.Texts(), o, threads); err != nil || Own(o).Authors != AuthorsPapers {
		return m, err
	}
	m.made, err = newMade(b, m.text, threads)
	return m, err
}

// leastPapers returns how many papers an author has at least whom a paper is told by: one who is made of others has two.
func (m *paperModel) leastPapers() int {
	if m.made != nil {
		return 2
	}
	return 1
}

// Embedding returns the vectors of the authors and, where these are embedded too, of papers. It returns an error where the encoder fails.
func (m *paperModel) Embedding() (graphs.Embedding, error) {
	out := graphs.Embedding{D: m.o.Dim, Final: slices.Clone(m.authors.X)}
	if !m.papers {
		return out, nil
	}
	papers, err := m.text.Encode(context.Background(), m.b.Texts(), m.threads)
	if err != nil {
		return graphs.Embedding{}, fmt.Errorf("hetnet: vectors of texts: %w", err)
	}
	out.Final = append(out.Final, papers...)
	return out, nil
}

// matched returns the vectors of texts and of authors, to be ranked by their inner products.
func (m *paperModel) matched(ctx context.Context, texts [][]int32, threads int) (match, error) {
	f, err := m.text.Encode(ctx, texts, threads)
	return match{from: rows{f, m.o.Dim, 1}, to: rows{m.authors.X, m.o.Dim, 1}, score: largestProducts}, err
}

// sizes returns how many of an epoch's pairs a step has, but for the last one, and how many steps an epoch has.
func (m *paperModel) sizes() (batch, steps int) {
	n := len(m.pairs.pairs)
	batch = min(BatchOf(m.o, int64(n)), n)
	return batch, (n + batch - 1) / batch
}

// State returns the optimizer's: each epoch draws its own pairs.
func (m *paperModel) State() any { return m.adam.State() }

// Resume takes over a state.
func (m *paperModel) Resume(state []byte, steps int) error {
	var s engine.OptimizerState
	if err := json.Unmarshal(state, &s); err != nil {
		return err
	}
	m.skip = steps
	m.adam.Resume(s)
	return nil
}

// steps takes the steps of an epoch from the first that it has not had to the last, number n-1, or until ctx is cancelled. take takes a step, and
// returns how many pairs it had and its loss, of which step is told.
func (m *paperModel) steps(ctx context.Context, n int, step func(pairs int64, l engine.Loss), take func(i int) (int64, engine.Loss, error)) error {
	first := m.skip
	m.skip = 0
	for i := first; i < n && ctx.Err() == nil; i++ {
		pairs, l, err := take(i)
		if err != nil {
			return err
		}
		step(pairs, l)
	}
	return m.made.conclude(m.authors)
}

// textBatch is the papers and authors of a batch in a graph, by their vectors: those of papers are encoded before the graph runs, and the
// gradient by them is taken back to the encoder after it.
type textBatch struct {
	text          *textContent
	made          *made
	x             *madeRows // of made authors, place by place
	paper, author *places
	wrote         []int32
	f, a          *engine.Table // (P,D), (A,D)
}

// newBatch returns room for some papers and authors, or all.
func (m *paperModel) newBatch(papers, authors int) *textBatch {
	allPapers, allAuthors := len(m.b.AuthorsOf), m.authors.Rows
	t := &textBatch{
		text: m.text, made: m.made, paper: newPlaces(allPapers), author: newPlaces(allAuthors),
		f: engine.NewTable("papers", min(papers, allPapers), m.o.Dim),
	}
	if m.made == nil {
		authors = min(authors, allAuthors)
	} else {
		t.x = newMadeRows(make([]float32, authors*m.made.dim), m.text.Encoder)
	}
	t.a = engine.NewTable("authors", authors, m.o.Dim)
	return t
}

// placeOf returns the place of an author beside some papers, of which a made author is to be without their own.
func (t *textBatch) placeOf(a int32, papers ...int32) int {
	if t.made == nil {
		return t.author.of(a)
	}
	place, w := 0, t.made.dim
	if t.wrote = t.made.wrote(t.wrote[:0], a, papers); len(t.wrote) > 0 {
		place = t.author.another()
	} else {
		place = t.author.of(a)
	}
	t.made.without(t.x.x[place*w:][:w], a, t.wrote)
	return place
}

// nodes returns the vectors of authors and of papers, by which a graph's gradients are, in this order, before all others.
func (t *textBatch) nodes(g *G.ExprGraph, dt tensor.Dtype) (a, f *G.Node) {
	return t.a.Node(g, dt), t.f.Node(g, dt)
}

// compiled returns the program of a graph, unless err is of what built it.
func compiled(graph guard.Graph, err error) (*engine.Program, error) {
	if err != nil {
		return nil, err
	}
	return engine.Compile(graph.Loss, nil, graph.Params...)
}

func (t *textBatch) reset() {
	t.paper.reset()
	t.author.reset()
}

// enter sets the vectors to those of the papers and authors that were met.
func (t *textBatch) enter(authors *engine.Table) error {
	if t.made == nil {
		t.author.gather(t.a, authors)
	} else {
		a, err := t.x.Of(seq.Upto(int32(len(t.author.met))))
		if err != nil {
			return err
		}
		copy(t.a.X, a)
	}
	f, err := t.text.Of(t.paper.met)
	clear(t.f.X[copy(t.f.X, f):])
	return err
}

// back takes the gradients of papers and of made authors back to the encoder.
func (t *textBatch) back(program *engine.Program) error {
	if err := t.text.Backward(program.Gradient(1)[:len(t.paper.met)*t.f.Width()]); err != nil || t.made == nil {
		return err
	}
	if err := t.x.Backward(program.Gradient(0)[:len(t.author.met)*t.a.Width()]); err != nil {
		return err
	}
	return t.x.join()
}

// moveTexts runs the graph of a loss over a batch of texts, and then moves the parameters against its gradients: the authors, some tables, the encoder
// and other tables, whose squares, and no others, the loss has decay times besides. It returns the loss before the move, or an error where that is not
// finite.
func (m *paperModel) moveTexts(program *engine.Program, t *textBatch, before, after []*engine.Table, decay float64) (l engine.Loss, err error) {
	if l.Pairs, err = program.Run(); err == nil {
		err = bounded(l.Pairs)
	}
	if err != nil {
		return l, err
	}
	m.adam.Begin(1)
	if err := t.back(program); err != nil {
		return l, err
	}
	if m.made == nil {
		l.Penalty = m.adam.MoveDecayed(m.authors, decay, t.author.gradient(m.o.Dim, program.Gradient(0)))
	}
	for i, table := range before {
		l.Penalty += m.adam.MoveWhole(table, decay, program.Gradient(2+i))
	}
	for i, table := range t.text.Parameters() {
		l.Penalty += m.adam.MoveWhole(table, decay, t.text.Gradients()[i])
	}
	for i, table := range after {
		l.Penalty += m.adam.MoveWhole(table, decay, program.Gradient(2+len(before)+i))
	}
	return l, bounded(l.Penalty)
}

// fallen is what no loss falls below that has a lower bound.
const fallen = -1e5

// bounded returns an error for a loss that is no number, or below fallen.
func bounded(loss float64) error {
	if loss >= fallen && !math.IsInf(loss, 0) {
		return nil
	}
	return fmt.Errorf("hetnet: the loss became %v: expected a finite number, of a loss that has a lower bound", loss)
}
