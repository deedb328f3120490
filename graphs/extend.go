package graphs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// Extend learns the vectors of vertices that came later: those of a network from the first after the rows that old (P and Q of a
// finished model, as Input.Begin has them) has. Old rows stay what they are, to the bit. The loss is that of the options' method,
// which is asp2vec or DeepWalk, on windows of the network's walks around the new vertices; there are as many with a new vertex in
// the middle as the options give to each vertex, and stages, steps and rates are as for a model that begins anew: asp2vec warms up by
// DeepWalk, next to the centres and the mean aspects of the old rows. The regularizer weighs as much next to the pairs of a new row as it did
// in training. final has the final vectors of old rows, whose scale is that of the new ones. step, unless nil, is told of pairs so far, and of how many there
// will be. The result does not depend on the number of threads.
//
// It returns an error for another method, shapes that do not fit, a network without new vertices or with new ones without links,
// options out of range, a loss that diverges, and when ctx ends.
func Extend(ctx context.Context, net *network.Network, o Options, old [][]float32, final []float32, threads int, step func(done, all int64)) (Embedding, error) {
	var none Embedding
	o, err := o.Resolve()
	if err != nil {
		return none, fmt.Errorf("graphs: %w", err)
	}
	if !o.Is(MethodAsp2vec) && !o.Is(MethodDeepWalk) {
		return none, fmt.Errorf("graphs: vectors of new vertices by %s: expected a model of %s or %s", o.Method.Name, MethodAsp2vec, MethodDeepWalk)
	}
	n := net.Vertices()
	if len(old) != 2 || len(old[0])%o.Dim != 0 || len(old[1]) != len(old[0])*o.Aspects || len(final) != len(old[0]) {
		return none, fmt.Errorf("graphs: a model of tables that do not fit dim = %d and aspects = %d: expected (N,D) and (N,K,D)", o.Dim, o.Aspects)
	}
	from := len(old[0]) / o.Dim
	if from >= n {
		return none, fmt.Errorf("graphs: a network of %d vertices, %d of which have vectors: expected new ones after these", n, from)
	}
	if !o.budgeted() { // a recipe
		o.PairsPerVertex, o.Steps, o.RateSum = 5000, 2000, 5
	}
	if losses.Regularizers.Get(o.Regularizer).Batch == nil { // a penalty of the table, whose pairs are those of the new rows alone
		o.Lambda *= float64(n) / float64(n-from)
	}
	o.Select = SelectLast
	mon := Monitor{Tell: On(func(g Progress) {
		if step != nil {
			step(min(g.RunPairs, g.RunTotal), g.RunTotal)
		}
	})}
	r, err := Train(ctx, Input{Network: net, Held: &Held{Rows: from, Center: old[0], Aspects: old[1]}}, o, threads, mon)
	switch {
	case err != nil:
		return none, err
	case r.Interrupted:
		return none, ctx.Err()
	}
	return r.Learner.(*skipGramLearner).extended(final), nil
}

// Held is the rows of a finished model that do not move: those of the first vertices of a network.
type Held struct {
	Rows            int
	Center, Aspects []float32 // (Rows,D) and (Rows,K,D)
}

// moving returns how many vertices have rows that move.
func (in Input) moving() int {
	if in.Held == nil {
		return in.Network.Vertices()
	}
	return in.Network.Vertices() - in.Held.Rows
}

// budget is what the recipe comes to on the network: around new vertices, the pairs of one pass over their walks.
func (in Input) budget(ctx context.Context, o Options, threads int) (*budget, error) {
	b := o.budget(in.Network)
	if in.Held == nil || b == nil {
		return b, nil
	}
	c, err := aroundNew(ctx, in.Network, in.Held.Rows, o, threads)
	if err != nil {
		return nil, err
	}
	b.pairs = float64(c.Pairs())
	return b, nil
}

