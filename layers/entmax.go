package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Selections.Add("entmax15", Selection{Prob: func(c Choice, _ Values) (*G.Node, error) { return Entmax15(c.Logits) }})
}

// Entmax15 returns sparse aspect probabilities: between Softmax and one aspect, with exact zeros.
//
//	prob[b] = argmax_p <p, logits[b]> + H(p),   H(p) = Σ_k (p[k] - p[k]^1.5)/(1.5·.5)
//
// logits (B,K) -> (B,K), each row summing to 1; aspects whose logit is 2 or more below the largest have 0. It returns an error for
// another shape. The gradient is exact (see op.Entmax15), and 0 for aspects of probability 0.
//
// Source: Peters, Niculae, Martins, ACL 2019, arXiv:1905.05702, Eqs. (5) and (10) with alpha = 1.5. Differs: none known.
func Entmax15(logits *G.Node) (*G.Node, error) {
	if logits.Dims() != 2 {
		return nil, fmt.Errorf("layers: Entmax15: logits %v: expected (B,K)", logits.Shape())
	}
	return op.Entmax15(logits)
}
