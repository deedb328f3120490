package walks

import (
	"context"

	"github.com/asp2vec/asp2vec/network"
)

func NewNode2Vec(net *network.Network, o Options, p, q float64) (*Uniform, error) { return NewUniform(net, o) }
func Frequencies(ctx context.Context, src Source, vertices, threads int) ([]int64, error) {
	c := make([]int64, vertices)
	for i := range src.Walks() {
		for _, v := range src.Walk(i, nil) {
			c[v]++
		}
	}
	return c, nil
}
func NoiseWeights(counts []int64, power float64) []float64 { return nil }
