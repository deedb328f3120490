package graphs

import "github.com/asp2vec/asp2vec/graphs/engine"

// Beginning returns what Input.Begin is for a run that begins with one vector for each vertex (N,Dim): that one is the centre and all aspects, as
// after a warm-up, but for the run's aspect-noise.
func Beginning(vectors []float32, o Options) [][]float32 {
	n := len(vectors) / o.Dim
	aspects := engine.NewTable("Q", n, o.Aspects, o.Dim)
	for v := range n {
		aspects.Repeat(v, vectors[v*o.Dim:][:o.Dim])
	}
	aspects.Disturb(o.Seed, o.AspectNoise)
	return [][]float32{vectors, aspects.X}
}
