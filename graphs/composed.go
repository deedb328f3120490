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
	program                   *program
	center, context, negative []int
	bag, weight, noise        []float32
	dP, dQ                    []float32 // of the batch's chunks so far
	loss                      float64
	err                       error
}

func newComposedPairs(o Options, p, q *Table, threads, chunk int) (*composedPairs, error) {
	c := &composedPairs{threads: threads, noise: noiseKey(o.Seed)}
	for range lanes {
		l := new(lane)
		g := G.NewGraph()
		pNode := tableNode(g, p)
		qNode := tableNode(g, q)
		loss, err := pairLoss(o, pNode, qNode, l.bind(g, o, chunk, q.Block[0]))
		if err != nil {
			return nil, err
		}
		if l.program, err = compile(loss, pNode, qNode); err != nil {
			return nil, err
		}
		l.dP, l.dQ = make([]float32, len(p.X)), make([]float32, len(q.X))
		c.lanes = append(c.lanes, l)
	}
	return c, nil
}

// pairLoss returns the pair term of the method's loss.
func pairLoss(o Options, p, q *G.Node, in Inputs) (*G.Node, error) {
	if o.Method == MethodDeepWalk {
		return DeepWalkLoss(o, p, q, in)
	}
	return Asp2vecLoss(o, p, q, in)
}

func tableNode(g *G.ExprGraph, t *Table) *G.Node {
	s := t.Shape()
	return G.NewTensor(g, tensor.Float32, s.Dims(), G.WithShape(s...), G.WithName(t.Name), G.WithValue(dense(t.X, s...)))
}

// usesNoise says whether the method's selection draws Gumbel noise.
func usesNoise(o Options) bool {
	return o.Method != MethodDeepWalk && layers.Selections[o.Selection].Noise
}

// bind makes the input nodes of a graph for w windows, over memory of the lane.
func (l *lane) bind(g *G.ExprGraph, o Options, w, k int) Inputs {
	slots := 2 * o.Window
	b := w * slots
	l.center, l.context, l.negative = make([]int, w), make([]int, b), make([]int, b*o.Negatives)
	l.bag, l.weight = make([]float32, b), make([]float32, b)
	ints := func(name string, x []int) *G.Node {
		return G.NewVector(g, tensor.Int, G.WithShape(len(x)), G.WithName(name), G.WithValue(dense(x, len(x))))
	}
	floats := func(name string, x []float32, rows, cols int) *G.Node {
		return G.NewMatrix(g, tensor.Float32, G.WithShape(rows, cols), G.WithName(name), G.WithValue(dense(x, rows, cols)))
	}
	in := Inputs{
		Center: ints("center", l.center), Context: ints("context", l.context), Negative: ints("negative", l.negative),
		Bag:    floats("bag", l.bag, w, slots),
		Weight: G.NewVector(g, tensor.Float32, G.WithShape(b), G.WithName("weight"), G.WithValue(dense(l.weight, b))),
	}
	if usesNoise(o) {
		rows := w
		if o.Noise == NoisePair {
			rows = b
		}
		l.noise = make([]float32, rows*k)
		in.Noise = floats("noise", l.noise, rows, k)
	}
	return in
}

// fill copies windows lo to hi-1 of a batch into the inputs; windows beyond are padding, which weighs nothing.
func (l *lane) fill(b *walks.Batch, lo, hi int, noise rng.Key) {
	clear(l.bag)
	clear(l.weight)
	clear(l.center)
	clear(l.context)
	clear(l.negative)
	slots, m := b.Slots, b.Negatives
	perWindow := len(l.noise) / len(l.center)
	each := 1 / float32(b.Pairs)
	for w := lo; w < hi; w++ {
		i := w - lo
		l.center[i] = int(b.Center[w])
		share := 1 / float32(b.BagSize(w))
		for c := range slots {
			l.context[i*slots+c] = int(b.Context[w*slots+c])
			if b.Bag[w]>>c&1 == 1 {
				l.bag[i*slots+c] = share
			}
			if b.InBatch(w, c) {
				l.weight[i*slots+c] = each
			}
		}
		for j, v := range b.Negative[w*slots*m : (w+1)*slots*m] {
			l.negative[i*slots*m+j] = int(v)
		}
		if perWindow > 0 {
			fused.Noise(l.noise[i*perWindow:][:perWindow], noise, b, w)
		}
	}
}

func (c *composedPairs) forward(b *walks.Batch) (float64, error) {
	n := b.Windows()
	par.Blocks(c.threads, len(c.lanes), func(_, i int) {
		l := c.lanes[i]
		clear(l.dP)
		clear(l.dQ)
		l.loss, l.err = 0, nil
		chunk := len(l.center)
		for lo := i * chunk; lo < n && l.err == nil; lo += len(c.lanes) * chunk {
			l.fill(b, lo, min(lo+chunk, n), c.noise)
			var loss float64
			if loss, l.err = l.program.run(); l.err == nil {
				l.loss += loss
				kernel.Axpy(l.dP, l.program.gradient(0), 1)
				kernel.Axpy(l.dQ, l.program.gradient(1), 1)
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

func (c *composedPairs) centerRow(g []float32, v int) {
	for _, l := range c.lanes {
		kernel.Axpy(g, l.dP[v*len(g):][:len(g)], 1)
	}
}

func (c *composedPairs) aspectRow(g []float32, v int) {
	for _, l := range c.lanes {
		kernel.Axpy(g, l.dQ[v*len(g):][:len(g)], 1)
	}
}
