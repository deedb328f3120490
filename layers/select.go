package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/op"
	G "gorgonia.org/gorgonia"
)

// Selection turns scores of aspects into probabilities of aspects.
type Selection struct {
	// Prob returns the probabilities (B,K) for logits (B,K). noise (B,K) holds draws of Gumbel(0,1), made by the caller,
	// and tau > 0 is the temperature, unitless; a variant that does not use one ignores it (noise may then be nil).
	// The same function serves windows, with (W,K) for (B,K).
	Prob  func(logits, noise *G.Node, tau float64) (*G.Node, error)
	Noise bool // Prob uses noise
	Tau   bool // Prob uses tau
}

// Selections are the ways to select an aspect, by name.
var Selections = map[string]Selection{
	"gumbel":  {Prob: Gumbel, Noise: true, Tau: true},
	"hard":    {Prob: Hard, Noise: true, Tau: true},
	"softmax": {Prob: Softmax},
	"none":    {Prob: None},
}

// FindSelection returns the selection of that name; the error for an unknown name lists the known ones.
func FindSelection(name string) (Selection, error) {
	return op.Named("layers: selection", Selections, name)
}

// Gumbel returns soft aspect probabilities, near to a sample of one aspect when tau is small.
//
//	prob[b] = softmax((logits[b] + noise[b]) / tau)
//
// logits, noise (B,K), tau > 0 -> (B,K), each row summing to 1. It returns an error if the shapes or types disagree, or
// tau is not positive. The row's maximum is subtracted before the exponential, so that no finite input overflows.
//
// Source: Park et al., KDD 2020, arXiv:2006.04239, Eq. (7). Differs: the logit is the inner product itself, where Eq. (7)
// prints its logarithm. With the probabilities of Eq. (3) that is the same up to a constant that cancels, while the
// logarithm does not exist for the many negative inner products; the authors' code does as we do.
func Gumbel(logits, noise *G.Node, tau float64) (prob *G.Node, err error) {
	if noise == nil || logits.Dims() != 2 || !noise.Shape().Eq(logits.Shape()) {
		return nil, fmt.Errorf("layers: Gumbel: logits %v, noise %v: want (B,K) both", logits.Shape(), shapeOf(noise))
	}
	if !(tau > 0) { // so that NaN fails too
		return nil, fmt.Errorf("layers: Gumbel: tau = %v: want > 0", tau)
	}
	defer op.Recover(&err, "layers: Gumbel")
	noisy := G.Must(G.Add(logits, noise))
	return G.Must(op.Softmax(G.Must(op.Scale(noisy, 1/tau)))), nil
}

// Hard returns one aspect: 1 at the largest probability of Gumbel, 0 elsewhere, with the gradient of Gumbel.
//
//	prob[b] = onehot(argmax softmax((logits[b] + noise[b]) / tau))
//
// Inputs, result and errors as for Gumbel. Of equal maxima the first is taken. The gradient is not that of the result,
// which is 0 almost everywhere.
//
// Source: the straight-through estimator, an option of the authors' code; Park et al., KDD 2020, arXiv:2006.04239, Eq. (4)
// forward and Eq. (7) backward. Differs: none known.
func Hard(logits, noise *G.Node, tau float64) (*G.Node, error) {
	soft, err := Gumbel(logits, noise, tau)
	if err != nil {
		return nil, fmt.Errorf("layers: Hard: %w", err)
	}
	return op.StraightThrough(soft)
}

// Softmax returns soft aspect probabilities without noise.
//
//	prob[b] = softmax(logits[b])
//
// logits (B,K) -> (B,K), each row summing to 1; noise and tau are not used. It returns an error for another shape.
//
// Source: Park et al., KDD 2020, arXiv:2006.04239, Eq. (3). Differs: none known. Note that aspects that are equal at the
// start get equal gradients and stay equal, so that this trains a single aspect after a warm-up that copies one
// embedding to all of them.
func Softmax(logits, _ *G.Node, _ float64) (*G.Node, error) {
	if logits.Dims() != 2 {
		return nil, fmt.Errorf("layers: Softmax: logits %v: want (B,K)", logits.Shape())
	}
	return op.Softmax(logits)
}

// None returns 1/K for each aspect: no selection.
//
// logits (B,K), read for their shape -> (B,K); noise and tau are not used. It returns an error for another shape.
//
// Source: the authors' code with its softmax switched off; not in the paper. Differs: none known.
func None(logits, _ *G.Node, _ float64) (*G.Node, error) {
	if logits.Dims() != 2 {
		return nil, fmt.Errorf("layers: None: logits %v: want (B,K)", logits.Shape())
	}
	return op.Uniform(logits)
}

func shapeOf(n *G.Node) any {
	if n == nil {
		return "none"
	}
	return n.Shape()
}
