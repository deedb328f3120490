package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Selections.Add("none", Selection{Prob: func(c Choice, _ Values) (*G.Node, error) { return None(c.Logits) }})
}

// None returns 1/K for each aspect: no selection.
//
// logits (B,K), read for their shape -> (B,K). It returns an error for another shape.
//
// Source: the authors' code with its softmax switched off; not in the paper. Differs: none known.
func None(logits *G.Node) (*G.Node, error) {
	if logits.Dims() != 2 {
		return nil, fmt.Errorf("layers: None: logits %v: expected (B,K)", logits.Shape())
	}
	return op.Uniform(logits)
}
