package layers

import (
	"math"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/registry"
	G "gorgonia.org/gorgonia"
)

// Parameter is a hyperparameter of an entry of Selections or Readouts. Declared there, it is a flag, an option of sweeps and
// records, and refused where the chosen entries do not read it.
type Parameter = option.Param

// Values are the hyperparameters that an entry declares, as they were given, by key.
type Values = option.Values

// Selection turns scores of aspects into probabilities of aspects.
type Selection struct {
	// Prob returns the probabilities (B,K), each row summing to 1. It returns an error if the shapes or types disagree, or a hyperparameter is
	// out of its range.
	Prob            func(c Choice, h Values) (*G.Node, error)
	Noise           bool        // Prob uses noise
	Offset          bool        // Prob uses the offset, and is asked for pairs
	StraightThrough bool        // Prob has, by intention, the gradient of something else: differences cannot check it
	Parameters      []Parameter // whose values Prob gets
	Learned         []Learned   // whose rows Prob gets
}

// Choice is what a selection gets of B pairs, or of W windows with W for B: nodes to read, none to keep.
type Choice struct {
	Logits *G.Node // (B,K): scores of the aspects
	Noise  *G.Node // (B,K): draws of Gumbel(0,1); nil unless the selection uses it. No gradient
	Step   *G.Node // (B): the fraction of the training that is done, from 0 to 1, for each the same. No gradient
	Offset *G.Node // (B): steps of the walk from the centre to the context, as in losses.State; nil unless the selection uses it. No gradient

	Learned map[string]*G.Node // (B,Width) by key: the rows of the centres in the tables that the selection learns
}

// PerAspect is the Width of a Learned with a number for each aspect.
const PerAspect = option.PerAspect

// Learned is a table that an entry of Selections or Readouts has training learn.
type Learned = option.Learned

// tau is the temperature of the selections by Gumbel noise. 1/tau must stay far from what float32 cannot hold; below .01 nothing
// changes any more.
var tau = Parameter{Key: "tau", Help: "temperature of the Gumbel-Softmax", Default: 0.5, Min: 1e-6, Max: math.Inf(1)}

// Selections are the ways to select an aspect, by name. The file of each adds it.
var Selections = registry.New[Selection]("layers: selection")
