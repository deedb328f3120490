package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Selections.Add("gumbel", Selection{
		Prob:  func(c Choice, h Values) (*G.Node, error) { return Gumbel(c.Logits, c.Noise, h.Of("tau")) },
		Noise: true, Parameters: []Parameter{tau},
	})
}

// Gumbel returns soft aspect probabilities, near to a sample of one aspect when tau is small.
//
//	prob[b] = softmax((logits[b] + noise[b]) / tau)
//
// logits, noise (B,K), tau > 0 -> (B,K), each row summing to 1. It returns an error if the shapes or types disagree, or
// tau is not positive. The row's maximum is subtracted before the exponential, so that no finite input overflows.
//
// Source: Park et al., KDD 2020, arXiv:2006.04239, Eq. (7). Differs: the logit is the inner product itself, where Eq. (7)
// prints its logarithm. With the probabilities of Eq. (3) that is the same up to a constant that cancels, while the
// logarithm does not exist for the many negative inner products; the authors' code does as we do.
func Gumbel(logits, noise *G.Node, tau float64) (prob *G.Node, err error) {
	if noise == nil || logits.Dims() != 2 || !noise.Shape().Eq(logits.Shape()) {
		return nil, fmt.Errorf("layers: Gumbel: logits %v, noise %v: expected (B,K) both", logits.Shape(), shapeOf(noise))
	}
	if !(tau > 0) { // so that NaN fails too
		return nil, fmt.Errorf("layers: Gumbel: tau = %v: expected > 0", tau)
	}
	defer op.Recover(&err, "layers: Gumbel")
	noisy := G.Must(G.Add(logits, noise))
	return G.Must(op.Softmax(G.Must(op.Scale(noisy, 1/tau)))), nil
}

func shapeOf(n *G.Node) any {
	if n == nil {
		return "none"
	}
	return n.Shape()
}
