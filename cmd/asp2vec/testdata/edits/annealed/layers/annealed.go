package layers

import (
	"math"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Selections.Add("annealed", Selection{
		Prob: annealed, Noise: true,
		Parameters: []Parameter{tau, {Key: "selection-end", Help: "temperature at the end", Default: 0.1, Min: 1e-3, Max: 100}},
	})
}

// annealed is Gumbel, whose temperature falls from tau to another, by the same factor with each step:
//
//	prob[b] = softmax((logits[b] + noise[b]) / t[b]),   t[b] = tau^(1 - step[b]) · end^step[b]
func annealed(c Choice, h Values) (prob *G.Node, err error) {
	defer op.Recover(&err, "layers: annealed")
	begin, end := math.Log(h.Of("tau")), math.Log(h.Of("selection-end"))
	inverse := G.Must(G.Exp(G.Must(op.Shift(G.Must(op.Scale(c.Step, begin-end)), -begin)))) // (B): 1/t
	return op.Softmax(G.Must(op.ScaleRows(G.Must(G.Add(c.Logits, c.Noise)), inverse)))
}
