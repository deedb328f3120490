// Package squash makes scores smaller.
package squash

import (
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

// Squash halves scores.
func Squash(x *G.Node) (*G.Node, error) { return op.Scale(x, .5) }
