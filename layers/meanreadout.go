package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Readouts.Add("mean", Readout{Read: func(c Contexts, _ Values) (*G.Node, error) { return MeanReadout(c.Rows, c.Weight) }})
}

// MeanReadout returns the mean embedding of the distinct vertices of each window, under each aspect, unitless.
//
//	out[w,k] = Σ_c weight[w,c]·rows[w*C+c,k]
//
// rows (W*C,K,D), weight (W,C) as in Contexts -> (W,K,D). It returns an error if the shapes or types disagree.
//
// Source: Park et al., KDD 2020, arXiv:2006.04239, Eq. (9). Differs: the paper does not say whether a vertex that occurs
// twice in a window counts twice; here, as in the authors' code, once.
func MeanReadout(rows, weight *G.Node) (*G.Node, error) {
	mean, err := op.BagMean(rows, weight)
	if err != nil {
		return nil, fmt.Errorf("layers: MeanReadout: %w", err)
	}
	return mean, nil
}