// corpus returns the walks of a source or, where rows are held, those around the others.
func (in Input) corpus(ctx context.Context, src walks.Source, o Options, threads int) (*corpus, error) {
	if in.Held == nil {
		return newCountedCorpus(ctx, src, in.Network.Vertices(), o, threads)
	}
	c, err := aroundNew(ctx, in.Network, in.Held.Rows, o, threads)
	if err == nil && !WarmsUp(o) {
		c.passes = 1 // the first pass is a warm-up's, also where there is none
	}
	return c, err
}

// enter tells a model what is known of the vertices, and sets the rows that do not move. A model with one context for each vertex gets the means
// of its aspects.
func (in Input) enter(m *SkipGram) {
	m.terms.Facts = factsOf(in.Network)
	if in.Held == nil {
		return
	}
	m.P.Held, m.Q.Held = in.Held.Rows, in.Held.Rows
	copy(m.P.X, in.Held.Center)
	d := m.o.Dim
	if k := len(in.Held.Aspects) / len(in.Held.Center); k == m.o.Aspects {
		copy(m.Q.X, in.Held.Aspects)
		return
	}
	for v := range in.Held.Rows {
		aspects := in.Held.Aspects[v*len(in.Held.Aspects)/in.Held.Rows:][:len(in.Held.Aspects)/in.Held.Rows]
		mean := m.Q.Row(v)
		clear(mean)
		for i, q := range aspects {
			mean[i%d] += q / float32(len(aspects)/d)
		}
	}
}

// aroundNew returns the walks around the vertices from the given one on.
func aroundNew(ctx context.Context, net *network.Network, from int, o Options, threads int) (*corpus, error) {
	var middle []int32
	for v := from; v < net.Vertices(); v++ {
		middle = append(middle, int32(v))
	}
	each := min(max(int(math.Ceil(o.PairsPerVertex/float64(2*o.Window))), 1), walks.MaxPerVertex)
	src, err := walks.NewAround(net, middle, walks.Options{PerVertex: each, Length: o.Window, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	var counts []int64
	if o.NoisePower > 0 || o.perPair() { // of the whole network's walks, as for the old vertices
		whole, err := uniformWalks(net, o)
		if err != nil {
			return nil, err
		}
		if counts, err = walks.Frequencies(ctx, whole, net.Vertices(), threads); err != nil {
			return nil, err
		}
	}
	return newCorpus(ctx, src, net.Vertices(), counts, noiseAround(counts, net.Vertices(), from, o), nil, o, threads)
}

// noiseAround returns the weights of negatives for walks around the vertices from the given one on. In the walks of a whole network a vertex is
// a negative about as often, for each negative of a pair, as it is a centre. Of the 2·window+1 centres of a walk here one is new, and
// so is one negative in 2·window+1; else new contexts would be drawn to their neighbors and pushed away from nobody.
func noiseAround(counts []int64, vertices, from int, o Options) []float64 {
	noise := slices.Repeat([]float64{1}, vertices)
	if o.NoisePower > 0 {
		noise = walks.NoiseWeights(counts, o.NoisePower)
	}
	var old, later float64
	for v, w := range noise {
		if v < from {
			old += w
		} else {
			later += w
		}
	}
	if factor := old / (float64(2*o.Window) * later); factor > 1 {
		for v := from; v < vertices; v++ {
			noise[v] *= factor
		}
	}
	return noise
}

// extended returns the vectors, with the final ones of old rows as given, and of the new ones at the scale of these.
func (m *SkipGram) extended(final []float32) Embedding {
	scale := m.o.Scale
	m.o.Scale = 0
	e := m.Embedding()
	if scale > 0 {
		old := append([]float32(nil), e.Final[:len(final)]...)
		before := squares(old)
		if scaleRows(old, m.P.Held, scale); before > 0 {
			factor := math.Sqrt(squares(old) / before)
			for i := range e.Final {
				e.Final[i] = float32(factor * float64(e.Final[i]))
			}
		}
	}
	copy(e.Final, final)
	return e
}
