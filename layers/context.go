package layers

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

// BiGRU returns, for each of T steps xs (B,W), the states (B,2D), unitless, of two gated recurrent units side by side: one that has
// come from the first step, and one that has come from the last. Both have the cell reset-after, and weights as in GRUWeights. It
// returns an error if there is no step, a weight is missing, or the shapes or types disagree.
//
// Source: PyTorch, nn.GRU(bidirectional=True). Differs: none known.
func BiGRU(xs []*G.Node, forward, backward GRUWeights) (states []*G.Node, err error) {
	there, err := GRU("reset-after", xs, forward)
	if err != nil {
		return nil, err
	}
	reversed := slices.Clone(xs)
	slices.Reverse(reversed)
	back, err := GRU("reset-after", reversed, backward)
	if err != nil {
		return nil, err
	}
	for t, h := range there {
		both, err := op.JoinColumns(h, back[len(back)-1-t])
		if err != nil {
			return nil, fmt.Errorf("layers: BiGRU: %w", err)
		}
		states = append(states, both)
	}
	return states, nil
}

// Attention returns one vector for the steps of a sequence, and how much each step has to do with it.
//
//	a[b] = softmax_t(<key, steps[t][b]> + offset)    out[b] = Σ_t a[b,t] (steps[t][b] M)
//
// T >= 1 steps (B,D), key (1,D), offset (1), m is M (D,E) -> out (B,E), unitless, and weight a (B,T), each row summing to 1. It
// returns an error if there is no step, or the shapes or types disagree.
//
// Source: Park et al., CIKM 2019 (TaPEm), the authors' code. Differs: M is multiplied once, with the weighted sum.
func Attention(steps []*G.Node, key, offset, m *G.Node) (out, weight *G.Node, err error) {
	if len(steps) == 0 {
		return nil, nil, fmt.Errorf("layers: Attention: no steps: expected at least 1")
	}
	s, ks, ms := steps[0].Shape(), key.Shape(), m.Shape()
	if s.Dims() != 2 || ks.Dims() != 2 || ks[0] != 1 || ms.Dims() != 2 || ms[0] != s[1] {
		return nil, nil, fmt.Errorf("layers: Attention: steps %v, key %v, m %v: expected (B,D), (1,D) and (D,E)", s, ks, ms)
	}
	defer op.Recover(&err, "layers: Attention")
	scores := make([]*G.Node, len(steps))
	for t, x := range steps {
		scores[t] = G.Must(op.Linear(x, key, offset)) // (B,1)
	}
	weight = G.Must(op.Softmax(G.Must(op.JoinColumns(scores...)))) // (B,T)
	sum := G.Must(op.WeightedSteps(weight, steps...))              // (B,D)
	return G.Must(G.Mul(sum, m)), weight, nil                      // (B,E)
}
