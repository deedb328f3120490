package losses

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Regularizer is a penalty on aspects, with what is said of it. It has one function or both, whose sum is weighted by lambda.
type Regularizer struct {
	// Table returns the penalty of the aspect vectors: aspects (N,K,D) -> scalar, a sum over vertices. A step works it out for some vertices at a
	// time. Nil for none. It returns an error for another shape, or a hyperparameter out of its range.
	Table func(aspects *G.Node, h Values) (*G.Node, error)
	// Batch returns the penalty of a whole batch's State -> scalar. Pairs of weight 0 must not count. Nil for none. It returns an error as Table does.
	Batch      func(s State, h Values) (*G.Node, error)
	Parameters []Parameter // whose values both get
}

// Declares returns the regularizer's hyperparameters.
func (r Regularizer) Declares() []Parameter { return option.Numbers(r.Parameters) }

// Regularizers are the regularizers by name.
var Regularizers = map[string]Regularizer{
	"cosine": {
		Table:      func(aspects *G.Node, h Values) (*G.Node, error) { return AspectRegularizer(aspects, h.Of("epsilon")) },
		Parameters: []Parameter{{Key: "epsilon", Help: "aspects count as similar if |cosine| is above this", Default: 0.5, Max: 1}},
	},
	"cosine2": {Table: func(aspects *G.Node, _ Values) (*G.Node, error) { return SquaredCosine(aspects) }},
	"entropy": {Batch: func(s State, _ Values) (*G.Node, error) { return AspectEntropy(s.Prob, s.Weight) }},
}

// FindRegularizer returns the regularizer of that name; the error for an unknown name lists the known ones.
func FindRegularizer(name string) (Regularizer, error) {
	return op.Named("losses: regularizer", Regularizers, name)
}

// AspectRegularizer returns the sum of |cosine| over those pairs of aspects of a vertex whose |cosine| is above epsilon; a
// scalar, unitless.
//
//	Σ_v Σ_{i<j} [|c| > epsilon]·|c|    c = cos(aspects[v,i], aspects[v,j])
//
// aspects (N,K,D), epsilon in [0,1] -> scalar from 0 to N·K(K-1)/2, not divided by N: it is the same whatever the batch. For K = 1
// it is 0. It returns an error for another shape, or epsilon outside [0,1]. The bracket counts as a constant for the gradient, which
// jumps where |c| passes epsilon.
//
// Source: Park et al., KDD 2020, arXiv:2006.04239, Eqs. (10)-(14). Differs: the comparison is > as in the authors' code,
// where Eq. (13) has >=; with epsilon = 1 it never applies. Lengths are multiplied and then kept above 1e-8, as in the code.
func AspectRegularizer(aspects *G.Node, epsilon float64) (penalty *G.Node, err error) {
	s := aspects.Shape()
	if s.Dims() != 3 {
		return nil, fmt.Errorf("losses: AspectRegularizer: aspects %v: expected (N,K,D)", s)
	}
	if !(epsilon >= 0 && epsilon <= 1) { // so that NaN fails too
		return nil, fmt.Errorf("losses: AspectRegularizer: epsilon = %v: expected 0 to 1", epsilon)
	}
	defer op.Recover(&err, "losses: AspectRegularizer")
	if s[1] == 1 {
		return G.Must(op.Zero(aspects)), nil
	}
	similarity := G.Must(G.Abs(G.Must(op.Cosines(aspects)))) // (N,K(K-1)/2)
	bound := G.NewConstant(epsilon)
	if aspects.Dtype() == tensor.Float32 {
		bound = G.NewConstant(float32(epsilon))
	}
	mask := G.Must(G.Gt(similarity, bound, true)) // 1 or 0, without gradient
	return G.Must(op.Total(G.Must(G.HadamardProd(mask, similarity)))), nil
}

// SquaredCosine returns the mean squared cosine between two aspects of a vertex, summed over vertices; a scalar, unitless.
//
//	Σ_v 2/(K(K-1)) Σ_{i<j} cos²(aspects[v,i], aspects[v,j])
//
// aspects (N,K,D) -> scalar, at most N; for K = 1 it is 0. Unlike AspectRegularizer it is smooth, and has no gradient at right
// angles. It returns an error for another shape. Lengths are multiplied and then kept above 1e-8.
//
// Source: a usual soft orthogonality penalty, as in Bansal et al., NeurIPS 2018, arXiv:1810.09102, Eq. (2), of unit vectors.
// Differs: a mean over pairs, so that K does not change its weight.
func SquaredCosine(aspects *G.Node) (penalty *G.Node, err error) {
	s := aspects.Shape()
	if s.Dims() != 3 {
		return nil, fmt.Errorf("losses: SquaredCosine: aspects %v: expected (N,K,D)", s)
	}
	defer op.Recover(&err, "losses: SquaredCosine")
	if s[1] == 1 {
		return G.Must(op.Zero(aspects)), nil
	}
	sum := G.Must(op.Total(G.Must(G.Square(G.Must(op.Cosines(aspects)))))) // of (N,K(K-1)/2)
	return G.Must(op.Scale(sum, 2/float64(s[1]*(s[1]-1)))), nil
}

// AspectEntropy returns the mean entropy of the aspect probabilities of a batch's pairs; a scalar, in nats, from 0 where each
// pair has one aspect to log K.
//
//	-Σ_b weight[b] Σ_k prob[b,k] log prob[b,k]
//
// prob (B,K), weight (B) as for AspectWeighted -> scalar. It returns an error if the shapes or types disagree. Of probabilities
// below 1e-12 the logarithm is that of 1e-12. It is the lower the more decidedly each pair has an aspect.
//
// Source: entropy minimisation, Grandvalet and Bengio, NIPS 2004, section 2.2. Differs: none known.
func AspectEntropy(prob, weight *G.Node) (penalty *G.Node, err error) {
	p, w := prob.Shape(), weight.Shape()
	if p.Dims() != 2 || w.Dims() != 1 || w[0] != p[0] {
		return nil, fmt.Errorf("losses: AspectEntropy: prob %v, weight %v: expected (B,K) and (B)", p, w)
	}
	defer op.Recover(&err, "losses: AspectEntropy")
	return G.Must(op.WeightedTotal(G.Must(op.Entropy(prob)), weight)), nil
}
