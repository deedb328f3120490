package losses

import (
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Pairs.Add("bpr", Pair{Loss: func(s State, _ Values) (*G.Node, error) { return BPR(s.Pos, s.Neg) }})
}

// BPR returns how unlikely it is, summed over the negatives, that the observed context ranks above each of them; in nats.
//
//	loss[b,k] = Σ_m -log σ(pos[b,k] - neg[b,m,k]) = Σ_m softplus(neg[b,m,k] - pos[b,k])
//
// pos (B,K), neg (B,M,K) -> (B,K), not reduced. It returns an error if shapes or types disagree. Each negative makes a triple of its
// own: with several of them this is no InfoNCE, whose softmax shares its probability among them.
//
// Source: Rendle et al., UAI 2009, section 4.1, BPR-Opt. Differs: the weight of the parameters' squares is the option l2, not part of
// the loss.
func BPR(pos, neg *G.Node) (loss *G.Node, err error) {
	if err := checkScores("BPR", pos, neg); err != nil {
		return nil, err
	}
	defer op.Recover(&err, "losses: BPR")
	return op.SumAxis1(G.Must(op.Softplus(G.Must(op.Behind(neg, pos))))) // (B,M,K) -> (B,K)
}
