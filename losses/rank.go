package losses

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

// ScoreMargin returns by how much negatives come nearer than a margin to the observed context, in units of scores.
//
//	loss[b,k] = Σ_m max(0, margin - pos[b,k] + neg[b,m,k])
//
// pos (B,K), neg (B,M,K), margin >= 0 -> (B,K), not reduced. It returns an error if shapes or types disagree, or the margin is
// negative or no finite number. Where a context is above a negative by the margin there is neither loss nor gradient, so that
// scores stop growing.
//
// Source: Collobert et al., JMLR 2011, section 4; Bordes et al., NIPS 2013, Eq. (1), of inner products. Differs: none known.
func ScoreMargin(pos, neg *G.Node, margin float64) (loss *G.Node, err error) {
	if err := checkScores("ScoreMargin", pos, neg); err != nil {
		return nil, err
	}
	if !(margin >= 0 && margin <= math.MaxFloat32) { // so that NaN fails too
		return nil, fmt.Errorf("losses: ScoreMargin: margin = %v: expected a number, at least 0", margin)
	}
	defer op.Recover(&err, "losses: ScoreMargin")
	excess := G.Must(op.Shift(G.Must(op.Behind(neg, pos)), margin)) // (B,M,K)
	return G.Must(op.SumAxis1(G.Must(G.Rectify(excess)))), nil      // (B,K)
}

// InfoNCE returns the cross-entropy of telling the observed context from the negatives by their scores, in nats.
//
//	loss[b,k] = -log( e^(pos[b,k]/t) / (e^(pos[b,k]/t) + Σ_m e^(neg[b,m,k]/t)) )
//
// pos (B,K), neg (B,M,K), temperature t > 0 -> (B,K), not reduced. It returns an error if shapes or types disagree, or the
// temperature is not positive. Scores are inner products, not cosines: a temperature of 1 is usual, far below it gradients are
// large. Differences are taken before the exponential, so that no finite score overflows.
//
// Source: van den Oord et al., arXiv:1807.03748, Eq. (4). Differs: negatives are drawn as for skipgram, not from the batch.
func InfoNCE(pos, neg *G.Node, temperature float64) (loss *G.Node, err error) {
	if err := checkScores("InfoNCE", pos, neg); err != nil {
		return nil, err
	}
	if !(temperature > 0) || math.IsInf(temperature, 0) { // so that NaN fails too
		return nil, fmt.Errorf("losses: InfoNCE: temperature = %v: expected a number above 0", temperature)
	}
	defer op.Recover(&err, "losses: InfoNCE")
	behind := G.Must(op.Scale(G.Must(op.Behind(neg, pos)), 1/temperature)) // (B,M,K)
	return G.Must(op.LogOnePlusSum(behind)), nil                           // (B,K)
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
