package hetnet

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// tapem is TaPEm in training: an embedding of each pair of an author and a paper, by which a classifier tells who wrote it, and
// which is to fit the path that leads from one to the other.
//
// Source: Park, Shin, Kim and Yu, CIKM 2019 (TaPEm), and the authors' code. Differs: direct triples are shuffled and not sorted
// by the length of their texts; the last, smaller batch of an epoch is not dropped; context paths are drawn each from a stretch
// of the corpus of its own, which are as many, and none twice. See tapemLoss.
type tapem struct {
	paperModel
	tables  []*engine.Table // see the constants of tapemloss.go
	plateau plateau
	taken   uint64 // steps, which number the masks of dropout

	contexts *contexts     // nil before prepare, as the rest
	graphs   []*tapemGraph // of each length of contexts
}

// tapemGraph is the graph of a batch with paths of one length, and the memory that its inputs are bound to; see tapemInputs.
type tapemGraph struct {
	*textBatch
	program               *engine.Program
	direct                *triples
	pairAuthor, pairPaper []int
	mask1, mask2          []float32 // nil without dropout
	steps                 [][]int
	weight                []float32
}

// newTaPEm returns a model with random parameters: authors N(0, 0.01²), the rest as newTapemTables says. Epochs use up to
// threads goroutines, whose number does not change the result. Papers are not needed before prepare. It returns an error from the encoder.
func newTaPEm(in Input, o graphs.Options, threads int) (*tapem, error) {
	m, err := newPaperModel(in, o, threads)
	if err != nil {
		return nil, err
	}
	t := &tapem{paperModel: m, tables: newTapemTables(o.Dim, pairDim, o.Seed), plateau: plateau{Best: -math.MaxFloat64}}
	t.match = t.matched
	return t, nil
}

// follow sets authors and encoder to those of a trained Camel, which are trained on. It must have the same shape.
func (t *tapem) follow(c *camel) {
	copy(t.authors.X, c.authors.X)
	copyTables(t.text.Parameters(), c.text.Parameters())
}

// prepare draws the walks and makes the graphs. It returns an error if there is no training paper, if one has every author, if
// no walk is long enough for a context path, or ctx's.
func (t *tapem) prepare(ctx context.Context) (err error) {
	if t.pairs, err = newDirectPairs(t.b, t.leastPapers(), t.o.Seed); err != nil {
		return err
	}
	if t.contexts, err = newContexts(ctx, t.b, t.o, t.threads); err != nil {
		return err
	}
	batch, steps := t.sizes()
	for i, length := range t.contexts.lengths {
		paths := contextsOf(t.contexts.counts[i], Own(t.o).ContextRatio)
		g, err := t.newGraph(batch, (paths+steps-1)/steps, length)
		if err != nil {
			return err
		}
		t.graphs = append(t.graphs, g)
	}
	return t.made.conclude(t.authors)
}

// newGraph returns the graph of batches of b triples and c paths of some length.
func (t *tapem) newGraph(b, c, length int) (m *tapemGraph, err error) {
	m = &tapemGraph{
		textBatch: t.newBatch(b+c*length, 2*b+c*length), direct: newTriples(b),
		pairAuthor: make([]int, 2*b+c), pairPaper: make([]int, 2*b+c), weight: make([]float32, c), steps: make([][]int, length),
	}
	for s := range m.steps {
		m.steps[s] = make([]int, 2*c)
	}
	if Own(t.o).Dropout > 0 {
		m.mask1, m.mask2 = make([]float32, (2*b+c)*4*t.o.Dim), make([]float32, (2*b+c)*t.tables[pairBias1].Rows)
	}
	m.program, err = compiled(t.build(m, G.NewGraph(), tensor.Float32))
	return m, err
}

// build adds the loss of a batch to a graph. Its parameters are the vectors of authors and of papers, and the tables.
func (t *tapem) build(m *tapemGraph, g *G.ExprGraph, dt tensor.Dtype) (graph guard.Graph, err error) {
	a, f := m.nodes(g, dt)
	w, n := engine.Nodes(g, dt, t.tables...), len(m.pairAuthor)
	in := tapemInputs{
		direct:     m.direct.nodes(g, dt, "direct"),
		pairAuthor: engine.IntNode(g, "pair authors", m.pairAuthor, n), pairPaper: engine.IntNode(g, "pair papers", m.pairPaper, n),
		weight: engine.FloatNode(g, dt, "path weights", m.weight, len(m.weight)),
	}
	for s, x := range m.steps {
		in.steps = append(in.steps, engine.IntNode(g, fmt.Sprint("path step ", s), x, len(x)))
	}
	graph.Params = slices.Concat([]*G.Node{a, f}, w)
	graph.Inputs = slices.Concat(in.direct.list(), []*G.Node{in.pairAuthor, in.pairPaper, in.weight}, in.steps)
	if m.mask1 != nil {
		in.mask1 = engine.FloatNode(g, dt, "mask 1", m.mask1, n, len(m.mask1)/n)
		in.mask2 = engine.FloatNode(g, dt, "mask 2", m.mask2, n, len(m.mask2)/n)
		graph.Inputs = append(graph.Inputs, in.mask1, in.mask2)
	}
	graph.Loss, err = tapemLoss(f, a, w, in, Own(t.o).Margin)
	return graph, err
}

// Pairs returns the number of pairs of a training paper and one of its authors.
func (t *tapem) Pairs() int64 { return int64(len(t.pairs.pairs)) }

// Parameters returns the vectors of authors, the encoder's parameters, and those of pairs and paths.
func (t *tapem) Parameters() []*engine.Table {
	return slices.Concat([]*engine.Table{t.authors}, t.text.Parameters(), t.tables)
}

