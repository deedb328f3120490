package losses

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Pairs.Add("infonce", Pair{
		Loss: func(s State, h Values) (*G.Node, error) {
			return InfoNCE(s.Pos, s.Neg, h.Of("pair-loss-temperature"))
		},
		Parameters: []Parameter{{Key: "pair-loss-temperature", Help: "temperature that scores are divided by", Default: 1, Min: 1e-6, Max: math.Inf(1)}},
	})
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
