package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/op"
	G "gorgonia.org/gorgonia"
)

// Readout sums up the context of each window, aspect by aspect.
type Readout struct {
	// Read returns (W,K,D) for rows (W*C,K,D) and weight (W,C), which says which slots take part: 1/|bag| at the first
	// occurrence of each distinct vertex of the window, where |bag| is their number, and 0 at repetitions and padding. It is
	// an input without gradient. Read returns an error if the shapes or types disagree.
	Read       func(rows, weight *G.Node, h Values) (*G.Node, error)
	Parameters []Parameter // whose values Read gets
}

// Declares returns the readout's hyperparameters.
func (r Readout) Declares() []Parameter { return r.Parameters }

// Readouts are the readouts by name.
var Readouts = map[string]Readout{
	"mean": {Read: func(rows, weight *G.Node, _ Values) (*G.Node, error) { return MeanReadout(rows, weight) }},
	"sum":  {Read: func(rows, weight *G.Node, _ Values) (*G.Node, error) { return SumReadout(rows, weight) }},
	"max":  {Read: func(rows, weight *G.Node, _ Values) (*G.Node, error) { return MaxReadout(rows, weight) }},
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

// SumReadout returns the sum of the embeddings of the distinct vertices of each window, under each aspect, unitless.
//
//	out[w,k] = Σ_c [weight[w,c] > 0]·rows[w*C+c,k]
//
// rows (W*C,K,D), weight (W,C) as in Readout -> (W,K,D). It returns an error if the shapes or types disagree. Logits grow with the
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

// MaxReadout returns the largest number in each place of the embeddings of the vertices of each window, under each aspect,
// unitless.
//
//	out[w,k,d] = max_c rows[w*C+c,k,d]   over c with weight[w,c] > 0
//
// rows (W*C,K,D), weight (W,C) as in Readout -> (W,K,D), 0 for a window of padding. It returns an error if the shapes or types
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
