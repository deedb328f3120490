package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Readouts.Add("sum", Readout{Read: func(c Contexts, _ Values) (*G.Node, error) { return SumReadout(c.Rows, c.Weight) }})
}

// SumReadout returns the sum of the embeddings of the distinct vertices of each window, under each aspect, unitless.
//
//	out[w,k] = Σ_c [weight[w,c] > 0]·rows[w*C+c,k]
//
// rows (W*C,K,D), weight (W,C) as in Contexts -> (W,K,D). It returns an error if the shapes or types disagree. Logits grow with the
// number of contexts.
//
// Source: the authors' code, --pooling sum. Differs: none known.
func SumReadout(rows, weight *G.Node) (*G.Node, error) {
	ones, err := op.Positive(weight)
	if err != nil {
		return nil, fmt.Errorf("layers: SumReadout: %w", err)
	}
	sum, err := op.BagMean(rows, ones)
	if err != nil {
		return nil, fmt.Errorf("layers: SumReadout: %w", err)
	}
	return sum, nil
}
