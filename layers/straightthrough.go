package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Selections.Add("straight-through", Selection{Prob: func(c Choice, _ Values) (*G.Node, error) { return StraightThrough(c.Logits) }, StraightThrough: true})
}

// StraightThrough returns one aspect, without noise: 1 at the largest probability of Softmax, 0 elsewhere, with the gradient of
// Softmax. Hard is the same under Gumbel noise.
//
//	prob[b] = onehot(argmax softmax(logits[b]))
//
// logits (B,K) -> (B,K). Of equal maxima the first is taken: aspects that begin as one embedding are all the first, which alone
// learns of pairs, until the gradient of the choice parts them. It returns an error for another shape. The gradient is not that
// of the result, which is 0 almost everywhere.
//
// Source: Bengio, Leonard, Courville, arXiv:1308.3432, section 3, of a softmax. Differs: the gradient is that of the soft
// probabilities, not the identity, as is usual.
func StraightThrough(logits *G.Node) (*G.Node, error) {
	soft, err := Softmax(logits)
	if err != nil {
		return nil, fmt.Errorf("layers: StraightThrough: %w", err)
	}
	return op.StraightThrough(soft)
}
