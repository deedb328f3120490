package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Selections.Add("hard", Selection{
		Prob:  func(c Choice, h Values) (*G.Node, error) { return Hard(c.Logits, c.Noise, h.Of("tau")) },
		Noise: true, StraightThrough: true, Parameters: []Parameter{tau},
	})
}

// Hard returns one aspect: 1 at the largest probability of Gumbel, 0 elsewhere, with the gradient of Gumbel.
//
//	prob[b] = onehot(argmax softmax((logits[b] + noise[b]) / tau))
//
// logits, noise (B,K), tau > 0 -> (B,K). It returns the errors of Gumbel. Of equal maxima the first is taken. The gradient is not that of the result,
// which is 0 almost everywhere.
//
// Source: the straight-through estimator, an option of the authors' code; Park et al., KDD 2020, arXiv:2006.04239, Eq. (4)
// forward and Eq. (7) backward. Differs: none known.
func Hard(logits, noise *G.Node, tau float64) (*G.Node, error) {
	soft, err := Gumbel(logits, noise, tau)
	if err != nil {
		return nil, fmt.Errorf("layers: Hard: %w", err)
	}
	return op.StraightThrough(soft)
}
