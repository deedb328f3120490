package graphs

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/fused"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// composedPairs is the pair term of a loss as a graph of layers and losses. A batch goes through it in chunks of windows,
// because a graph has fixed shapes and because the rows that it gathers should stay in cache. Chunks are dealt to a fixed
// number of lanes, each a graph with gradients of its own, which run in parallel; a row's gradient is the sum over lanes, in
// their order, whatever the number of threads.
type composedPairs struct {
	lanes   []*lane
	threads int
	noise   rng.Key
}

const (
	lanes        = 4
	chunkWindows = 512
)

// lane is one graph with the memory that its inputs are bound to.
type lane struct {
	program                   *Program
	center, context, negative []int
	bag, weight, noise        []float32
	p, q                      *localRows
	anchor                    *anchorInputs // nil without an anchor
	loss                      float64
	err                       error
}

func newComposedPairs(o Options, p, q *Table, a *anchor, threads, chunk int) (*composedPairs, error) {
	c := &composedPairs{threads: threads, noise: noiseKey(o.Seed)}
	for range lanes {
		l := newLane(o, chunk, q.Block[0], a)
		g := G.NewGraph()
		l.p, l.q = newLocalRows(p, len(l.center)), newLocalRows(q, len(l.context)+len(l.negative))
		pNode, qNode := l.p.part.Node(g, tensor.Float32), l.q.part.Node(g, tensor.Float32)
		loss, err := pairLoss(o, pNode, qNode, l.nodes(g, tensor.Float32, "", q.Block[0]))
		if err != nil {
			return nil, err
		}
		if l.program, err = Compile(loss, pNode, qNode); err != nil {
			return nil, err
		}
		c.lanes = append(c.lanes, l)
	}
	return c, nil
}

// pairLoss returns the pair term of the method's loss.
func pairLoss(o Options, p, q *G.Node, in Inputs) (*G.Node, error) {
	switch {
	case in.Anchor != nil:
		return SplitterLoss(o, p, q, in)
	case o.flat():
		return DeepWalkLoss(o, p, q, in)
	}
	return Asp2vecLoss(o, p, q, in)
}

// usesNoise says whether the method's selection draws Gumbel noise.
func usesNoise(o Options) bool {
	return !o.flat() && layers.Selections[o.Selection].Noise
}

// newLane returns the memory of the inputs for w windows of a model with k aspects.
func newLane(o Options, w, k int, a *anchor) *lane {
	b := w * 2 * o.Window
	l := &lane{
		center: make([]int, w), context: make([]int, b), negative: make([]int, b*o.Negatives),
		bag: make([]float32, b), weight: make([]float32, b),
	}
	switch {
	case !usesNoise(o):
	case o.Noise == NoisePair:
		l.noise = make([]float32, b*k)
	default:
		l.noise = make([]float32, w*k)
	}
	if a != nil {
		l.anchor = newAnchorInputs(a, w, o.Negatives)
	}
	return l
}

// Windows is the memory that the inputs of a graph are bound to, for a number of windows of a model with k aspects: of a graph of
// whole batches, where a SkipGram takes them in chunks.
type Windows struct {
	Room int // windows, at most

	lane  *lane
	k     int
	noise rng.Key
}

// NewWindows returns room for some windows. room is at least 1; k is the number of aspects, at least 1.
func NewWindows(o Options, room, k int) *Windows {
	return &Windows{room, newLane(o, room, k, nil), k, noiseKey(o.Seed)}
}

// Nodes adds the inputs to a graph: their names begin with name. float32 nodes read the memory, float64 ones a copy of it.
func (w *Windows) Nodes(g *G.ExprGraph, dt tensor.Dtype, name string) Inputs {
	return w.lane.nodes(g, dt, name, w.k)
}

// Fill sets the inputs to a batch, which has at most as many windows as there is room for. row says in which row of the graph's
// tables a vertex stands; slots without a vertex may have any, and weigh nothing.
func (w *Windows) Fill(b *walks.Batch, row func(v int32) int) {
	w.lane.fill(b, 0, b.Windows(), w.noise, row, row)
}

