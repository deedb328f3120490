package walks

import (
	"errors"
	"fmt"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
)

// Around is a corpus of short walks with some vertices in the middle: what is seen of a long walk when it comes by one of them.
// From the middle it goes on for o.Length steps, and it has come from as many; where a vertex has no way on, or none that leads
// to it, it ends there.
//
// In an undirected network a long walk looks the same in both directions, so that this is what it sees. In a directed one it comes
// from each of the vertices that lead to the middle with the same probability, which a long walk does not.
//
// It keeps the network and no walk, like Uniform.
type Around struct {
	net    *network.Network
	before *network.Network // with links turned round
	middle []int32
	o      Options
}

// NewAround returns the walks around the vertices of middle, o.PerVertex for each. Here o.Length is the number of steps on
// each side, from 1. It returns an error if an option or a vertex is out of range, and for a vertex without links.
func NewAround(net *network.Network, middle []int32, o Options) (*Around, error) {
	if err := (Options{PerVertex: o.PerVertex, Length: 2*o.Length + 1, Seed: o.Seed}).validate(); err != nil || o.Length < 1 {
		return nil, fmt.Errorf("walks: %d walks of %d steps on each side for each vertex: expected at least one of each: %w", o.PerVertex, o.Length, err)
	}
	a := &Around{net: net, before: net, middle: middle, o: o}
	if net.Directed() {
		turned := net.List()
		for i, l := range turned {
			turned[i] = network.Link{From: l.To, To: l.From}
		}
		var err error
		if a.before, err = network.New(net.Names(), turned, nil, true); err != nil {
			return nil, err
		}
	}
	if len(middle) == 0 {
		return nil, errors.New("walks: no vertices to walk around: expected at least one")
	}
	for _, v := range middle {
		if v < 0 || int(v) >= net.Vertices() {
			return nil, fmt.Errorf("walks: vertex %d: expected 0 to %d", v, net.Vertices()-1)
		}
		if a.net.Degree(v)+a.before.Degree(v) == 0 {
			return nil, fmt.Errorf("walks: vertex %q has no links to walk along", net.Name(v))
		}
	}
	return a, nil
}

// Walks returns the number of walks.
func (a *Around) Walks() int { return len(a.middle) * a.o.PerVertex }

// MaxLength returns the number of vertices of a walk whose ways do not end.
func (a *Around) MaxLength() int { return 2*a.o.Length + 1 }

// Walk draws walk i. i is from 0 to Walks()-1; see Source.
func (a *Around) Walk(i int, buf []int32) []int32 {
	v := a.middle[i%len(a.middle)]
	stream := rng.New(a.o.Seed, "walks around", uint64(i/len(a.middle)), uint64(v))
	walk := append(buf[:0], v)
	walk = extend(a.before, walk, a.o.Length, stream)
	for l, r := 0, len(walk)-1; l < r; l, r = l+1, r-1 {
		walk[l], walk[r] = walk[r], walk[l]
	}
	return extend(a.net, walk, a.o.Length, stream)
}

// extend goes on from the end of a walk.
func extend(net *network.Network, walk []int32, steps int, stream *rng.Stream) []int32 {
	for range steps {
		next := net.Out(walk[len(walk)-1])
		if len(next) == 0 {
			break
		}
		walk = append(walk, next[stream.Intn(len(next))])
	}
	return walk
}