// kept returns what scores depend on, among others.
func (t *tapem) kept() []*engine.Table {
	return slices.Concat([]*engine.Table{t.authors, t.prior}, t.text.Kept(), t.tables)
}

// Epoch takes a step for each batch of direct triples, with its share of the epoch's context paths, whose length changes from
// epoch to epoch. The loss of a step is that of its batch, divided by the number of its triples.
func (t *tapem) Epoch(ctx context.Context, number int, step func(pairs int64, l engine.Loss)) error {
	m := t.graphs[(number-1)%len(t.graphs)]
	direct, paths := t.pairs.epoch(number), t.contexts.epoch(number, Own(t.o).ContextRatio)
	n, steps := t.sizes()
	return t.steps(ctx, steps, step, func(i int) (pairs int64, l engine.Loss, err error) {
		d := direct[i*n : min((i+1)*n, len(direct))]
		fallingRate(t.adam, t.o, number, int64(i), int64(steps))
		loss, err := t.step(m, d, paths[i*len(paths)/steps:(i+1)*len(paths)/steps])
		return int64(len(d)), engine.Loss{Pairs: loss / float64(len(d))}, err
	})
}

// tapemState is what TaPEm's State returns.
type tapemState struct {
	Steps     uint64
	Plateau   plateau
	Optimizer engine.OptimizerState
}

// State returns the number of steps, the scores so far, and the optimizer's state: each epoch draws its own triples and paths.
func (t *tapem) State() any { return tapemState{t.taken, t.plateau, t.adam.State()} }

// Resume takes over a state.
func (t *tapem) Resume(state []byte, steps int) error {
	var s tapemState
	if err := json.Unmarshal(state, &s); err != nil {
		return err
	}
	t.taken, t.plateau, t.skip = s.Steps, s.Plateau, steps
	t.adam.Resume(s.Optimizer)
	return nil
}

// step moves the parameters against the gradient of a batch, and returns its loss before the move.
func (t *tapem) step(m *tapemGraph, direct []triple, paths []contextPair) (float64, error) {
	m.fill(direct, paths, int32(t.authors.Rows))
	t.drawMasks(m.mask1, 0)
	t.drawMasks(m.mask2, 1)
	t.taken++
	if err := m.enter(t.authors); err != nil {
		return 0, err
	}
	l, err := t.moveTexts(m.program, m.textBatch, nil, t.tables, 0)
	return l.Pairs, err
}

// fill sets the inputs to a batch. Papers are the vertices of paths from first on; an author is beside the papers of its path.
func (m *tapemGraph) fill(direct []triple, paths []contextPair, first int32) {
	m.reset()
	m.direct.fill(direct, m.textBatch)
	b, c := len(m.direct.paper), len(m.weight)
	copy(m.pairAuthor, m.direct.own)
	copy(m.pairAuthor[b:], m.direct.other)
	copy(m.pairPaper, m.direct.paper)
	copy(m.pairPaper[b:], m.direct.paper)
	clear(m.pairAuthor[2*b:])
	clear(m.pairPaper[2*b:])
	clear(m.weight)
	for s, vertices := range m.steps {
		clear(vertices)
		for i, p := range paths {
			if s%2 == 0 {
				vertices[i], vertices[c+i] = m.placeOf(p.path[s], papersOn(p.path, first)...), m.placeOf(p.other[s], papersOn(p.other, first)...)
			} else {
				vertices[i], vertices[c+i] = m.paper.of(p.path[s]-first), m.paper.of(p.other[s]-first)
			}
		}
	}
	for i := range paths {
		m.pairAuthor[2*b+i], m.pairPaper[2*b+i], m.weight[i] = m.steps[0][i], m.steps[len(m.steps)-1][i], 1
	}
}

// papersOn returns the papers of a path of authors and papers by turns.
func papersOn(path []int32, first int32) (list []int32) {
	for s := 1; s < len(path); s += 2 {
		list = append(list, path[s]-first)
	}
	return list
}

// drawMasks sets a mask of dropout, of its own for each step and layer.
func (t *tapem) drawMasks(mask []float32, layer uint64) {
	key := rng.NewKey(t.o.Seed, "dropout").With(t.taken).With(layer)
	rate, kept := float32(Own(t.o).Dropout), float32(1/(1-Own(t.o).Dropout))
	const block = 1 << 12
	par.Blocks(t.threads, (len(mask)+block-1)/block, func(_, b int) {
		part := mask[b*block : min((b+1)*block, len(mask))]
		s := key.Stream(uint64(b))
		s.Fill(part)
		for i, u := range part {
			if u < rate {
				part[i] = 0
			} else {
				part[i] = kept
			}
		}
	})
}

// Observe takes the score of the model after an epoch, higher being better. Where it has not risen for a while, the learning
// rate is halved, unless it falls by a schedule.
func (t *tapem) Observe(score float64) {
	if t.o.FinalRate > 0 {
		return // it falls by itself
	}
	if t.plateau.observe(score) {
		t.adam.SetRate(t.adam.Rate() / 2)
	}
}

// plateau tells when scores no longer rise.
//
// Source: PyTorch, ReduceLROnPlateau(mode="max", patience=5, threshold=0.001), as in TaPEm's code. Differs: none known.
type plateau struct {
	Best  float64
	Waits int // scores since the best one or since the last plateau
}

// observe says whether the last six scores were none of them above the best one before by more than a thousandth of it.
func (p *plateau) observe(score float64) bool {
	const threshold, patience = 0.001, 5
	if score > p.Best*(1+threshold) {
		p.Best, p.Waits = score, 0
		return false
	}
	if p.Waits++; p.Waits <= patience {
		return false
	}
	p.Waits = 0
	return true
}
