package layers

import (
	"github.com/asp2vec/asp2vec/internal/registry"
	G "gorgonia.org/gorgonia"
)

// Readout sums up the context of each window, aspect by aspect.
type Readout struct {
	// Read returns (W,K,D) for what is known of the windows. It returns an error if the shapes or types disagree.
	Read       func(c Contexts, h Values) (*G.Node, error)
	Parameters []Parameter // whose values Read gets
	Learned    []Learned   // whose rows Read gets
}

// Contexts are the contexts of W windows, C slots each.
type Contexts struct {
	Rows   *G.Node // (W*C,K,D): aspect vectors
	Weight *G.Node // (W,C): 1/|bag| at the first slot of each of the |bag| distinct vertices of a window; 0 at repetitions and padding. No gradient
	Offset *G.Node // (W,C): steps of the walk from the centre to the slot, below 0 before it; 0 for padding. No gradient

	Learned map[string]*G.Node // (W,Width) by key: the rows of the centres in the tables that the readout learns
}

// Readouts are the readouts by name. The file of each adds it.
var Readouts = registry.New[Readout]("layers: readout")
