package main

import (
	"github.com/asp2vec/asp2vec/bench/internal/peer"
	"github.com/asp2vec/asp2vec/network"
)

// writeWalks writes the walks over the training links of the split that every peer reads; asp2vec draws its own, with the same
// options.
func writeWalks(o options, path string) (*network.Network, error) {
	split, err := network.ReadSplit(o.split, false)
	if err != nil {
		return nil, err
	}
	net, err := split.TrainNetwork()
	if err != nil {
		return nil, err
	}
	return net, peer.WriteWalks(net, o.seed, path)
}
