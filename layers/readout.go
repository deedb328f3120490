package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/op"
	G "gorgonia.org/gorgonia"
)

// Readout sums up the context of each window, aspect by aspect: rows (W*C,K,D) and weight (W,C) -> (W,K,D).
//
// weight says which slots take part: 1/|bag| at the first occurrence of each distinct vertex of the window, where |bag| is
// their number, and 0 at repetitions and padding. It is an input without gradient.
type Readout func(rows, weight *G.Node) (*G.Node, error)

// Readouts are the readouts by name.
var Readouts = map[string]Readout{
	"mean": MeanReadout,
}

// FindReadout returns the readout of that name; the error for an unknown name lists the known ones.
func FindReadout(name string) (Readout, error) { return op.Named("layers: readout", Readouts, name) }

// MeanReadout returns the mean embedding of the distinct vertices of each window, under each aspect, unitless.
//
//	out[w,k] = Σ_c weight[w,c]·rows[w*C+c,k]
//
// rows (W*C,K,D), weight (W,C) as in Readout -> (W,K,D). It returns an error if the shapes or types disagree.
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
