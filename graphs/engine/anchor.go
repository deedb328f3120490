package engine

import (
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Anchor is the constraint of Splitter: frozen vectors that the centres are tied to, each to that of its owner.
type Anchor struct {
	Base   *Table  // (N,1,D)
	Owner  []int32 // of each centre, a row of Base
	Lambda float64 // weight of the constraint
}

// anchorInputs is the memory that the anchor's inputs of a graph are bound to, for a chunk of windows.
type anchorInputs struct {
	*Anchor
	positive, negative, weight []float32
}

func newAnchorInputs(a *Anchor, windows, negatives int) *anchorInputs {
	d := a.Base.Width()
	return &anchorInputs{a, make([]float32, windows*d), make([]float32, windows*negatives*d), make([]float32, windows)}
}

// nodes adds the inputs to a graph.
func (a *anchorInputs) nodes(g *G.ExprGraph, dt tensor.Dtype, in *Inputs) {
	d, w := a.Base.Width(), len(a.weight)
	in.Anchor = FloatNode(g, dt, "anchor", a.positive, w, 1, d)
	in.AnchorNegative = FloatNode(g, dt, "anchor negative", a.negative, len(a.negative)/d, 1, d)
	in.AnchorWeight = FloatNode(g, dt, "anchor weight", a.weight, w)
}

// fill copies what windows lo to hi-1 of a batch are tied to; windows beyond weigh nothing.
func (a *anchorInputs) fill(b *walks.Batch, lo, hi int) {
	clear(a.weight)
	d, m := a.Base.Width(), b.Negatives
	for w := lo; w < hi; w++ {
		i := w - lo
		copy(a.positive[i*d:][:d], a.Base.Row(int(a.Owner[b.Center[w]])))
		for j, v := range b.Negative[(w*b.Slots+int(b.First[w]))*m:][:m] { // of the window's first pair
			copy(a.negative[(i*m+j)*d:][:d], a.Base.Row(int(a.Owner[v])))
		}
		a.weight[i] = float32(a.Lambda) * float32(b.Last[w]-b.First[w]) / float32(b.Pairs)
	}
}
