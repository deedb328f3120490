package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

// Linear returns x wᵀ + bias, with the weights as PyTorch holds them.
//
// x (B,I), w (O,I), bias (O), or nil for none -> (B,O). It returns an error if the shapes or types disagree.
//
// Source: PyTorch, nn.Linear. Differs: none known.
func Linear(x, w, bias *G.Node) (*G.Node, error) {
	y, err := op.Linear(x, w, bias)
	if err != nil {
		return nil, fmt.Errorf("layers: Linear: %w", err)
	}
	return y, nil
}

// layerNormEps is what keeps a row of equal numbers from a division by zero, as in PyTorch.
const layerNormEps = 1e-5

// LayerNorm returns each row with mean 0 and variance 1, times gain and plus bias.
//
//	out[b] = gain ∘ (x[b] - mean) / √(variance + 1e-5) + bias
//
// x (B,D), gain and bias (D) -> (B,D). It returns an error if the shapes or types disagree.
//
// Source: Ba et al., 2016, arXiv:1607.06450, Eq. (4); PyTorch, nn.LayerNorm. Differs: none known.
func LayerNorm(x, gain, bias *G.Node) (*G.Node, error) {
	y, err := op.LayerNorm(x, gain, bias, layerNormEps)
	if err != nil {
		return nil, fmt.Errorf("layers: LayerNorm: %w", err)
	}
	return y, nil
}

// Dropout returns x with some of its numbers left out and the others scaled up, by a mask that the caller draws: an input, so that
// a step can be replayed.
//
//	out = x ∘ mask
//
// x (B,D), mask (B,D) of 0 with the probability p in [0,1) and else 1/(1-p) -> (B,D). It returns an error if the shapes or types
// disagree.
//
// Source: Srivastava et al., JMLR 2014; PyTorch, nn.Dropout. Differs: none known.
func Dropout(x, mask *G.Node) (*G.Node, error) {
	if x.Dims() != 2 || !x.Shape().Eq(mask.Shape()) {
		return nil, fmt.Errorf("layers: Dropout: x %v, mask %v: expected (B,D) both", x.Shape(), mask.Shape())
	}
	y, err := G.HadamardProd(x, mask)
	if err != nil {
		return nil, fmt.Errorf("layers: Dropout: %w", err)
	}
	return y, nil
}

// Join returns matrices side by side: (B,D_i) -> (B,Σ D_i). It returns an error if there is none, or their numbers of rows or types
// disagree.
func Join(xs ...*G.Node) (*G.Node, error) {
	y, err := op.JoinColumns(xs...)
	if err != nil {
		return nil, fmt.Errorf("layers: Join: %w", err)
	}
	return y, nil
}
