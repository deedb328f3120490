package losses

import (
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/layers/squash"
	own "github.com/asp2vec/asp2vec/losses/others"
	G "gorgonia.org/gorgonia"
)

// Losses whose numbers are made in other places: in a package of layers, in one of its own, and in a file that is embedded.
func init() {
	Pairs.Add("crossed", Pair{Loss: func(s State, _ Values) (*G.Node, error) { return SkipGram(G.Must(squash.Squash(s.Pos)), s.Neg) }})
	Pairs.Add("own", Pair{Loss: func(s State, _ Values) (*G.Node, error) { return SkipGram(G.Must(op.Scale(s.Pos, own.Scale)), s.Neg) }})
	Pairs.Add("prior", Pair{Loss: func(s State, _ Values) (*G.Node, error) { return SkipGram(G.Must(op.Scale(s.Pos, prior())), s.Neg) }})
}
