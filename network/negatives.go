package network

import (
	"context"
	"fmt"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// sampleNonLinks returns count different pairs of different vertices u < v without a link from u to v, uniformly drawn, in
// random order; none within a side, where between is not nil. In a directed network only that direction is looked at, so a pair
// can be the reverse of a link.
func sampleNonLinks(ctx context.Context, n *Network, between *sides, count int, r *rng.Stream) ([]Link, error) {
	vertices := n.Vertices()
	linked := 0
	for u := range int32(vertices) {
		for _, v := range n.Out(u) {
			if u < v {
				linked++
			}
		}
	}
	if vertices < 2 {
		return nil, fmt.Errorf("the network has %d vertex: expected at least 2, for pairs without a link", vertices)
	}
	free, where := vertices*(vertices-1)/2-linked, ""
	if between != nil {
		for _, size := range between.sizes() {
			free -= size * (size - 1) / 2
		}
		where = " between the two sides of the network"
	}
	if free < count {
		return nil, fmt.Errorf("the network is too dense: %d vertices, %d pairs without a link%s: expected at least %d for the negatives",
			vertices, free, where, count)
	}
	if free < 2*count {
		return drawFromAll(n, between, free, count, r), nil
	}
	pairs := make([]Link, 0, count)
	taken := make(map[Link]bool, count)
	for len(pairs) < count {
		if len(pairs)%(1<<16) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l := Link{int32(r.Intn(vertices)), int32(r.Intn(vertices))}.ordered()
		if l.From == l.To || n.Has(l.From, l.To) || between.same(l.From, l.To) {
			continue
		}
		if !taken[l] {
			taken[l] = true
			pairs = append(pairs, l)
		}
	}
	return pairs, nil
}

// drawFromAll lists all free pairs, of which at least half are wanted, so that rejection would take long.
func drawFromAll(n *Network, between *sides, free, count int, r *rng.Stream) []Link {
	pairs := make([]Link, 0, free)
	for u := range int32(n.Vertices()) {
		for v := u + 1; v < int32(n.Vertices()); v++ {
			if !n.Has(u, v) && !between.same(u, v) {
				pairs = append(pairs, Link{u, v})
			}
		}
	}
	shuffle(pairs, r)
	return pairs[:count:count]
}
