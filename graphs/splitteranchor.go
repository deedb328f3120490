package graphs

import (
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// anchor is the constraint of Splitter: frozen vectors that the centres are tied to, each to that of its owner.
type anchor struct {
	base   *Table  // (N,1,D)
	owner  []int32 // of each centre, a row of base
	lambda float64
}

// anchorInputs is the memory that the anchor's inputs of a graph are bound to, for a chunk of windows.
type anchorInputs struct {
	*anchor
	positive, negative, weight []float32
}

func newAnchorInputs(a *anchor, windows, negatives int) *anchorInputs {
	d := a.base.Width()
	return &anchorInputs{a, make([]float32, windows*d), make([]float32, windows*negatives*d), make([]float32, windows)}
}

// nodes adds the inputs to a graph.
func (a *anchorInputs) nodes(g *G.ExprGraph, dt tensor.Dtype, in *Inputs) {
	d, w := a.base.Width(), len(a.weight)
	in.Anchor = FloatNode(g, dt, "anchor", a.positive, w, 1, d)
	in.AnchorNegative = FloatNode(g, dt, "anchor negative", a.negative, len(a.negative)/d, 1, d)
	in.AnchorWeight = FloatNode(g, dt, "anchor weight", a.weight, w)
}

// fill copies what windows lo to hi-1 of a batch are tied to; windows beyond weigh nothing.
func (a *anchorInputs) fill(b *walks.Batch, lo, hi int) {
	clear(a.weight)
	d, m := a.base.Width(), b.Negatives
	for w := lo; w < hi; w++ {
		i := w - lo
		copy(a.positive[i*d:][:d], a.base.Row(int(a.owner[b.Center[w]])))
		for j, v := range b.Negative[(w*b.Slots+int(b.First[w]))*m:][:m] { // of the window's first pair
			copy(a.negative[(i*m+j)*d:][:d], a.base.Row(int(a.owner[v])))
		}
		a.weight[i] = float32(a.lambda) * float32(b.Last[w]-b.First[w]) / float32(b.Pairs)
	}
}

// sampleAnchor returns an anchor for the network on which gradients are checked, if the method has one:
// two centres for each owner.
func sampleAnchor(o Options) *anchor {
	if !o.Is(MethodSplitter) {
		return nil
	}
	a := &anchor{base: NewTable("base", sampleVertices/2, 1, o.Dim), owner: make([]int32, sampleVertices), lambda: max(o.Lambda, 0.1)}
	a.base.InitNormal(o.Seed, 0.5)
	for v := range a.owner {
		a.owner[v] = int32(v / 2)
	}
	return a
}
