package losses

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Regularizers.Add("entropy", Regularizer{Batch: func(s State, _ Values) (*G.Node, error) { return AspectEntropy(s.Prob, s.Weight) }})
}

// AspectEntropy returns the mean entropy of the aspect probabilities of a batch's pairs; a scalar, in nats, from 0 where each
// pair has one aspect to log K.
//
//	-Σ_b weight[b] Σ_k prob[b,k] log prob[b,k]
//
// prob (B,K), weight (B) as for AspectWeighted -> scalar. It returns an error if the shapes or types disagree. Of probabilities
// below 1e-12 the logarithm is that of 1e-12. It is the lower the more decidedly each pair has an aspect.
//
// Source: entropy minimisation, Grandvalet and Bengio, NIPS 2004, section 2.2. Differs: none known.
func AspectEntropy(prob, weight *G.Node) (penalty *G.Node, err error) {
	p, w := prob.Shape(), weight.Shape()
	if p.Dims() != 2 || w.Dims() != 1 || w[0] != p[0] {
		return nil, fmt.Errorf("losses: AspectEntropy: prob %v, weight %v: expected (B,K) and (B)", p, w)
	}
	defer op.Recover(&err, "losses: AspectEntropy")
	return G.Must(op.WeightedTotal(G.Must(op.Entropy(prob)), weight)), nil
}
