package layers

import (
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Selections.Add("prior", Selection{
		Prob: prior, Noise: true, Parameters: []Parameter{tau},
		Learned: []Learned{{Key: "selection-prior", Width: PerAspect}},
	})
}

// prior is Gumbel-Softmax, where each vertex learns how much it prefers an aspect, whatever the context:
//
//	prob[b] = softmax((logits[b] + prior[center of b] + noise[b]) / tau)
func prior(c Choice, h Values) (prob *G.Node, err error) {
	defer op.Recover(&err, "layers: prior")
	return Gumbel(G.Must(G.Add(c.Logits, c.Learned["selection-prior"])), c.Noise, h.Of("tau"))
}
