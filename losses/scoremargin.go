package losses

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Pairs.Add("margin", Pair{
		Loss: func(s State, h Values) (*G.Node, error) {
			return ScoreMargin(s.Pos, s.Neg, h.Of("pair-loss-margin"))
		},
		Parameters: []Parameter{{Key: "pair-loss-margin", Help: "margin by which a context should score above a negative", Default: 1, Max: math.Inf(1)}},
	})
}

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
