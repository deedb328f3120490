package losses

import (
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/registry"
	G "gorgonia.org/gorgonia"
)

// Regularizer is a penalty on aspects, with what is said of it. It has one function or both, whose sum is weighted by lambda.
type Regularizer struct {
	// Table returns the penalty of the aspect vectors: aspects (N,K,D) -> scalar, a sum over vertices. A step works it out for some vertices at a
	// time. Nil for none. It returns an error for another shape, or a hyperparameter out of its range.
	Table func(aspects *G.Node, h Values) (*G.Node, error)
	// Batch returns the penalty of a whole batch's State -> scalar. Pairs of weight 0 must not count. Nil for none. It returns an error as Table does.
	Batch      func(s State, h Values) (*G.Node, error)
	Parameters []Parameter // whose values both get
}

// Declares returns the regularizer's hyperparameters.
func (r Regularizer) Declares() []Parameter { return option.Numbers(r.Parameters) }

// Regularizers are the regularizers by name. The file of each adds it.
var Regularizers = registry.New[Regularizer]("losses: regularizer")
