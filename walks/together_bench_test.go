package walks

import (
	"fmt"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// BenchmarkTogether draws walks anew in random order, as an epoch does: one after the other, or several at a time.
func BenchmarkTogether(b *testing.B) {
	for _, vertices := range []int{smallNetwork, largeNetwork} {
		for _, together := range []bool{false, true} {
			b.Run(fmt.Sprintf("vertices=%d/together=%v", vertices, together), func(b *testing.B) {
				_, u := benchUniform(b, vertices)
				benchDraw(b, u, together)
			})
		}
	}
}

// oneByOne hides that a source can draw several walks at a time.
type oneByOne struct{ Source }

func benchDraw(b *testing.B, src Source, together bool) {
	if !together {
		src = oneByOne{src}
	}
	order := newPermutation(uint64(src.Walks()), rng.NewKey(1, "bench"))
	var steps, sum int64
	next := 0
	const block = 1024
	b.ReportAllocs()
	for b.Loop() {
		for _, walk := range eachWalk(src, next, min(next+block, src.Walks()), func(j int) int { return int(order.at(uint64(j))) }) {
			for _, v := range walk { // reading is part of it
				sum += int64(v)
			}
			steps += int64(len(walk) - 1)
		}
		if next += block; next >= src.Walks() {
			next = 0
		}
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
}

// BenchmarkNode2Vec draws second-order walks, several at a time.
func BenchmarkNode2Vec(b *testing.B) {
	for _, vertices := range []int{smallNetwork, largeNetwork} {
		for _, bias := range [][2]float64{{1, 1}, {0.25, 4}, {4, 0.25}} {
			b.Run(fmt.Sprintf("vertices=%d/p=%v/q=%v", vertices, bias[0], bias[1]), func(b *testing.B) {
				n, err := NewNode2Vec(benchNetwork(b, vertices), Options{PerVertex: 1, Length: 80, Seed: 1}, bias[0], bias[1])
				if err != nil {
					b.Fatal(err)
				}
				benchDraw(b, n, true)
			})
		}
	}
}
