package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

// Scores returns the inner product of each row with the center of its window, under each aspect; a logit.
//
//	out[r,k] = <center[w], rows[r,k]>    w = r / (R/W)
//
// center (W,D), rows (R,K,D) where each window has the same number R/W of rows, in order -> (R,K). Rows are contexts
// (R = W*C), negatives (R = W*C*M) or readouts (R = W). It returns an error if the shapes or types disagree.
//
// Source: Park et al., KDD 2020, arXiv:2006.04239: the inner products of Eqs. (1)-(3). Differs: none known.
func Scores(center, rows *G.Node) (*G.Node, error) {
	s, err := op.RowDots(center, rows)
	if err != nil {
		return nil, fmt.Errorf("layers: Scores: %w", err)
	}
	return s, nil
}

// Expand repeats what is known for a window for each of its pairs: out[w*times+c] = x[w], c < times.
//
// x (W,K) and times = C, at least 1 -> (B,K). It returns an error for another shape, or times < 1.
//
// Source: the authors' code draws Gumbel noise for each pair, and so needs the logits of a window C times; drawing it for
// each window, as Eq. (7) has it, expands the probabilities instead. Differs: none known.
func Expand(x *G.Node, times int) (*G.Node, error) {
	if x.Dims() != 2 {
		return nil, fmt.Errorf("layers: Expand: x %v: expected (W,K)", x.Shape())
	}
	e, err := op.Repeat(x, times)
	if err != nil {
		return nil, fmt.Errorf("layers: Expand: %w", err)
	}
	return e, nil
}
