package graphs

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// Terms are the terms of a loss over two tables, and the engine that computes them.
type Terms struct {
	Pairs   PairTerm
	Penalty PenaltyTerm // nil without a regularizer
	Engine  string
}

// NewTerms makes the terms of the loss that the options name, by the engine they ask for, over a centre table p (N,D) and an
// aspect table q (N,K,D), which the terms read whenever they are asked. The regularizer is that of the rows of penalized, q
// itself or a part of its memory. Engine auto takes the fused op of a term if it gives the same numbers as the graph does
// on a small random batch: whoever edits a layer or a loss trains what they wrote, not what the fused op still computes. It returns an
// error for options that Validate refuses, and where engine fused is asked for and does not agree with the graph.
func NewTerms(o Options, p, q, penalized *Table, threads int) (Terms, error) {
	return newTerms(o, p, q, penalized, nil, threads)
}

func newTerms(o Options, p, q, penalized *Table, a *anchor, threads int) (t Terms, err error) {
	fusePairs, fusePenalty := o.Engine == EngineFused, o.Engine == EngineFused
	if o.Engine == EngineAuto {
		if fusePairs, fusePenalty, err = agreement(o); err != nil {
			return t, err
		}
	}
	if fusePairs {
		t.Pairs, err = newFusedPairs(o, p, q, a, threads)
	} else {
		t.Pairs, err = newComposedPairs(o, p, q, a, threads, chunkWindows)
	}
	if err != nil {
		return t, err
	}
	t.Engine = engineName(fusePairs)
	if !o.regularized() || losses.Regularizers[o.Regularizer].Table == nil {
		return t, nil
	}
	if fusePenalty {
		t.Penalty, err = newFusedPenalty(o, penalized)
	} else {
		t.Penalty, err = newComposedPenalty(o, penalized)
	}
	if fusePenalty != fusePairs {
		t.Engine = fmt.Sprintf("%s, regularizer %s", t.Engine, engineName(fusePenalty))
	}
	return t, err
}

func engineName(fused bool) string {
	if fused {
		return EngineFused
	}
	return EngineGraph
}

// agreement says of each term whether its fused op computes what the graph computes: loss and gradients, to float32
// rounding, on random parameters of a small network, small and large ones. A comparison of nothing but zeros is none.
func agreement(o Options) (pairs, penalty bool, err error) {
	o.Dim = min(o.Dim, 32)
	b, err := sampleBatch(o, sampleVertices)
	if err != nil {
		return false, false, err
	}
	pairs, penalty = true, true
	for _, std := range []float64{0.5, 2} {
		p, q := sampleTables(o, std)
		same, err := pairsAgree(o, b, p, q)
		if err != nil {
			return false, false, err
		}
		pairs = pairs && same
		for _, epsilon := range []float64{0.3, o.Epsilon} {
			for _, lambda := range []float64{0.5, o.Lambda} {
				c := o
				c.Epsilon, c.Lambda = epsilon, lambda
				same, err := penaltyAgrees(c, q, epsilon == 0.3 && lambda == 0.5)
				if err != nil {
					return false, false, err
				}
				penalty = penalty && same
			}
		}
	}
	return pairs, penalty, nil
}

// AgreeTolerance bounds the difference between engines, relative to the largest number; a low temperature magnifies rounding.
func AgreeTolerance(o Options) float64 { return 1e-4 * max(1, 0.5/o.Tau) }

func pairsAgree(o Options, b *walks.Batch, p, q *Table) (bool, error) {
	fast, err := newFusedPairs(o, p, q, sampleAnchor(o), 1)
	if err != nil {
		return false, nil // there is no fused op for these names
	}
	slow, err := newComposedPairs(o, p, q, sampleAnchor(o), 1, b.Windows())
	if err != nil {
		return false, err
	}
	x, err := fast.Forward(b)
	if err != nil {
		return false, err
	}
	y, err := slow.Forward(b)
	if err != nil {
		return false, err
	}
	tolerance := AgreeTolerance(o)
	return x != 0 && Near([]float64{x}, []float64{y}, 0, tolerance) &&
		Near(rows(p, fast.CenterRow), rows(p, slow.CenterRow), 0, tolerance) &&
		Near(rows(q, fast.AspectRow), rows(q, slow.AspectRow), 0, tolerance), nil
}

