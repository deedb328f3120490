package layers

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

// Parameter is a hyperparameter of an entry of Selections or Readouts. Declared there, it is a flag, an option of sweeps and
// records, and refused where the chosen entries do not read it.
type Parameter = option.Param

// Values are the hyperparameters that an entry declares, as they were given, by key.
type Values = option.Values

// Selection turns scores of aspects into probabilities of aspects.
type Selection struct {
	// Prob returns the probabilities (B,K), each row summing to 1, for logits (B,K). noise (B,K) holds draws of Gumbel(0,1), made
	// by the caller; a variant that uses none ignores it (it may then be nil). The same function serves windows, with (W,K) for
	// (B,K). It returns an error if the shapes or types disagree, or a hyperparameter is out of its range.
	Prob            func(logits, noise *G.Node, h Values) (*G.Node, error)
	Noise           bool        // Prob uses noise
	StraightThrough bool        // Prob has, by intention, the gradient of something else: differences cannot check it
	Parameters      []Parameter // whose values Prob gets
}

// Declares returns the selection's hyperparameters.
func (s Selection) Declares() []Parameter { return option.Numbers(s.Parameters) }

// tau is the temperature of the selections by Gumbel noise. 1/tau must stay far from what float32 cannot hold; below .01 nothing
// changes any more.
var tau = Parameter{Key: "tau", Help: "temperature of the Gumbel-Softmax", Default: 0.5, Min: 1e-6, Max: math.Inf(1)}

// Selections are the ways to select an aspect, by name.
var Selections = map[string]Selection{
	"gumbel": {
		Prob:  func(logits, noise *G.Node, h Values) (*G.Node, error) { return Gumbel(logits, noise, h.Of("tau")) },
		Noise: true, Parameters: []Parameter{tau},
	},
	"hard": {
		Prob:  func(logits, noise *G.Node, h Values) (*G.Node, error) { return Hard(logits, noise, h.Of("tau")) },
		Noise: true, StraightThrough: true, Parameters: []Parameter{tau},
	},
	"random": {
		Prob:  func(logits, noise *G.Node, h Values) (*G.Node, error) { return Random(logits, noise, h.Of("tau")) },
		Noise: true, Parameters: []Parameter{tau},
	},
	"softmax":          {Prob: func(logits, _ *G.Node, _ Values) (*G.Node, error) { return Softmax(logits) }},
	"straight-through": {Prob: func(logits, _ *G.Node, _ Values) (*G.Node, error) { return StraightThrough(logits) }, StraightThrough: true},
	"entmax15":         {Prob: func(logits, _ *G.Node, _ Values) (*G.Node, error) { return Entmax15(logits) }},
	"none":             {Prob: func(logits, _ *G.Node, _ Values) (*G.Node, error) { return None(logits) }},
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
		return nil, fmt.Errorf("layers: Gumbel: logits %v, noise %v: expected (B,K) both", logits.Shape(), shapeOf(noise))
	}
	if !(tau > 0) { // so that NaN fails too
		return nil, fmt.Errorf("layers: Gumbel: tau = %v: expected > 0", tau)
	}
	defer op.Recover(&err, "layers: Gumbel")
	noisy := G.Must(G.Add(logits, noise))
	return G.Must(op.Softmax(G.Must(op.Scale(noisy, 1/tau)))), nil
}

// Hard returns one aspect: 1 at the largest probability of Gumbel, 0 elsewhere, with the gradient of Gumbel.
//
//	prob[b] = onehot(argmax softmax((logits[b] + noise[b]) / tau))
//
// logits, noise (B,K), tau > 0 -> (B,K). It returns the errors of Gumbel. Of equal maxima the first is taken. The gradient is not that of the result,
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
// logits (B,K) -> (B,K), each row summing to 1. It returns an error for another shape.
//
// Source: Park et al., KDD 2020, arXiv:2006.04239, Eq. (3). Differs: none known. Note that aspects that are equal at the
// start get equal gradients and stay equal, so that this trains a single aspect after a warm-up that copies one
// embedding to all of them.
func Softmax(logits *G.Node) (*G.Node, error) {
	if logits.Dims() != 2 {
		return nil, fmt.Errorf("layers: Softmax: logits %v: expected (B,K)", logits.Shape())
	}
	return op.Softmax(logits)
}

// StraightThrough returns one aspect, without noise: 1 at the largest probability of Softmax, 0 elsewhere, with the gradient of
// Softmax. Hard is the same under Gumbel noise.
//
//	prob[b] = onehot(argmax softmax(logits[b]))
//
// logits (B,K) -> (B,K). Of equal maxima the first is taken: aspects that begin as one embedding are all the first, which alone
// learns of pairs, until the gradient of the choice parts them. It returns an error for another shape. The gradient is not that
// of the result, which is 0 almost everywhere.
//
// Source: Bengio, Leonard, Courville, arXiv:1308.3432, section 3, of a softmax. Differs: the gradient is that of the soft
// probabilities, not the identity, as is usual.
func StraightThrough(logits *G.Node) (*G.Node, error) {
	soft, err := Softmax(logits)
	if err != nil {
		return nil, fmt.Errorf("layers: StraightThrough: %w", err)
	}
	return op.StraightThrough(soft)
}

// Entmax15 returns sparse aspect probabilities: between Softmax and one aspect, with exact zeros.
//
//	prob[b] = argmax_p <p, logits[b]> + H(p),   H(p) = Σ_k (p[k] - p[k]^1.5)/(1.5·.5)
//
// logits (B,K) -> (B,K), each row summing to 1; aspects whose logit is 2 or more below the largest have 0. It returns an error for
// another shape. The gradient is exact (see op.Entmax15), and 0 for aspects of probability 0.
//
// Source: Peters, Niculae, Martins, ACL 2019, arXiv:1905.05702, Eqs. (5) and (10) with alpha = 1.5. Differs: none known.
func Entmax15(logits *G.Node) (*G.Node, error) {
	if logits.Dims() != 2 {
		return nil, fmt.Errorf("layers: Entmax15: logits %v: expected (B,K)", logits.Shape())
	}
	return op.Entmax15(logits)
}

// None returns 1/K for each aspect: no selection.
//
// logits (B,K), read for their shape -> (B,K). It returns an error for another shape.
//
// Source: the authors' code with its softmax switched off; not in the paper. Differs: none known.
func None(logits *G.Node) (*G.Node, error) {
	if logits.Dims() != 2 {
		return nil, fmt.Errorf("layers: None: logits %v: expected (B,K)", logits.Shape())
	}
	return op.Uniform(logits)
}

// Random is Gumbel whatever the logits: an aspect is picked by the noise alone, as the control of an experiment.
//
//	prob[b] = softmax(noise[b] / tau)
//
// logits, read for their shape, and noise (B,K), tau > 0 -> (B,K), each row summing to 1. It returns the errors of Gumbel.
//
// Source: none; what Park et al. compare their selection with has no selection at all.
func Random(logits, noise *G.Node, tau float64) (*G.Node, error) {
	alike, err := None(logits)
	if err != nil {
		return nil, fmt.Errorf("layers: Random: %w", err)
	}
	return Gumbel(alike, noise, tau)
}

func shapeOf(n *G.Node) any {
	if n == nil {
		return "none"
	}
	return n.Shape()
}
