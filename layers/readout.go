package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

// Readout sums up the context of each window, aspect by aspect.
type Readout struct {
	// Read returns (W,K,D) for what is known of the windows. It returns an error if the shapes or types disagree.
	Read       func(c Contexts, h Values) (*G.Node, error)
	Parameters []Parameter // whose values Read gets
}

// Contexts are the contexts of W windows, C slots each.
type Contexts struct {
	Rows   *G.Node // (W*C,K,D): aspect vectors
	Weight *G.Node // (W,C): 1/|bag| at the first slot of each of the |bag| distinct vertices of a window; 0 at repetitions and padding. No gradient
	Offset *G.Node // (W,C): steps of the walk from the centre to the slot, below 0 before it; 0 for padding. No gradient
}

// Declares returns the readout's hyperparameters.
func (r Readout) Declares() []Parameter { return option.Numbers(r.Parameters) }

// Readouts are the readouts by name.
var Readouts = map[string]Readout{
	"mean": {Read: func(c Contexts, _ Values) (*G.Node, error) { return MeanReadout(c.Rows, c.Weight) }},
	"sum":  {Read: func(c Contexts, _ Values) (*G.Node, error) { return SumReadout(c.Rows, c.Weight) }},
	"max":  {Read: func(c Contexts, _ Values) (*G.Node, error) { return MaxReadout(c.Rows, c.Weight) }},
}

// FindReadout returns the readout of that name; the error for an unknown name lists the known ones.
func FindReadout(name string) (Readout, error) { return op.Named("layers: readout", Readouts, name) }

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
