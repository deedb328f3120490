package losses

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/registry"
	G "gorgonia.org/gorgonia"
)

// Parameter is a hyperparameter of an entry of Pairs or Regularizers. Declared there, it is a flag, an option of sweeps and
// records, and refused where the chosen entries do not read it.
type Parameter = option.Param

// Values are the hyperparameters that an entry declares, as they were given, by key.
type Values = option.Values

// Pair is a loss of pairs, with what is said of it.
type Pair struct {
	// Loss returns the loss of each pair under each aspect (B,K), not reduced: each pair's own, whatever the others of the batch are. It returns
	// an error if the shapes or types disagree, or a hyperparameter is out of its range.
	Loss       func(s State, h Values) (*G.Node, error)
	Parameters []Parameter // whose values Loss gets
	Learned    []Learned   // whose rows Loss gets
}

// PerAspect is the Width of a Learned with a number for each aspect.
const PerAspect = option.PerAspect

// Learned is a table that an entry of Pairs has training learn.
type Learned = option.Learned

// Pairs are the losses of pairs by name. The file of each adds it.
var Pairs = registry.New[Pair]("losses: loss")

// checkScores returns an error unless scores are of the shapes that a loss of pairs takes.
func checkScores(name string, pos, neg *G.Node) error {
	if p, n := pos.Shape(), neg.Shape(); p.Dims() != 2 || n.Dims() != 3 || n[0] != p[0] || n[2] != p[1] {
		return fmt.Errorf("losses: %s: pos %v, neg %v: expected (B,K) and (B,M,K)", name, p, n)
	}
	return nil
}
