package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/gru"
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

// GRUWeights are the parameters of a gated recurrent unit: IH (3D,W), HH (3D,D), BiasIH and BiasHH (3D), with the rows of the
// reset gate, the update gate and the candidate in this order. The cell reset-before has no BiasHH: it is nil.
type GRUWeights struct{ IH, HH, BiasIH, BiasHH *G.Node }

// GRU returns the states (B,D) after each of T steps xs (B,W), from a state of zeros; each is in [-1,1]. Sequences shorter than T go
// on over whatever is there; what follows their end is for the caller to leave out.
//
// Cells are those of gru.Cells: reset-after and reset-before. Their formulae stand in internal/gru, once for this layer and for the
// encoder of texts, as one op with a gradient of its own. To change a cell, edit its gates and their gradient in grusteps.go, run
// go test ./internal/gru, which compares the two by finite differences, and then asp2vec check.
//
// It returns an error for an unknown cell, if there is no step, a weight is missing, or the shapes or types disagree.
//
// Source: that of the cell; see gru.Cell. Differs: none known.
func GRU(cell string, xs []*G.Node, w GRUWeights) (states []*G.Node, err error) {
	c, err := gru.FindCell(cell)
	if err != nil {
		return nil, fmt.Errorf("layers: GRU: %w", err)
	}
	weights := []*G.Node{w.IH, w.HH, w.BiasIH}
	if w.BiasHH != nil {
		weights = append(weights, w.BiasHH)
	}
	all, err := gru.States(c, xs, weights...) // (T·B,D)
	if err != nil {
		return nil, fmt.Errorf("layers: GRU: %w", err)
	}
	b := xs[0].Shape()[0]
	for t := range xs {
		h, err := op.Rows(all, t*b, (t+1)*b)
		if err != nil {
			return nil, fmt.Errorf("layers: GRU: %w", err)
		}
		states = append(states, h)
	}
	return states, nil
}
