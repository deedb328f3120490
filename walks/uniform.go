// Package walks turns a network into what a skip-gram model trains on: random walks, the windows that slide over them,
// negative samples, and batches of windows as a stream. The pairs of a corpus are never stored.
//
// Everything random is a function of the seed and of what it belongs to (a walk's round and start, a window's number), so
// the same walks, windows and negatives come out whatever the number of threads and the order in which they are asked for.
package walks

import (
	"fmt"

	"github.com/asp2vec/asp2vec/network"
)

// Source is a corpus of walks, by number. A walk is the same each time it is asked for, and is at least two vertices long.
// Its methods are safe for concurrent use.
type Source interface {
	// Walks returns the number of walks.
	Walks() int
	// MaxLength returns the number of vertices of the longest walk that there may be.
	MaxLength() int
	// Walk returns walk i, in the memory of buf if it fits; the result is only read.
	Walk(i int, buf []int32) []int32
}

// Options of a corpus of walks.
type Options struct {
	PerVertex int    // walks started from each vertex, 1 to MaxPerVertex; paper: 10
	Length    int    // vertices of a walk, 2 to MaxLength; paper: 80
	Seed      uint64 // of the stream "walks"
}

// Bounds of a corpus, far above any use: windows are numbered in 64 bits, and a typing error must not ask for all
// memory.
const (
	MaxPerVertex = 1 << 16
	MaxLength    = 1 << 16
)

func (o Options) validate() error {
	switch {
	case o.PerVertex < 1 || o.PerVertex > MaxPerVertex:
		return fmt.Errorf("walks: %d walks per vertex: expected 1 to %d", o.PerVertex, MaxPerVertex)
	case o.Length < 2 || o.Length > MaxLength:
		return fmt.Errorf("walks: walks of %d vertices: expected 2 to %d", o.Length, MaxLength)
	}
	return nil
}

// Uniform is the corpus of uniform random walks: each step goes to an out-neighbour, all equally likely, weights
// notwithstanding. Walks start from every vertex with an out-neighbour, in increasing order, PerVertex rounds of them, and
// end early at a vertex without one.
//
// It keeps the network and no walk: walk i is drawn anew from its own random stream whenever it is asked for.
//
// Source: DeepWalk (Perozzi et al., KDD 2014) as in Park et al., KDD 2020, section 4.1.
type Uniform struct{ rounds }

// NewUniform returns the uniform walks of a network. It returns an error if an option is out of range or if the network
// has no link to walk over.
func NewUniform(net *network.Network, o Options) (*Uniform, error) {
	r, err := newRounds(net, o)
	if err != nil {
		return nil, err
	}
	return &Uniform{r}, nil
}

// Walk draws walk i. i is from 0 to Walks()-1; see Source.
func (u *Uniform) Walk(i int, buf []int32) []int32 { return one(u, i, buf) }
