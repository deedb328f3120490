package losses

import (
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Pairs.Add("skipgram", Pair{Loss: func(s State, _ Values) (*G.Node, error) { return SkipGram(s.Pos, s.Neg) }})
}

// SkipGram returns the negative-sampling loss of each pair under each aspect, in nats.
//
//	loss[b,k] = softplus(-pos[b,k]) + Σ_m softplus(neg[b,m,k])
//
// pos (B,K), neg (B,M,K) -> (B,K), not reduced: asp2vec weights it by aspect probability first, and DeepWalk is K = 1.
// It returns an error if the shapes or types disagree. softplus(x) is -log σ(-x), and stays finite for large |x|.
//
// Source: Mikolov et al., NIPS 2013, Eq. (4), in place of the logarithm of the softmax in Park et al., KDD 2020,
// arXiv:2006.04239, Eqs. (1) and (2). Differs: the paper writes the softmax over all vertices; the authors' code samples
// negatives, as here.
func SkipGram(pos, neg *G.Node) (loss *G.Node, err error) {
	if err := checkScores("SkipGram", pos, neg); err != nil {
		return nil, err
	}
	defer op.Recover(&err, "losses: SkipGram")
	posTerm := G.Must(op.Softplus(G.Must(G.Neg(pos))))       // (B,K)
	negTerm := G.Must(op.SumAxis1(G.Must(op.Softplus(neg)))) // (B,M,K) -> (B,K)
	return G.Must(G.Add(posTerm, negTerm)), nil
}
