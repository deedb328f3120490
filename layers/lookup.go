package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

// Lookup returns the rows of an embedding table: out[b] = table[index[b]], unitless.
//
// table (N,D) or (N,K,D), index (B) of integers in [0,N) -> (B,D) or (B,K,D). Gradients of a row named more than once add
// up. It returns an error if the shapes or types are others; an index outside the table is an error of the run.
//
// Source: Park et al., KDD 2020, arXiv:2006.04239: P_i, Q_j^(s) of Eq. (2). Differs: Q is stored vertex by vertex, with
// the K aspects of a vertex side by side; the authors store it aspect by aspect.
func Lookup(table, index *G.Node) (*G.Node, error) {
	rows, err := op.Lookup(table, index)
	if err != nil {
		return nil, fmt.Errorf("layers: Lookup: %w", err)
	}
	return rows, nil
}
