package losses

import (
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Pairs.Add("curriculum", Pair{Loss: curriculum, Parameters: []Parameter{{Key: "pair-loss-begin", Help: "weight of negatives at first", Default: 0.2, Max: 1}}})
}

// curriculum is the skip-gram loss, in which negatives count the more the longer training has lasted:
//
//	loss[b,k] = softplus(-pos[b,k]) + (begin + (1 - begin)·step[b]) Σ_m softplus(neg[b,m,k])
func curriculum(s State, h Values) (loss *G.Node, err error) {
	defer op.Recover(&err, "losses: curriculum")
	begin := h.Of("pair-loss-begin")
	weight := G.Must(op.Shift(G.Must(op.Scale(s.Step, 1-begin)), begin)) // (B)
	posTerm := G.Must(op.Softplus(G.Must(G.Neg(s.Pos))))                 // (B,K)
	negTerm := G.Must(op.SumAxis1(G.Must(op.Softplus(s.Neg))))           // (B,K)
	return G.Add(posTerm, G.Must(op.ScaleRows(negTerm, weight)))
}
