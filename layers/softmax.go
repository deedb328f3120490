package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Selections.Add("softmax", Selection{Prob: func(c Choice, _ Values) (*G.Node, error) { return Softmax(c.Logits) }})
}

// Softmax returns soft aspect probabilities without noise.
//
//	prob[b] = softmax(logits[b])
//
// logits (B,K) -> (B,K), each row summing to 1. It returns an error for another shape.
//
// Source: Park et al., KDD 2020, arXiv:2006.04239, Eq. (3). Differs: none known. Note that aspects that are equal at the
// start get equal gradients and stay equal, so that this trains a single aspect after a warm-up that copies one
// embedding to all of them.
func Softmax(logits *G.Node) (*G.Node, error) {
	if logits.Dims() != 2 {
		return nil, fmt.Errorf("layers: Softmax: logits %v: expected (B,K)", logits.Shape())
	}
	return op.Softmax(logits)
}
