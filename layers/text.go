package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

// WordSum returns texts as weighted sums of the vectors of their words, which are constant; the weights of the words are learnt.
//
//	out[b] = Σ_l share[b,l]·weight[index[b,l]]·words[index[b,l]]
//
// index (B,L) of integers in [0,V), share (B,L), 0 at places beyond a text's words, weight (V), words (V,W) -> (B,W). Shares and vectors get
// no gradient. Uses up to threads goroutines, whose number does not change the result. It returns an error if the shapes or types disagree;
// an index outside the vocabulary is an error of the run.
//
// Source: the weighted sum of Arora et al., ICLR 2017, Algorithm 1, with weights that are parameters. Differs: no common direction is taken
// away.
func WordSum(index, share, weight, words *G.Node, threads int) (*G.Node, error) {
	sum, err := op.WordSum(index, share, weight, words, threads)
	if err != nil {
		return nil, fmt.Errorf("layers: WordSum: %w", err)
	}
	return sum, nil
}

// Unit returns each row divided by its length, so that inner products are cosines. A row of zeros stays one.
//
// x (B,D) -> (B,D). It returns an error for another shape.
func Unit(x *G.Node) (*G.Node, error) {
	y, err := op.Unit(x)
	if err != nil {
		return nil, fmt.Errorf("layers: Unit: %w", err)
	}
	return y, nil
}
