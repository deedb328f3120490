package losses

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/op"
	G "gorgonia.org/gorgonia"
)

// Pair is the loss of each pair under each aspect, not reduced: pos (B,K) scores the observed contexts, neg (B,M,K) the
// negatives; the result is (B,K).
type Pair func(pos, neg *G.Node) (*G.Node, error)

// Pairs are the losses of pairs by name.
var Pairs = map[string]Pair{
	"skipgram": SkipGram,
}

// FindPair returns the loss of that name; the error for an unknown name lists the known ones.
func FindPair(name string) (Pair, error) { return op.Named("losses: loss", Pairs, name) }

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
	if p, n := pos.Shape(), neg.Shape(); p.Dims() != 2 || n.Dims() != 3 || n[0] != p[0] || n[2] != p[1] {
		return nil, fmt.Errorf("losses: SkipGram: pos %v, neg %v: want (B,K) and (B,M,K)", p, n)
	}
	defer op.Recover(&err, "losses: SkipGram")
	posTerm := G.Must(op.Softplus(G.Must(G.Neg(pos))))       // (B,K)
	negTerm := G.Must(op.SumAxis1(G.Must(op.Softplus(neg)))) // (B,M,K) -> (B,K)
	return G.Must(G.Add(posTerm, negTerm)), nil
}
