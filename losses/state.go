package losses

import G "gorgonia.org/gorgonia"

// State is what a loss of pairs, or a regularizer, gets of a batch of B pairs: nodes to read, none to keep. docs/change.md says what each is
// good for, with an example that reads what is known of vertices.
type State struct {
	Pos, Neg     *G.Node // (B,K), (B,M,K): scores of the observed contexts, and of their M negatives; inner products
	Logits, Prob *G.Node // (B,K) of the aspects: inner products, before noise; and probabilities, each row summing to 1. Nil without aspects
	Weight       *G.Node // (B): 1/(pairs of the batch), 0 for padding; no gradient

	Step *G.Node // (B): the fraction of the training that is done, from 0 at the first step of a stage to 1, for each pair the same; no gradient

	Learned map[string]*G.Node // (B,Width) by key: the rows of the centres in the tables that the loss of pairs learns

	// Known of the pairs, without gradient; nil where pairs are not those of walks, as in Splitter's constraint.
	Offset                    *G.Node  // (B): steps of the walk from the centre to the context, below 0 before it
	Center, Context, Negative Vertices // (B), (B) and (B,M)
}

// Vertices are what is known of the vertices of pairs.
type Vertices struct {
	Degree *G.Node // how many neighbours each has in what is trained on: of a directed network those that its links lead to
	Type   *G.Node // its type, as a place among the types of the network; 0 where there is one
}
