package hetnet

import (
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
)

// HetInputs are the nodes of the loss of asp2vec-het, of one float type.
type HetInputs struct {
	P, Q  *G.Node // (F,D), (F,K,D): of authors, and venues where there are any, or whatever has vectors of its own; nil where nothing has
	Paper *G.Node // (U,D): the encoders' vectors, of the vertices F to F+U-1; nil where no vertex has contents
	Heads *G.Node // (K,D,D); nil where all aspects of a paper are its vector

	Authors, Papers engine.Inputs // windows around authors and around papers, or whatever else context and content tell the aspects of; nodes of the latter are nil where there are none
}

// Asp2vecHetLoss returns the loss of asp2vec-het on a batch of windows around authors and one around papers, a scalar in nats:
// the definition, which check looks at as a whole, amid the training, and hetPass trains term by term.
//
//	L = w L1(P', V) + L2(P', T) + λ reg(Q),   P' = P over f,   V = Q over (W_s f)_s,   T = (P + mean_s Q)/2 over f
//
// L1 is graphs.Asp2vecLoss, L2 graphs.DeepWalkLoss and λ reg graphs.AspectPenalty. w is the option author-weight,
// and with lambda-mean λ is weighted by F and K. It returns an error if shapes disagree or an option names no layer or loss.
//
// Source: Park et al., KDD 2020, section 4.4. Differs: see asp2vecHet.
func Asp2vecHetLoss(o graphs.Options, in HetInputs) (loss *G.Node, err error) {
	defer op.Recover(&err, "hetnet: Asp2vecHetLoss")
	centers := G.Must(over(in.P, in.Paper)) // P'
	d := centers.Shape()[1]
	ofPapers := in.Paper
	if in.Paper != nil {
		ofPapers = G.Must(aspectsOfPapers(in.Paper, in.Heads, o.Aspects))
	}
	aspects := G.Must(over(in.Q, ofPapers)) // V
	asp := pairOptions(o, graphs.MethodAsp2vec)
	loss = G.Must(graphs.Asp2vecLoss(asp, centers, aspects, in.Authors))
	if Own(o).AuthorWeight != 1 {
		loss = G.Must(op.Scale(loss, Own(o).AuthorWeight))
	}
	if in.Papers.Center != nil {
		contexts := in.Paper // (F+U,D)
		if in.P != nil {
			contexts = G.Must(op.Stack(G.Must(finalVectors(in.P, in.Q)), in.Paper))
		}
		contexts = G.Must(op.Reshape(contexts, contexts.Shape()[0], 1, d)) // T
		flat := pairOptions(o, graphs.MethodDeepWalk)
		loss = G.Must(G.Add(loss, G.Must(graphs.DeepWalkLoss(flat, centers, contexts, in.Papers))))
	}
	if in.Q == nil || o.Lambda == 0 || o.Aspects == 1 || losses.Regularizers.Get(o.Regularizer).Table == nil {
		return loss, nil
	}
	return G.Add(loss, G.Must(graphs.AspectPenalty(asp, engine.AspectsAt(in.Q, graphs.SampleStep), in.Q.Shape()[0])))
}

// over returns the rows of one table over those of another; nil has none.
func over(x, y *G.Node) (*G.Node, error) {
	switch {
	case x == nil:
		return y, nil
	case y == nil:
		return x, nil
	}
	return op.Stack(x, y)
}

// finalVectors returns T (F,D) = (P + mean_s Q)/2 of authors, p (F,D) and q (F,K,D): their final vectors.
func finalVectors(p, q *G.Node) (t *G.Node, err error) {
	defer op.Recover(&err, "hetnet: final vectors")
	mean := G.Must(op.Scale(G.Must(op.SumAxis1(q)), 1/float64(q.Shape()[1])))
	return op.Scale(G.Must(G.Add(p, mean)), 0.5)
}

// aspectsOfPapers returns V (U,K,D) of papers with vectors f (U,D): W_s f under aspect s, or f without heads.
func aspectsOfPapers(f, heads *G.Node, k int) (v *G.Node, err error) {
	defer op.Recover(&err, "hetnet: aspects of papers")
	u, d := f.Shape()[0], f.Shape()[1]
	if heads == nil {
		v = G.Must(op.Repeat(f, k)) // (U·K,D)
	} else {
		rows := G.Must(op.Reshape(heads, k*d, d)) // W_1 over W_2 and so on
		v = G.Must(op.Linear(f, rows, nil))       // (U,K·D)
	}
	return op.Reshape(v, u, k, d)
}

// hetGraph is Asp2vecHetLoss over P, Q and, where there are any, the heads; byContent says whether there are windows around
// vertices whose contents tell their aspect.
func hetGraph(o graphs.Options, byContent bool, learnt ...*engine.Table) *windowGraph {
	kinds := []windowKind{{"authors ", pairOptions(o, graphs.MethodAsp2vec), o.Aspects}}
	if byContent {
		kinds = append(kinds, windowKind{"papers ", pairOptions(o, graphs.MethodDeepWalk), 1})
	}
	return &windowGraph{
		learnt: learnt, kinds: kinds,
		define: func(learnt []*G.Node, paper *G.Node, in []engine.Inputs) (*G.Node, error) {
			nodes := HetInputs{Paper: paper, Authors: in[0]}
			if learnt[0] != nil {
				nodes.P, nodes.Q = learnt[0], learnt[1]
			}
			if byContent {
				nodes.Papers = in[1]
			}
			if len(learnt) > 2 {
				nodes.Heads = learnt[2]
			}
			return Asp2vecHetLoss(o, nodes)
		},
	}
}
