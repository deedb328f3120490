package hetnet

import (
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// triples is the memory of B triples of a paper, an author of its own, or near it, and another author, each a place among the
// batch's. Triples beyond those of a batch are padding, which weighs nothing.
type triples struct {
	paper, own, other []int
	weight            []float32
}

// tripleNodes are triples in a graph: places (B) of integers, and the weight (B) of each.
type tripleNodes struct{ paper, own, other, weight *G.Node }

func newTriples(n int) *triples {
	return &triples{paper: make([]int, n), own: make([]int, n), other: make([]int, n), weight: make([]float32, n)}
}

func (t *triples) nodes(g *G.ExprGraph, dt tensor.Dtype, name string) tripleNodes {
	n := len(t.weight)
	return tripleNodes{
		paper: engine.IntNode(g, name+" papers", t.paper, n), own: engine.IntNode(g, name+" own authors", t.own, n),
		other: engine.IntNode(g, name+" other authors", t.other, n), weight: engine.FloatNode(g, dt, name+" weights", t.weight, n),
	}
}

func (t tripleNodes) list() []*G.Node { return []*G.Node{t.paper, t.own, t.other, t.weight} }

// fill sets the triples, by their places in a batch, and the weight of each to 1.
func (t *triples) fill(list []triple, batch *textBatch) {
	clear(t.paper)
	clear(t.own)
	clear(t.other)
	clear(t.weight)
	for i, x := range list {
		t.paper[i], t.own[i], t.other[i], t.weight[i] = batch.paper.of(x.paper), batch.placeOf(x.own, x.paper), batch.placeOf(x.other, x.paper), 1
	}
}

// camelLoss returns the loss of Camel without its decay, a scalar.
//
//	Σ max(0, |f_p-a_own|² - |f_p-a_other|² + margin)    over direct triples
//	+ weight · Σ [ -log σ(<f_p,a_own> + b) - log σ(-<f_p,a_other> - b) ]    over indirect ones
//
// papers f (P,D), authors a (R,D), bias b of one element. It returns an error if the shapes or types disagree.
//
// Source: Zhang et al., WWW 2018, and the code of Camel in TaPEm's repository. Differs: none known.
func camelLoss(papers, authors, bias *G.Node, direct, indirect tripleNodes, margin, weight float64) (loss *G.Node, err error) {
	defer op.Recover(&err, "hetnet: camelLoss")
	near := G.Must(marginLoss(papers, authors, direct, margin))
	f := G.Must(layers.Lookup(papers, indirect.paper)) // (C,D)
	score := func(index *G.Node) *G.Node {             // (C,1)
		a := G.Must(layers.Lookup(authors, index)) // (C,D)
		rows := G.Must(op.Reshape(a, a.Shape()[0], 1, a.Shape()[1]))
		return G.Must(op.AddRow(G.Must(layers.Scores(f, rows)), bias, 1))
	}
	pos, neg := score(indirect.own), score(indirect.other)
	each := G.Must(losses.SkipGram(pos, G.Must(op.Reshape(neg, neg.Shape()[0], 1, 1))))
	far := G.Must(losses.Weighted(each, indirect.weight))
	return G.Add(near, G.Must(op.Scale(far, weight)))
}

// marginLoss returns the sum of the margin loss of triples, a scalar.
func marginLoss(papers, authors *G.Node, t tripleNodes, margin float64) (loss *G.Node, err error) {
	defer op.Recover(&err, "hetnet: marginLoss")
	f := G.Must(layers.Lookup(papers, t.paper)) // (B,D)
	own, other := G.Must(layers.Lookup(authors, t.own)), G.Must(layers.Lookup(authors, t.other))
	return losses.Weighted(G.Must(losses.Margin(f, own, other, margin)), t.weight)
}
