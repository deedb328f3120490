package hetnet

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/walks"
)

// walked is what the methods on every pair of the walks have in common: a step encodes the papers that its batches use, works out
// the loss and its gradients by a pass, and moves all that is learnt.
type walked struct {
	ranking
	o             graphs.Options
	threads       int
	network       *typed.Network
	embeddedTypes []int                  // of vertices with vectors of their own, which are embedded
	embedded      int                    // how many vertices those are, which come first
	encodedTypes  []int                  // of vertices with contents, which are embedded
	encoders      map[int]contentEncoder // of the types with contents
	author        int                    // the type that alone is embedded, of a bibliography; -1 for others
	made          *made                  // nil where authors have vectors of their own
	authors       *engine.Table          // (A,D): the vectors of made authors at the end of the last epoch; nil without
	learnt        []*engine.Table        // besides the encoders'
	order         []int                  // in which tables move
	move          *engine.Optimizer

	streams  []*walks.Stream // of a step's batches; nil before open
	place    walkedState
	skip     int       // steps that the next epoch has had already
	fraction float64   // of the training that is done
	contents *contents // nil before prepare, as the rest
	pass     stepPass
	facts    func() engine.Facts // what losses can read of the vertices of the walks
	withheld *withheld           // of made authors; nil for others
}

// newWalked returns a model with random encoders.
func newWalked(in Input, o graphs.Options, threads int) (walked, error) {
	in, err := in.as(o)
	if err != nil {
		return walked{}, err
	}
	n := in.Network
	w := walked{o: o, threads: threads, network: n, encoders: map[int]contentEncoder{}, move: graphs.NewAdam(o.LearningRate, threads)}
	w.author = -1
	if len(in.Types) == 1 {
		w.author = in.Types[0]
		w.ranking = newRanking(n.Names[w.author])
	}
	w.embeddedTypes, w.encodedTypes = in.embedded()
	for _, t := range w.embeddedTypes {
		w.embedded += n.Vertices(t)
	}
	for t, typ := range n.Types {
		switch typ.Content {
		case typed.Text:
			w.encoders[t], err = newTexts(in, n.Contents[t].Texts, o, threads)
		case typed.Features:
			w.encoders[t], err = encode.NewFeatures(n.Contents[t].Features, Own(o).FeatureHidden, o.Dim, o.Seed, threads)
		}
		if err != nil {
			return w, err
		}
	}
	if in.made != nil {
		if w.made, err = newMade(in.made, w.textEncoder(), threads); err != nil {
			return w, err
		}
		w.encoders[w.author], w.authors = w.made.whole, engine.NewTable("authors", n.Vertices(w.author), o.Dim)
	}
	return w, nil
}

// encoderParameters returns the encoders' weights, in the order of types.
func (w *walked) encoderParameters() []*engine.Table {
	return w.ofEncoders((*textContent).Parameters)
}

// keptOfEncoders returns what the encoders' vectors depend on.
func (w *walked) keptOfEncoders() []*engine.Table {
	return w.ofEncoders((*textContent).Kept)
}

// ofEncoders returns the encoders' weights, those of texts as of says.
func (w *walked) ofEncoders(of func(*textContent) []*engine.Table) (all []*engine.Table) {
	for t := range w.network.Types {
		switch e := w.encoders[t].(type) {
		case *textContent:
			all = append(all, of(e)...)
		case contentEncoder:
			all = append(all, e.Parameters()...)
		}
	}
	if w.made != nil {
		all = append(all, w.authors)
	}
	return all
}

