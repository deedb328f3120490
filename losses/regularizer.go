package losses

import (
	"github.com/asp2vec/asp2vec/internal/registry"
	G "gorgonia.org/gorgonia"
)

// Regularizer is a penalty on aspects, with what is said of it. It has one function or both, whose sum is weighted by lambda.
type Regularizer struct {
	// Table returns the penalty of the aspect vectors of N vertices: a scalar, a sum over vertices. A step works it out for some vertices at a
	// time. Nil for none. It returns an error for another shape, or a hyperparameter out of its range.
	Table func(a Aspects, h Values) (*G.Node, error)
	// Batch returns the penalty of a whole batch's State -> scalar. Pairs of weight 0 must not count. Nil for none. It returns an error as Table does.
	Batch      func(s State, h Values) (*G.Node, error)
	Parameters []Parameter // whose values both get
}

// Aspects are what a penalty of aspect vectors gets of N vertices: nodes to read, none to keep.
type Aspects struct {
	Rows *G.Node // (N,K,D): the vectors
	Step *G.Node // (N): the fraction of the training that is done, as in State
}

// Regularizers are the regularizers by name. The file of each adds it.
var Regularizers = registry.New[Regularizer]("losses: regularizer")
