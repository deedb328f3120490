package engine

import (
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Inputs are the nodes that a batch of W windows with C context slots is bound to. Unused slots hold a valid vertex and
// weigh nothing. B = W*C pairs, M negatives for each.
type Inputs struct {
	Center   *G.Node // (W) vertices
	Context  *G.Node // (B) vertices, window by window
	Negative *G.Node // (B*M) vertices, pair by pair
	Bag      *G.Node // (W,C): one over the number of the window's distinct contexts, at the first slot of each; else 0
	Weight   *G.Node // (B): one over the number of the batch's pairs; 0 for a slot without a pair in the batch
	Offset   *G.Node // (W,C): steps of the walk from the centre to the slot, below 0 for those before it; 0 for an unused slot
	Step     *G.Node // (B): the fraction of the training that is done
	Noise    *G.Node // (W,K) or (B,K) Gumbel draws; nil where the selection uses none

	StepOfWindow *G.Node // (W): as Step

	// What is known of these vertices: (B), (B) and (B,M), each for the vertices of the pairs.
	OfCenter, OfContext, OfNegative losses.Vertices

	Learned map[string]*G.Node // (W,.): rows of the tables that entries learn, by key

	// Of Splitter's constraint; nil without. Frozen rows, not vertices.
	Anchor         *G.Node // (W,1,D) the vector of each centre's owner
	AnchorNegative *G.Node // (W*M,1,D) vectors that are noise for it, window by window
	AnchorWeight   *G.Node // (W): lambda times the window's share of the batch's pairs
}

// Facts are what a loss can read of vertices, by vertex.
type Facts struct {
	Degree []float32 // number of neighbours, of a directed network of those that links lead to; of vertices of several types, of links
	Type   []float32 // of the vertex, as its place among the types of the network; nil where there is one
}

// Shape is what the windows of a model have in common.
type Shape struct {
	Window    int // vertices on each side of a centre
	Negatives int // of a pair
	Draws     int // of Gumbel noise for each aspect of a window: 0, 1, or one for each of its slots
	Seed      uint64
}

func noiseKey(seed uint64) rng.Key { return rng.NewKey(seed, "noise") }

// Windows is the memory that the inputs of a graph are bound to, for a number of windows.
type Windows struct {
	room, slots, negatives, k    int
	key                          rng.Key
	center, context, negative    []int
	bag, weight, offset, noise   []float32
	known                        [2][3][]float32 // degrees, and types, of the pairs' centres, contexts and negatives
	anchor                       *anchorInputs
	step                         []float32 // of pairs
	index, offsets, facts, steps bool      // whether anything reads these
}

// NewWindows returns room for some windows of a model of k aspects, with an anchor unless that is nil. room and k are at least 1.
func NewWindows(s Shape, room, k int, a *Anchor) *Windows {
	b := room * 2 * s.Window
	n := b * s.Negatives
	w := &Windows{
		room: room, slots: 2 * s.Window, negatives: s.Negatives, k: k, key: noiseKey(s.Seed),
		center: make([]int, room), context: make([]int, b), negative: make([]int, n),
		bag: make([]float32, b), weight: make([]float32, b), offset: make([]float32, b), step: make([]float32, b),
		index: true, offsets: true, facts: true, steps: true,
	}
	for i, size := range []int{b, b, n} {
		w.known[0][i], w.known[1][i] = make([]float32, size), make([]float32, size)
	}
	if s.Draws > 0 {
		w.noise = make([]float32, room*s.Draws*k)
	}
	if a != nil {
		w.anchor = newAnchorInputs(a, room, s.Negatives)
	}
	return w
}

// Nodes adds the inputs to a graph: their names begin with name. float32 nodes read the memory, float64 ones a copy of it.
func (w *Windows) Nodes(g *G.ExprGraph, dt tensor.Dtype, name string) Inputs {
	b, m := len(w.context), w.negatives
	in := Inputs{
		Center: IntNode(g, name+"center", w.center, w.room), Context: IntNode(g, name+"context", w.context, b),
		Negative: IntNode(g, name+"negative", w.negative, b*m),
		Bag:      FloatNode(g, dt, name+"bag", w.bag, w.room, w.slots), Weight: FloatNode(g, dt, name+"weight", w.weight, b),
		Offset: FloatNode(g, dt, name+"offset", w.offset, w.room, w.slots),
		Step:   FloatNode(g, dt, name+"step", w.step, b), StepOfWindow: FloatNode(g, dt, name+"step of window", w.step[:w.room], w.room),
	}
	for i, of := range []*losses.Vertices{&in.OfCenter, &in.OfContext, &in.OfNegative} {
		shape := []int{b}
		if i == 2 {
			shape = []int{b, m}
		}
		whose := []string{"center", "context", "negative"}[i]
		of.Degree = FloatNode(g, dt, name+"degree of "+whose, w.known[0][i], shape...)
		of.Type = FloatNode(g, dt, name+"type of "+whose, w.known[1][i], shape...)
	}
	if w.noise != nil {
		in.Noise = FloatNode(g, dt, name+"noise", w.noise, len(w.noise)/w.k, w.k)
	}
	if w.anchor != nil {
		w.anchor.nodes(g, dt, &in)
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

// Fill sets the inputs to windows lo to hi-1 of a batch, at most as many as there is room for. Where there are fewer, the first one comes again,
// and weighs nothing: a loss that is defined for the windows is defined for the padding.
func (w *Windows) Fill(b *walks.Batch, lo, hi int, f Facts) {
	slots, m := w.slots, w.negatives
	each := 1 / float32(b.Pairs)
	perWindow := len(w.noise) / w.room
	for i := range w.room {
		at := lo + i
		if at >= hi {
			at = lo
		}
		weight, bag := w.weight[i*slots:][:slots], w.bag[i*slots:][:slots]
		clear(weight)
		if lo+i < hi {
			for c := b.First[at]; c < b.Last[at]; c++ {
				weight[c] = each
			}
		}
		mask, share := b.Bag[at], 1/float32(b.BagSize(at))
		for c := range bag {
			bag[c] = 0
			if mask>>c&1 == 1 {
				bag[c] = share
			}
		}
		if perWindow > 0 {
			kernel.Uniform(w.noise[i*perWindow:][:perWindow], uint64(w.key.With(b.Pass).With(b.ID[at]))) // as the Stream of that name would Fill it
		}
		if w.index {
			w.center[i] = int(b.Center[at])
			asInts(w.context[i*slots:][:slots], b.Context[at*slots:])
			asInts(w.negative[i*slots*m:][:slots*m], b.Negative[at*slots*m:])
		}
		if w.offsets {
			b.Offsets(w.offset[i*slots:][:slots], at)
		}
		if w.facts {
			w.know(&w.known[0], f.Degree, b, i, at)
			w.know(&w.known[1], f.Type, b, i, at)
		}
	}
	if perWindow > 0 {
		kernel.Gumbel(w.noise, w.noise)
	}
	if w.anchor != nil {
		w.anchor.fill(b, lo, hi)
	}
}

// SetStep sets the fraction of the training that is done, where anything reads it.
func (w *Windows) SetStep(fraction float64) {
	for i := range w.step {
		if !w.steps {
			return
		}
		w.step[i] = float32(fraction)
	}
}

// know sets what is known of the vertices of window at of a batch, the i-th here; zeros where nothing is.
func (w *Windows) know(dst *[3][]float32, known []float32, b *walks.Batch, i, at int) {
	if known == nil {
		return
	}
	slots, m := w.slots, w.negatives
	center := known[b.Center[at]]
	for c, v := range b.Context[at*slots:][:slots] {
		dst[0][i*slots+c], dst[1][i*slots+c] = center, known[v]
	}
	for j, v := range b.Negative[at*slots*m:][:slots*m] {
		dst[2][i*slots*m+j] = known[v]
	}
}

func asInts(dst []int, src []int32) {
	for i := range dst {
		dst[i] = int(src[i])
	}
}

// readBy sets which of the inputs Fill fills: those that a graph reads. Weights, bags and noise it always does.
func (w *Windows) readBy(reads func(n *G.Node) bool, in Inputs) {
	w.index = reads(in.Center) || reads(in.Context) || reads(in.Negative)
	w.offsets = reads(in.Offset)
	w.steps = reads(in.Step) || reads(in.StepOfWindow)
	w.facts = false
	for _, of := range []losses.Vertices{in.OfCenter, in.OfContext, in.OfNegative} {
		w.facts = w.facts || reads(of.Degree) || reads(of.Type)
	}
}
