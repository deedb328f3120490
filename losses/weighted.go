package losses

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

// AspectWeighted returns the loss of a batch: that of each pair under each aspect, weighted by the probability of the
// aspect; a scalar, in nats.
//
//	Σ_b weight[b]·(1/K)·Σ_k prob[b,k]·loss[b,k]
//
// loss, prob (B,K), weight (B): 1/(pairs of the batch) for a pair and 0 for padding, without gradient -> scalar. It returns an
// error if the shapes or types disagree. The sum is kept in float64.
//
// Source: Park et al., KDD 2020, arXiv:2006.04239, Eqs. (2) and (8). Differs: the paper sums over pairs; here, as in the
// authors' code, the mean is taken over all B·K entries, which is 1/K of the mean over pairs. It sets the weight of the
// loss against the regularizer, which is a sum.
func AspectWeighted(loss, prob, weight *G.Node) (total *G.Node, err error) {
	l, p, w := loss.Shape(), prob.Shape(), weight.Shape()
	if l.Dims() != 2 || !p.Eq(l) || w.Dims() != 1 || w[0] != l[0] {
		return nil, fmt.Errorf("losses: AspectWeighted: loss %v, prob %v, weight %v: expected (B,K), (B,K) and (B)", l, p, w)
	}
	defer op.Recover(&err, "losses: AspectWeighted")
	sum := G.Must(op.WeightedTotal(G.Must(G.HadamardProd(prob, loss)), weight))
	return G.Must(op.Scale(sum, 1/float64(l[1]))), nil
}

// Weighted returns the loss of a batch without aspects, as DeepWalk has it; a scalar, in nats.
//
//	Σ_b weight[b]·loss[b]
//
// loss (B,1), weight (B) as for AspectWeighted, to which it is equal for K = 1 -> scalar. It returns an error if the shapes or types
// disagree. The sum is kept in float64.
//
// Source: Perozzi et al., KDD 2014; Park et al., KDD 2020, arXiv:2006.04239, Eq. (1). Differs: a mean over pairs instead of
// a sum, as in the code of asp2vec's authors.
func Weighted(loss, weight *G.Node) (*G.Node, error) {
	if l, w := loss.Shape(), weight.Shape(); l.Dims() != 2 || l[1] != 1 || w.Dims() != 1 || w[0] != l[0] {
		return nil, fmt.Errorf("losses: Weighted: loss %v, weight %v: expected (B,1) and (B)", l, w)
	}
	return op.WeightedTotal(loss, weight)
}
