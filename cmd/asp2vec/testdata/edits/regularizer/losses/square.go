package losses

import (
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Regularizers.Add("square", Regularizer{
		Table:      square,
		Parameters: []Parameter{{Key: "regularizer-above", Help: "largest cosine without a penalty", Max: 1}},
	})
}

// square penalizes cosines of two aspects of a vertex above a bound:
//
//	Σ_v Σ_{k<l} max(0, cos(q[v,k], q[v,l]) - above)²
func square(a Aspects, h Values) (penalty *G.Node, err error) {
	defer op.Recover(&err, "losses: square")
	if a.Rows.Shape()[1] == 1 {
		return op.Zero(a.Rows) // one aspect has no cosines
	}
	return op.Total(G.Must(G.Square(G.Must(G.Rectify(G.Must(op.Shift(G.Must(op.Cosines(a.Rows)), -h.Of("regularizer-above"))))))))
}
