package walks

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
)

// rounds is what corpora drawn from a network have in common: walks start from every vertex with an out-neighbour, in
// increasing order, PerVertex rounds of them. Walk i has a random stream of its own, so none needs to be kept.
type rounds struct {
	net    *network.Network
	starts []int32
	o      Options
	key    rng.Key
}

func newRounds(net *network.Network, o Options) (rounds, error) {
	if err := o.validate(); err != nil {
		return rounds{}, err
	}
	r := rounds{net: net, o: o, key: rng.NewKey(o.Seed, "walks")}
	for v := range int32(net.Vertices()) {
		if len(net.Out(v)) > 0 {
			r.starts = append(r.starts, v)
		}
	}
	if len(r.starts) == 0 {
		return rounds{}, fmt.Errorf("walks: a network of %d vertices and no links: expected at least one link", net.Vertices())
	}
	return r, nil
}

// Walks returns the number of walks: PerVertex for each vertex with an out-neighbour.
func (r *rounds) Walks() int { return len(r.starts) * r.o.PerVertex }

// MaxLength returns Options.Length.
func (r *rounds) MaxLength() int { return r.o.Length }

// begin returns the random stream and the first vertex of walk i: round i/S from start i%S of the S starts.
func (r *rounds) begin(i int) (rng.Stream, int32) {
	return r.key.Stream(uint64(i)), r.starts[i%len(r.starts)]
}

// sameLength says whether every walk has the length that the options name, which is known without drawing any: no walk of an
// undirected network comes to a vertex that it cannot leave.
func (r *rounds) sameLength() bool { return !r.net.Directed() }

// vertices returns the number of vertices of the network that walks stay within.
func (r *rounds) vertices() int { return r.net.Vertices() }

// even is a source that knows, without drawing any walk, whether all are of one length, and which vertices they may visit.
type even interface {
	Source
	sameLength() bool
	vertices() int
}
