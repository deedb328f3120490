package network

import (
	"context"
	"fmt"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// Whole returns a split that keeps every link of the network for training and tests nothing: for an embedding of a network
// rather than a measurement. As many random pairs that are no links are its TrainNeg, so that HoldOut can take validation
// links from it; in a bipartite network they join the two sides, as far as links tell. Unlike MakeSplit it keeps all components. It returns an error if the network has no links or is so dense
// that there are not enough pairs without a link.
func Whole(ctx context.Context, n *Network, seed uint64) (*Split, error) {
	s := n.TrainOnly()
	if len(s.Train) == 0 {
		return nil, fmt.Errorf("network: %d vertices and no links: expected at least one link", n.Vertices())
	}
	negatives, err := sampleNonLinks(ctx, n, n.sides(), len(s.Train), rng.New(seed, "whole"))
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	s.TrainNeg = negatives
	return s, nil
}

// TrainOnly returns a split that has every link of the network for training, and nothing else.
func (n *Network) TrainOnly() *Split {
	s := &Split{Names: n.Names(), Directed: n.Directed(), Train: n.List()}
	s.weigh(n.weight)
	return s
}
