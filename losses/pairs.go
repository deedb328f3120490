package losses

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/layers/op"
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
}

// Declares returns the loss's hyperparameters.
func (p Pair) Declares() []Parameter { return option.Numbers(p.Parameters) }

// Pairs are the losses of pairs by name.
var Pairs = map[string]Pair{
	"skipgram": {Loss: func(s State, _ Values) (*G.Node, error) { return SkipGram(s.Pos, s.Neg) }},
	"margin": {
		Loss: func(s State, h Values) (*G.Node, error) {
			return ScoreMargin(s.Pos, s.Neg, h.Of("pair-loss-margin"))
		},
		Parameters: []Parameter{{Key: "pair-loss-margin", Help: "margin by which a context should score above a negative", Default: 1, Max: math.Inf(1)}},
	},
	"infonce": {
		Loss: func(s State, h Values) (*G.Node, error) {
			return InfoNCE(s.Pos, s.Neg, h.Of("pair-loss-temperature"))
		},
		Parameters: []Parameter{{Key: "pair-loss-temperature", Help: "temperature that scores are divided by", Default: 1, Min: 1e-6, Max: math.Inf(1)}},
	},
	"bpr": {Loss: func(s State, _ Values) (*G.Node, error) { return BPR(s.Pos, s.Neg) }},
}

// FindPair returns the loss of that name; the error for an unknown name lists the known ones.
func FindPair(name string) (Pair, error) { return op.Named("losses: loss", Pairs, name) }

// checkScores returns an error unless scores are of the shapes that a loss of pairs takes.
func checkScores(name string, pos, neg *G.Node) error {
	if p, n := pos.Shape(), neg.Shape(); p.Dims() != 2 || n.Dims() != 3 || n[0] != p[0] || n[2] != p[1] {
		return fmt.Errorf("losses: %s: pos %v, neg %v: expected (B,K) and (B,M,K)", name, p, n)
	}
	return nil
}
