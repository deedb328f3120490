package hetnet

import "github.com/asp2vec/asp2vec/internal/rng"

// normals returns n random numbers from N(0, std²).
func normals(n int, std float64, name string) []float32 {
	x, s := make([]float32, n), rng.New(1, name)
	for i := range x {
		x[i] = float32(std * s.Normal())
	}
	return x
}