// penaltyAgrees compares the regularizers of one aspect table; some says that they must not be zero.
func penaltyAgrees(o Options, q *Table, some bool) (bool, error) {
	fast, err := newFusedPenalty(o, q)
	if err != nil {
		return false, nil
	}
	slow, err := newComposedPenalty(o, q)
	if err != nil {
		return false, err
	}
	y, err := slow.Forward()
	if err != nil {
		return false, err
	}
	var x float64
	g := rows(q, func(g []float32, v int) { x += fast.Row(g, v) })
	if some && o.Aspects > 1 && x == 0 {
		return false, nil
	}
	const tolerance = 1e-4
	return Near([]float64{x}, []float64{y}, o.Lambda, tolerance) &&
		Near(g, rows(q, func(g []float32, v int) { slow.Row(g, v) }), o.Lambda, tolerance), nil
}

// sampleVertices is the size of the network on which engines are compared and gradients checked.
const sampleVertices = 16

// sampleTables returns random tables of the model's shape. The aspects of a vertex share a vector, with either sign, under
// noise that grows from vertex to vertex, so that their cosines lie on both sides of any threshold.
func sampleTables(o Options, std float64) (p, q *Table) {
	p, q = NewTable("P", sampleVertices, o.Dim), NewTable("Q", sampleVertices, o.Aspects, o.Dim)
	p.InitNormal(o.Seed, std)
	q.InitNormal(o.Seed, std)
	for v := range q.Rows {
		shared := p.Row((v + 1) % p.Rows)
		noise := float32(v+1) / float32(q.Rows)
		row := q.Row(v)
		for i := range row {
			sign := float32(1 - i/o.Dim%3%2*2)
			row[i] = noise*row[i] + (1-noise)*sign*shared[i%o.Dim]
		}
	}
	return p, q
}

// sampleBatch returns a batch of the model's shape, over a ring of vertices with chords.
func sampleBatch(o Options, vertices int) (*walks.Batch, error) {
	names := make([]string, vertices)
	var links []network.Link
	for v := range vertices {
		names[v] = fmt.Sprint(v)
		for _, step := range []int{1, 3} {
			links = append(links, network.Link{From: int32(v), To: int32((v + step) % vertices)})
		}
	}
	net, err := network.New(names, links, nil, false)
	if err != nil {
		return nil, err
	}
	src, err := walks.NewUniform(net, walks.Options{PerVertex: 1, Length: 3, Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	s, err := walks.NewStream(context.Background(), src, vertices, walks.StreamOptions{
		Window: o.Window, Negatives: o.Negatives, Batch: math.MaxInt32, Order: walks.Shuffled, Seed: o.Seed,
	})
	if err != nil {
		return nil, err
	}
	for b := range s.Pass(context.Background(), 0) {
		return b, nil
	}
	return nil, fmt.Errorf("graphs: no batch from %d vertices", vertices)
}

// rows collects the gradient of every row of a table.
func rows(t *Table, row func(g []float32, v int)) []float64 {
	var all []float64
	for v := range t.Rows {
		g := make([]float32, t.Width())
		row(g, v)
		for _, x := range g {
			all = append(all, float64(x))
		}
	}
	return all
}

// Near says whether two lists are as long, and their largest difference is within tolerance of the largest value, or of unit if that is
// larger: some gradients are zero but for rounding. It is false for NaN.
func Near[T float32 | float64](x, y []T, unit, tolerance float64) bool {
	if len(x) != len(y) {
		return false
	}
	scale, worst := unit, 0.0
	for i := range x {
		a, b := float64(x[i]), float64(y[i])
		scale, worst = max(scale, math.Abs(a), math.Abs(b)), max(worst, math.Abs(a-b))
	}
	return worst <= tolerance*scale
}
