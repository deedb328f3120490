package layers

import (
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Selections.Add("ste", Selection{
		StraightThrough: true, Prob: ste,
		Parameters: []Parameter{{Key: "selection-temperature", Help: "temperature that logits are divided by", Default: 1, Min: 1e-6, Max: 100}},
	})
}

// ste picks the largest logit, and passes gradients as if it had not.
func ste(c Choice, h Values) (prob *G.Node, err error) {
	defer op.Recover(&err, "layers: ste")
	soft := G.Must(op.Softmax(G.Must(op.Scale(c.Logits, 1/h.Of("selection-temperature")))))
	return op.StraightThrough(soft)
}