// contentRows returns the encoder's vectors of all vertices of a type; of texts, some are encoded at a time.
func (w *walked) contentRows(t int) (rows, error) {
	if w.made != nil && t == w.author {
		return rows{w.authors.X, w.o.Dim, 1}, nil
	}
	if texts, ok := w.encoders[t].(*textContent); ok {
		x, err := texts.Encode(context.Background(), texts.texts, w.threads)
		return rows{x, w.o.Dim, 1}, err
	}
	x, err := w.encoders[t].Of(seq.Upto(int32(w.network.Vertices(t))))
	return rows{slices.Clone(x), w.o.Dim, 1}, err
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

// pair returns the vectors of texts and of authors, which are made or else the first of those of a table that are learnt.
func (w *walked) pair(ctx context.Context, texts [][]int32, learnt *engine.Table, threads int) (m match, err error) {
	x, err := w.textEncoder().Encode(ctx, texts, threads)
	if err != nil {
		return m, err
	}
	m.from, m.score = rows{x, w.o.Dim, 1}, largestProducts
	if w.made != nil {
		m.to, err = w.contentRows(w.author)
	} else {
		m.to = rows{learnt.X, w.o.Dim, learnt.Width() / w.o.Dim}
	}
	return m, err
}

// textEncoder returns the encoder of the first type with texts, which there must be.
func (w *walked) textEncoder() *textContent {
	for t := range w.network.Types {
		if texts, ok := w.encoders[t].(*textContent); ok {
			return texts
		}
	}
	panic("hetnet: scores of texts by a model of a network without any")
}

// around is a kind of windows that a step has a batch of.
type around struct {
	what  string // is in their middle
	types walks.Types
}

// open makes the streams of a corpus's windows, with as many batches of each kind in an epoch.
func (w *walked) open(ctx context.Context, c *corpus, kinds ...around) error {
	w.streams = nil
	w.facts = sync.OnceValue(c.facts)
	size, most := w.o.Batch, 0
	for i, kind := range kinds {
		counted, err := c.stream(ctx, w.o, size, kind.types)
		if err != nil {
			return err
		}
		pairs := counted.Pairs()
		if pairs == 0 {
			return noWindows(w.o, kind.what)
		}
		batch := BatchOf(w.o, pairs)
		if i == 0 {
			size = batch
		} else {
			batch = evenBatch(w.streams[0].Pairs(), pairs, size)
		}
		if batch != w.o.Batch || i > 0 {
			if counted, err = c.stream(ctx, w.o, batch, kind.types); err != nil {
				return err
			}
		}
		w.streams = append(w.streams, counted)
		most += int(min(int64(batch), pairs))
	}
	if w.made == nil {
		return nil
	}
	w.withheld = w.newWithheld(c, most)
	w.facts = w.withheld.facts(w.facts)
	return w.made.conclude(w.authors)
}

// takeContents takes the vertices of a corpus with contents, made authors without some of their papers among them, and returns how many there are at most.
func (w *walked) takeContents(c *corpus) int {
	w.contents = newContents(c.n, c.Layout, w.encoders, w.o.Dim, w.threads)
	n := c.Vertices() - c.FreeVertices()
	if w.withheld != nil {
		w.contents.parts = append(w.contents.parts, content{encoder: newMadeRows(w.withheld.x, w.textEncoder().Encoder), first: c.Vertices(), n: w.withheld.room})
		n += w.withheld.room
	}
	return n
}

// Pairs returns the number of pairs of an epoch.
func (w *walked) Pairs() (n int64) {
	for _, s := range w.streams {
		n += s.Pairs()
	}
	return n
}

// walkedState is what the State of a method on walks returns.
type walkedState struct {
	Passes    uint64 // of the walks, that under way with them
	Done      int64  // pairs of the latest one
	Optimizer engine.OptimizerState
}

// State returns the place in the walks, and the optimizer's.
func (w *walked) State() any {
	w.place.Optimizer = w.move.State()
	return w.place
}

// Resume takes over a state.
func (w *walked) Resume(state []byte, steps int) error {
	if err := json.Unmarshal(state, &w.place); err != nil {
		return err
	}
	w.skip = steps
	w.move.Resume(w.place.Optimizer)
	return nil
}

// Epoch trains one epoch.
func (w *walked) Epoch(ctx context.Context, number int, step func(pairs int64, l engine.Loss)) error {
	skip, now := w.skip, w.place
	if w.skip = 0; skip == 0 {
		now.Passes, now.Done = now.Passes+1, 0
	}
	for batches := range together(ctx, now.Passes, skip, w.streams...) {
		fallingRate(w.move, w.o, number, now.Done, w.Pairs())
		w.fraction = fraction(w.o, number, now.Done, w.Pairs())
		l, err := w.step(batches...)
		if err != nil {
			return err
		}
		var pairs int64
		for _, b := range batches {
			pairs += int64(b.Pairs)
		}
		now.Done += pairs
		w.place = now
		step(pairs, l)
		if ctx.Err() != nil {
			break
		}
	}
	return w.made.conclude(w.authors)
}

// stepPass works out the loss of a step and its gradients, at the parameters as they are.
type stepPass interface {
	// forward returns the loss of batches, given the vectors (U,D) of the vertices with contents in them.
	forward(vectors []float32, batches []*walks.Batch) (engine.Loss, error)
	// ofContents returns the gradient (U,D) by these vectors, and is to be called once after forward.
	ofContents() ([]float32, error)
	// penalty is what engine.RowWork takes for a learnt table, and row adds the gradient of row v of one to g. Several goroutines call them,
	// while rows of that table move.
	penalty(table int) func(worker int, g []float32, rows []int32) float64
	row(table int, g []float32, v int)
	err() error // of penalty
}

// step moves the parameters against the gradient of a step's batches, and returns the loss before the move.
func (w *walked) step(batches ...*walks.Batch) (l engine.Loss, err error) {
	batches = w.withheld.from(batches)
	vectors, err := w.contents.encode(batches...)
	if err != nil {
		return l, err
	}
	if l, err = w.pass.forward(vectors, batches); err != nil {
		return l, err
	}
	if err := bounded(l.Pairs + l.Penalty); err != nil {
		return l, err
	}
	ofContents, err := w.pass.ofContents()
	if err != nil {
		return l, err
	}
	if err := w.contents.backward(ofContents); err != nil {
		return l, err
	}
	w.move.Begin(1)
	for _, i := range w.order {
		t, decay := w.learnt[i], w.decayOf(i)
		l.Penalty += w.move.Move(engine.RowWork{Table: t, Penalty: w.pass.penalty(i), Gradient: func(g []float32, v int) float64 {
			w.pass.row(i, g, v)
			return engine.Decayed(g, t.Row(v), decay)
		}})
	}
	l.Penalty += w.contents.move(w.move, Own(w.o).Decay)
	return l, cmp.Or(w.pass.err(), bounded(l.Pairs+l.Penalty)) // once more: the penalty of vectors comes with the move
}

// decayOf is what the squares of a learnt table weigh: l2 or, of the vectors of vertices with l2-mean, as much beside the pairs as in a network of
// one vertex with one aspect. With k aspects the loss has the product of a vector with each of k others at 1/k in the mean over aspects and at
// about 1/k as a probability, and such products hold out against a decay of up to √k/k².
func (w *walked) decayOf(table int) float64 {
	decay, of := Own(w.o).Decay, w.learnt[table]
	if vertices := w.learnt[0].Rows; Own(w.o).MeanDecay && of.Rows == vertices {
		decay /= float64(vertices) * math.Pow(float64(w.o.Aspects), 1.5)
	}
	return decay
}