// nodes adds the lane's inputs to a graph for k aspects, with names that begin with name. float32 nodes read the lane's memory, float64 ones
// a copy of it.
func (l *lane) nodes(g *G.ExprGraph, dt tensor.Dtype, name string, k int) Inputs {
	w, b := len(l.center), len(l.context)
	in := Inputs{
		Center: IntNode(g, name+"center", l.center, w), Context: IntNode(g, name+"context", l.context, b),
		Negative: IntNode(g, name+"negative", l.negative, len(l.negative)),
		Bag:      FloatNode(g, dt, name+"bag", l.bag, w, b/w), Weight: FloatNode(g, dt, name+"weight", l.weight, b),
	}
	if l.noise != nil {
		in.Noise = FloatNode(g, dt, name+"noise", l.noise, len(l.noise)/k, k)
	}
	if l.anchor != nil {
		l.anchor.nodes(g, dt, &in)
	}
	return in
}

// IntNode returns an input of a shape that reads the memory of x.
func IntNode(g *G.ExprGraph, name string, x []int, shape ...int) *G.Node {
	return G.NewTensor(g, tensor.Int, len(shape), G.WithShape(shape...), G.WithName(name), G.WithValue(dense(x, shape...)))
}

// FloatNode returns an input of the given type and shape that reads the memory of x or, in float64, a copy of it.
func FloatNode(g *G.ExprGraph, dt tensor.Dtype, name string, x []float32, shape ...int) *G.Node {
	var backing any = x
	if dt == tensor.Float64 {
		wide := make([]float64, len(x))
		for i, v := range x {
			wide[i] = float64(v)
		}
		backing = wide
	}
	return G.NewTensor(g, dt, len(shape), G.WithShape(shape...), G.WithName(name), G.WithValue(dense(backing, shape...)))
}

// fill copies windows lo to hi-1 of a batch into the inputs; windows beyond are padding, which weighs nothing. center and context say in
// which row of the graph's tables a vertex stands.
func (l *lane) fill(b *walks.Batch, lo, hi int, noise rng.Key, center, context func(v int32) int) {
	clear(l.bag)
	clear(l.weight)
	clear(l.center)
	clear(l.context)
	clear(l.negative)
	if l.anchor != nil {
		l.anchor.fill(b, lo, hi)
	}
	slots, m := b.Slots, b.Negatives
	perWindow := len(l.noise) / len(l.center)
	each := 1 / float32(b.Pairs)
	for w := lo; w < hi; w++ {
		i := w - lo
		l.center[i] = center(b.Center[w])
		share := 1 / float32(b.BagSize(w))
		for c := range slots {
			l.context[i*slots+c] = context(b.Context[w*slots+c])
			if b.Bag[w]>>c&1 == 1 {
				l.bag[i*slots+c] = share
			}
			if b.InBatch(w, c) {
				l.weight[i*slots+c] = each
			}
		}
		for j, v := range b.Negative[w*slots*m : (w+1)*slots*m] {
			l.negative[i*slots*m+j] = context(v)
		}
		if perWindow > 0 {
			fused.Noise(l.noise[i*perWindow:][:perWindow], noise, b, w)
		}
	}
}

func (c *composedPairs) Forward(b *walks.Batch) (float64, error) {
	n := b.Windows()
	par.Blocks(c.threads, len(c.lanes), func(_, i int) {
		l := c.lanes[i]
		l.p.reset()
		l.q.reset()
		l.loss, l.err = 0, nil
		chunk := len(l.center)
		for lo := i * chunk; lo < n && l.err == nil; lo += len(c.lanes) * chunk {
			l.fill(b, lo, min(lo+chunk, n), c.noise, l.p.row, l.q.row)
			var loss float64
			if loss, l.err = l.program.Run(); l.err == nil {
				l.loss += loss
				l.p.collect(l.program.Gradient(0))
				l.q.collect(l.program.Gradient(1))
			}
		}
	})
	var sum float64
	for i, l := range c.lanes {
		if l.err != nil {
			return 0, fmt.Errorf("graphs: lane %d: %w", i, l.err)
		}
		sum += l.loss
	}
	return sum, nil
}

func (c *composedPairs) CenterRow(g []float32, v int) {
	for _, l := range c.lanes {
		if l.p.inUse[v] {
			kernel.Axpy(g, l.p.gradient(v), 1)
		}
	}
}

func (c *composedPairs) AspectRow(g []float32, v int) {
	for _, l := range c.lanes {
		if l.q.inUse[v] {
			kernel.Axpy(g, l.q.gradient(v), 1)
		}
	}
}

func (c *composedPairs) PrefetchCenter(int) {}
func (c *composedPairs) PrefetchAspect(int) {}
