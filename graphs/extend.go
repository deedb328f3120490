package graphs

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// Extend learns the vectors of vertices that came later: those of a network from the first after the rows that old (P and Q of a
// finished model, as Input.Begin has them) has. Old rows stay what they are, to the bit. The loss is that of the options' method,
// which is asp2vec or DeepWalk, on windows of the network's walks around the new vertices; there are as many with a new vertex in
// the middle as the options give to each vertex, and steps and rates are as for a model that begins anew. final has the final
// vectors of old rows, whose scale is that of the new ones. step, unless nil, is told of pairs so far, and of how many there
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
		return none, fmt.Errorf("graphs: vectors of new vertices by %s: want a model of %s or %s", o.Method.Name, MethodAsp2vec, MethodDeepWalk)
	}
	n := net.Vertices()
	if len(old) != 2 || len(old[0])%o.Dim != 0 || len(old[1]) != len(old[0])*o.Aspects || len(final) != len(old[0]) {
		return none, fmt.Errorf("graphs: a model of tables that do not fit dim = %d and aspects = %d: want (N,D) and (N,K,D)", o.Dim, o.Aspects)
	}
	from := len(old[0]) / o.Dim
	if from >= n {
		return none, fmt.Errorf("graphs: a network of %d vertices, %d of which have vectors: want new ones after these", n, from)
	}
	if standard := Standard(); !o.budgeted() {
		o.PairsPerVertex, o.Steps, o.RateSum = standard.PairsPerVertex, standard.Steps, standard.RateSum
	}
	c, err := aroundNew(ctx, net, from, o, threads)
	if err != nil {
		return none, err
	}
	b := o.budget(net)
	b.pairs = float64(c.Pairs())
	o, _ = b.stage(o, 1, n-from)
	if c, err = aroundNew(ctx, net, from, o, threads); err != nil { // in batches of that size
		return none, err
	}
	m, err := NewSkipGram(o, n, threads)
	if err != nil {
		return none, err
	}
	copy(m.P.X, old[0])
	copy(m.Q.X, old[1])
	m.P.held, m.Q.held = from, from
	done := 0.
	for batch := range c.Pass(ctx, 1) {
		m.setRate(done / b.pairs)
		if _, err := m.Step(batch); err != nil {
			return none, err
		}
		if done += float64(batch.Pairs); step != nil {
			step(int64(done), int64(b.pairs))
		}
	}
	if err := ctx.Err(); err != nil {
		return none, err
	}
	return m.extended(final), nil
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
	if o.NoisePower > 0 || o.Optimizer == OptimizerSGD { // of the whole network's walks, as for the old vertices
		whole, err := uniformWalks(net, o)
		if err != nil {
			return nil, err
		}
		if counts, err = walks.Frequencies(ctx, whole, net.Vertices(), threads); err != nil {
			return nil, err
		}
	}
	return newCorpus(ctx, src, net.Vertices(), counts, o, threads)
}

// extended returns the vectors, with the final ones of old rows as given, and of the new ones at the scale of these.
func (m *SkipGram) extended(final []float32) Embedding {
	scale := m.o.Scale
	m.o.Scale = 0
	e := m.Embedding()
	if scale > 0 {
		old := append([]float32(nil), e.Final[:len(final)]...)
		before := squares(old)
		if scaleRows(old, m.P.held, scale); before > 0 {
			factor := math.Sqrt(squares(old) / before)
			for i := range e.Final {
				e.Final[i] = float32(factor * float64(e.Final[i]))
			}
		}
	}
	copy(e.Final, final)
	return e
}

func squares(x []float32) (sum float64) {
	for _, v := range x {
		sum += float64(v) * float64(v)
	}
	return sum
}
