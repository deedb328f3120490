package losses

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func init() {
	Regularizers.Add("cosine", Regularizer{
		Table:      func(a Aspects, h Values) (*G.Node, error) { return AspectRegularizer(a.Rows, h.Of("epsilon")) },
		Parameters: []Parameter{{Key: "epsilon", Help: "aspects count as similar if |cosine| is above this", Default: 0.5, Max: 1}},
	})
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
