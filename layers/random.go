package layers

import (
	"fmt"

	G "gorgonia.org/gorgonia"
)

func init() {
	Selections.Add("random", Selection{
		Prob:  func(c Choice, h Values) (*G.Node, error) { return Random(c.Logits, c.Noise, h.Of("tau")) },
		Noise: true, Parameters: []Parameter{tau},
	})
}

// Random is Gumbel whatever the logits: an aspect is picked by the noise alone, as the control of an experiment.
//
//	prob[b] = softmax(noise[b] / tau)
//
// logits, read for their shape, and noise (B,K), tau > 0 -> (B,K), each row summing to 1. It returns the errors of Gumbel.
//
// Source: none; what Park et al. compare their selection with has no selection at all.
func Random(logits, noise *G.Node, tau float64) (*G.Node, error) {
	alike, err := None(logits)
	if err != nil {
		return nil, fmt.Errorf("layers: Random: %w", err)
	}
	return Gumbel(alike, noise, tau)
}
