package hetnet

import (
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// wordCounts is the memory of B texts in a graph: the places of their words, up to L distinct ones, and 1 + log of how often a text has
// each; 0 for padding.
type wordCounts struct {
	texts, length int
	index         []int
	share         []float32
}

func newWordCounts(texts, length int) *wordCounts {
	return &wordCounts{texts, length, make([]int, texts*length), make([]float32, texts*length)}
}

// wordNodes are texts in a graph.
type wordNodes struct{ index, share *G.Node }

func (c *wordCounts) nodes(g *G.ExprGraph, dt tensor.Dtype) wordNodes {
	return wordNodes{graphs.IntNode(g, "words", c.index, c.texts, c.length), graphs.FloatNode(g, dt, "shares", c.share, c.texts, c.length)}
}

// fill sets text i, which has at most L distinct words.
func (c *wordCounts) fill(i int, t encode.Counted) {
	index, share := c.index[i*c.length:][:c.length], c.share[i*c.length:][:c.length]
	for j, w := range t.Words {
		index[j] = int(w)
	}
	clear(share[copy(share, t.Shares):])
}

// textDirections returns texts as unit vectors (B,W), the sums of their words' vectors: x of prototype.
func textDirections(in wordNodes, weights, words *G.Node, threads int) (x *G.Node, err error) {
	defer op.Recover(&err, "hetnet: textDirections")
	return layers.Unit(G.Must(layers.WordSum(in.index, in.share, weights, words, threads)))
}

// mapped returns vectors (B,W) times a matrix (D,W), of length 1.
func mapped(x, matrix *G.Node) (y *G.Node, err error) {
	defer op.Recover(&err, "hetnet: mapped")
	return layers.Unit(G.Must(layers.Linear(x, matrix, nil)))
}

// prototypeInputs are the inputs of prototypeLoss for a batch of B pairs of a paper and an author of it, and M other authors.
type prototypeInputs struct {
	papers                wordNodes
	own, ownPapers        *G.Node // (B,W): the sum of the other papers' vectors of the author, and (B,1): log of their number plus 1
	others, othersPapers  *G.Node // (M,W) and (M,1): the same for other authors, with all papers
	ownWords, othersWords *G.Node // (B,1), (B·M,1): cosines of a paper's words with those of the author, without the paper, and of the others
	excluded              *G.Node // (B,M): 0, or far below any score for an other author who wrote the paper too
	weight                *G.Node // (B): 1/B, 0 for padding
}

func (in prototypeInputs) list() []*G.Node {
	return []*G.Node{in.papers.index, in.papers.share, in.own, in.ownPapers, in.others, in.othersPapers, in.ownWords, in.othersWords, in.excluded, in.weight}
}

// prototypeLoss returns the loss of a batch, a scalar: that of telling a paper's author, without the paper, from others by score,
// see prototype. words (V,W); params are weights (V), matrix (D,W), bias (1,1) and κ (1,1). The options' pair-loss compares scores. It returns an error for an unknown
// one, and if shapes or types disagree.
func prototypeLoss(o graphs.Options, words *G.Node, params []*G.Node, in prototypeInputs, threads int) (loss *G.Node, err error) {
	defer op.Recover(&err, "hetnet: prototypeLoss")
	weights, matrix, bias, kappa := params[0], params[1], params[2], params[3]
	f := G.Must(mapped(G.Must(textDirections(in.papers, weights, words, threads)), matrix)) // (B,D)
	own, others := G.Must(mapped(in.own, matrix)), G.Must(mapped(in.others, matrix))        // (B,D), (M,D)
	b, d, m := f.Shape()[0], f.Shape()[1], others.Shape()[0]
	pos := G.Must(layers.Scores(f, G.Must(op.Reshape(own, b, 1, d)))) // (B,1)
	pos = G.Must(G.Add(pos, G.Must(layers.Linear(in.ownPapers, bias, nil))))
	pos = G.Must(G.Add(pos, G.Must(layers.Linear(in.ownWords, kappa, nil))))
	known := G.Must(op.Reshape(G.Must(layers.Linear(in.othersPapers, bias, nil)), m)) // (M)
	neg := G.Must(layers.Linear(f, others, known))                                    // (B,M)
	neg = G.Must(G.Add(neg, G.Must(op.Reshape(G.Must(layers.Linear(in.othersWords, kappa, nil)), b, m))))
	neg = G.Must(op.Reshape(G.Must(G.Add(neg, in.excluded)), b, m, 1))
	return losses.Weighted(G.Must(graphs.PairLoss(o, losses.State{Pos: pos, Neg: neg, Weight: in.weight})), in.weight)
}
