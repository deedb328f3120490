package losses

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Regularizers.Add("cosine2", Regularizer{Table: func(a Aspects, _ Values) (*G.Node, error) { return SquaredCosine(a.Rows) }})
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
