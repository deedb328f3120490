package losses

import (
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Pairs.Add("degree", Pair{Loss: byDegree, Parameters: []Parameter{{Key: "pair-loss-power", Help: "power of the degree", Default: 1, Max: 10}}})
}

// byDegree is the skip-gram loss, in which a context counts the less the more neighbours it has:
//
//	loss[b,k] = (1 + degree[b])^-power · skipgram[b,k]
func byDegree(s State, h Values) (loss *G.Node, err error) {
	defer op.Recover(&err, "losses: byDegree")
	log := G.Must(G.Log1p(s.Context.Degree))                                 // (B)
	weight := G.Must(G.Exp(G.Must(op.Scale(log, -h.Of("pair-loss-power"))))) // (B)
	return op.ScaleRows(G.Must(SkipGram(s.Pos, s.Neg)), weight)              // (B,K)
}
