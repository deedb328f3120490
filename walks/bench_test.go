package walks

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
)

// Benchmarks run on generated networks of mean degree 10: one of the size of PPI, whose tables fit a core's cache, and one
// that fits none. Networks are made once, when first asked for; -short leaves the large one out.
const (
	smallNetwork = 4_000
	largeNetwork = 500_000
)

var benchNetwork = func() func(b *testing.B, vertices int) *network.Network {
	once := map[int]func() (*network.Network, error){}
	for _, n := range []int{smallNetwork, largeNetwork} {
		once[n] = sync.OnceValues(func() (*network.Network, error) {
			net, _, err := network.Planted(network.PlantedOptions{
				Vertices: n, Communities: n / 100, Memberships: 3, MeanDegree: 10, Mixing: 0.1, Seed: 1,
			})
			return net, err
		})
	}
	return func(b *testing.B, vertices int) *network.Network {
		b.Helper()
		if testing.Short() && vertices > smallNetwork {
			b.Skip("a large network: run without -short")
		}
		net, err := once[vertices]()
		if err != nil {
			b.Fatal(err)
		}
		return net
	}
}()

// benchUniform returns a corpus of one walk of 80 vertices from each vertex.
func benchUniform(b *testing.B, vertices int) (*network.Network, *Uniform) {
	b.Helper()
	net := benchNetwork(b, vertices)
	u, err := NewUniform(net, Options{PerVertex: 1, Length: 80, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	return net, u
}

func benchStored(b *testing.B, src Source) *Stored {
	b.Helper()
	s, err := Store(context.Background(), src, 2)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// BenchmarkWalk draws walks anew, or reads those that are kept, in random order as an epoch does.
func BenchmarkWalk(b *testing.B) {
	for _, vertices := range []int{smallNetwork, largeNetwork} {
		for _, kept := range []bool{false, true} {
			b.Run(fmt.Sprintf("vertices=%d/kept=%v", vertices, kept), func(b *testing.B) {
				_, u := benchUniform(b, vertices)
				var src Source = u
				if kept {
					src = benchStored(b, u)
				}
				order := newPermutation(uint64(src.Walks()), rng.NewKey(1, "bench"))
				buf := make([]int32, 0, src.MaxLength())
				var steps, sum int64
				i := 0
				b.ReportAllocs()
				for b.Loop() {
					walk := src.Walk(int(order.at(uint64(i))), buf)
					for _, v := range walk { // reading is part of it
						sum += int64(v)
					}
					steps += int64(len(walk) - 1)
					i = (i + 1) % src.Walks()
				}
				b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "steps/s")
			})
		}
	}
}

// BenchmarkPass makes the batches of an epoch and does nothing with them: what a training thread waits for if it is faster.
func BenchmarkPass(b *testing.B) {
	for _, vertices := range []int{smallNetwork, largeNetwork} {
		for _, order := range []string{Shuffled, Grouped} {
			for _, kept := range []bool{false, true} {
				b.Run(fmt.Sprintf("vertices=%d/order=%s/kept=%v", vertices, order, kept), func(b *testing.B) {
					net, u := benchUniform(b, vertices)
					var src Source = u
					if kept {
						src = benchStored(b, u)
					}
					s, err := NewStream(context.Background(), src, net.Vertices(), benchStream(order))
					if err != nil {
						b.Fatal(err)
					}
					var pairs int64
					b.ReportAllocs()
					batches, pass := 0, uint64(0)
					b.ResetTimer()
					for batches < b.N {
						pass++
						for batch := range s.Pass(context.Background(), pass) {
							pairs += int64(batch.Pairs)
							if batches++; batches >= b.N {
								break
							}
						}
					}
					b.ReportMetric(float64(pairs)/b.Elapsed().Seconds(), "pairs/s")
				})
			}
		}
	}
}

func benchStream(order string) StreamOptions {
	return StreamOptions{Window: 3, Negatives: 2, Batch: 50_000, Order: order, Resample: true, Seed: 1}
}

// BenchmarkIndex builds the index of one batch.
func BenchmarkIndex(b *testing.B) {
	for _, vertices := range []int{smallNetwork, largeNetwork} {
		b.Run(fmt.Sprintf("vertices=%d", vertices), func(b *testing.B) {
			net, u := benchUniform(b, vertices)
			s, err := NewStream(context.Background(), u, net.Vertices(), benchStream(Shuffled))
			if err != nil {
				b.Fatal(err)
			}
			var batch Batch
			for first := range s.Pass(context.Background(), 1) {
				batch = *first
				break
			}
			batch.Index = Index{} // with room of its own: a stream's batches share theirs
			var pairs int64
			b.ReportAllocs()
			for b.Loop() {
				batch.Index.Build(&batch, net.Vertices())
				pairs += int64(batch.Pairs)
			}
			b.ReportMetric(float64(pairs)/b.Elapsed().Seconds(), "pairs/s")
		})
	}
}

// BenchmarkPermutation permutes the windows of a block of walks, and the walks of a corpus.
func BenchmarkPermutation(b *testing.B) {
	for _, n := range []uint64{blockWalks * 80, 10 * largeNetwork} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			p := newPermutation(n, rng.NewKey(1, "bench"))
			var i, sum uint64
			for b.Loop() {
				sum += p.at(i)
				i = (i + 1) % n
			}
			if sum == 0 && i > 1 {
				b.Fatal("all indices are zero")
			}
		})
	}
}
