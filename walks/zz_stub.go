package walks

import (
	"context"
)

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
