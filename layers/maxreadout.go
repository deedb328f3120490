package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Readouts.Add("max", Readout{Read: func(c Contexts, _ Values) (*G.Node, error) { return MaxReadout(c.Rows, c.Weight) }})
}

// MaxReadout returns the largest number in each place of the embeddings of the vertices of each window, under each aspect,
// unitless.
//
//	out[w,k,d] = max_c rows[w*C+c,k,d]   over c with weight[w,c] > 0
//
// rows (W*C,K,D), weight (W,C) as in Contexts -> (W,K,D), 0 for a window of padding. It returns an error if the shapes or types
// disagree. The gradient goes to the largest, of equal ones to the first.
//
// Source: the authors' code, --pooling max. Differs: none known.
func MaxReadout(rows, weight *G.Node) (*G.Node, error) {
	largest, err := op.BagMax(rows, weight)
	if err != nil {
		return nil, fmt.Errorf("layers: MaxReadout: %w", err)
	}
	return largest, nil
}
