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
	// Prob returns the probabilities (B,K), each row summing to 1, for logits (B,K). noise (B,K) holds draws of Gumbel(0,1), made
	// by the caller; a variant that uses none ignores it (it may then be nil). The same function serves windows, with (W,K) for
	// (B,K). It returns an error if the shapes or types disagree, or a hyperparameter is out of its range.
	Prob            func(logits, noise *G.Node, h Values) (*G.Node, error)
	Noise           bool        // Prob uses noise
	StraightThrough bool        // Prob has, by intention, the gradient of something else: differences cannot check it
	Parameters      []Parameter // whose values Prob gets
}

// Declares returns the selection's hyperparameters.
func (s Selection) Declares() []Parameter { return option.Numbers(s.Parameters) }

// tau is the temperature of the selections by Gumbel noise. 1/tau must stay far from what float32 cannot hold; below .01 nothing
// changes any more.
var tau = Parameter{Key: "tau", Help: "temperature of the Gumbel-Softmax", Default: 0.5, Min: 1e-6, Max: math.Inf(1)}

// Selections are the ways to select an aspect, by name. The file of each adds it.
var Selections = registry.New[Selection]("layers: selection")
