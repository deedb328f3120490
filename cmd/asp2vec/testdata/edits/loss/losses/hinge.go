package losses

import (
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Pairs.Add("hinge", Pair{Loss: scoreHinge, Parameters: []Parameter{{Key: "pair-loss-gap", Help: "gap between scores", Default: 0.5, Max: 10}}})
}

// scoreHinge penalizes scores of contexts below 1, and scores of negatives above minus a gap:
//
//	loss[b,k] = max(0, 1 - pos[b,k]) + Σ_m max(0, gap + neg[b,m,k])
func scoreHinge(s State, h Values) (loss *G.Node, err error) {
	defer op.Recover(&err, "losses: scoreHinge")
	posTerm := G.Must(G.Rectify(G.Must(op.Shift(G.Must(G.Neg(s.Pos)), 1))))                           // (B,K)
	negTerm := G.Must(op.SumAxis1(G.Must(G.Rectify(G.Must(op.Shift(s.Neg, h.Of("pair-loss-gap"))))))) // (B,K)
	return G.Add(posTerm, negTerm)
}
