package losses

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

// BinaryCrossEntropy returns the mean loss of telling two classes apart by logits; a scalar, in nats.
//
//	1/(P+Q) [ Σ_p softplus(-pos[p]) + Σ_q softplus(neg[q]) ]
//
// pos, of P elements, are the logits of label 1, and neg, of Q elements, those of label 0; of any shapes and one float type ->
// scalar, at least 0. The sums are kept in float64. It returns an error if the types disagree. softplus(x) is -log σ(-x), and stays finite for
// large |x|; logits of 0 cost log 2.
//
// Source: the objective of Velickovic et al., ICLR 2019, arXiv:1809.10341, Eq. (1). Differs: it is a loss, the negative.
func BinaryCrossEntropy(pos, neg *G.Node) (loss *G.Node, err error) {
	if pos.Dtype() != neg.Dtype() {
		return nil, fmt.Errorf("losses: BinaryCrossEntropy: pos is %v, neg %v: expected one type", pos.Dtype(), neg.Dtype())
	}
	n := pos.Shape().TotalSize() + neg.Shape().TotalSize()
	defer op.Recover(&err, "losses: BinaryCrossEntropy")
	posTerm := G.Must(op.Total(G.Must(op.Softplus(G.Must(G.Neg(pos))))))
	negTerm := G.Must(op.Total(G.Must(op.Softplus(neg))))
	return G.Must(op.Scale(G.Must(G.Add(posTerm, negTerm)), 1/float64(n))), nil
}
