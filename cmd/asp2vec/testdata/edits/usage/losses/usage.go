package losses

import (
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() { Regularizers.Add("usage", Regularizer{Batch: usageVariance}) }

// usageVariance is the variance over aspects of how much of the batch each has. It is 0 where all aspects are used alike.
//
//	(1/K) Σ_k (u[k] - 1/K)²    u[k] = Σ_b weight[b]·prob[b,k]
func usageVariance(s State, _ Values) (penalty *G.Node, err error) {
	defer op.Recover(&err, "losses: usageVariance")
	b, k := s.Prob.Shape()[0], s.Prob.Shape()[1]
	weighted := G.Must(op.Reshape(G.Must(op.ScaleRows(s.Prob, s.Weight)), 1, b, k))
	usage := G.Must(op.SumAxis1(weighted)) // (1,K): sums to 1
	square := G.Must(G.Square(G.Must(op.Shift(usage, -1/float64(k)))))
	return op.Scale(G.Must(op.Total(square)), 1/float64(k))
}
