package graphs

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/asp2vec/asp2vec/network"
)

// benchNetwork is of the size of PPI: 3,852 vertices of mean degree 10.
func benchNetwork(b *testing.B, vertices int) *network.Network {
	b.Helper()
	net, _, err := network.Planted(network.PlantedOptions{Vertices: vertices, Communities: vertices / 100, Memberships: 3, MeanDegree: 10, Mixing: 0.1, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	return net
}

// BenchmarkStep times training, everything but evaluation, by the batch of 50,000 pairs.
func BenchmarkStep(b *testing.B) {
	net := benchNetwork(b, 3852)
	for _, c := range []struct {
		method       string
		dim, aspects int
	}{
		{MethodAsp2vec, 20, 5},
		{MethodAsp2vec, 100, 5},
		{MethodDeepWalk, 100, 1},
	} {
		for _, threads := range []int{1, runtime.NumCPU()} {
			b.Run(fmt.Sprintf("method=%s/d=%d/k=%d/threads=%d", c.method, c.dim, c.aspects, threads), func(b *testing.B) {
				o := Default()
				o.SetMethod(MethodOf(c.method))
				o.Dim, o.Aspects, o.Select = c.dim, c.aspects, SelectLast
				benchSteps(b, net, o, threads)
			})
		}
	}
}

func benchSteps(b *testing.B, net *network.Network, o Options, threads int) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads)) // who prepares batches counts too
	o = o.Complete()
	src, err := uniformWalks(net, o)
	if err != nil {
		b.Fatal(err)
	}
	stream, err := newCorpus(context.Background(), src, net.Vertices(), nil, o, threads)
	if err != nil {
		b.Fatal(err)
	}
	m, err := NewSkipGram(o, net.Vertices(), threads)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	var pairs int64
	pass, left := uint64(0), 0
	b.ResetTimer()
	for left < b.N {
		pass++
		for batch := range stream.Pass(context.Background(), pass) {
			if _, err := m.Step(batch); err != nil {
				b.Fatal(err)
			}
			pairs += int64(batch.Pairs)
			if left++; left >= b.N {
				break
			}
		}
	}
	b.ReportMetric(float64(pairs)/b.Elapsed().Seconds(), "pairs/s")
}

// BenchmarkOptimizer times training where tables fit a core's cache and where they fit none, by the batch of 50,000 pairs;
// -short leaves the large network out. One walk from each vertex, drawn anew: more would change the set-up only.
func BenchmarkOptimizer(b *testing.B) {
	for _, vertices := range []int{5_000, 500_000} {
		var net *network.Network
		for _, kind := range []string{OptimizerAdam, OptimizerLazyAdam, OptimizerSGD} {
			b.Run(fmt.Sprintf("optimizer=%s/vertices=%d", kind, vertices), func(b *testing.B) {
				if testing.Short() && vertices > 5_000 {
					b.Skip("a large network: run without -short")
				}
				if net == nil {
					net = benchNetwork(b, vertices)
				}
				o := Default()
				o.Optimizer, o.Select, o.Walks, o.WalksInMemory = kind, SelectLast, 1, "false"
				benchSteps(b, net, o, 1)
			})
		}
	}
}

// BenchmarkRegularizer times the aspect regularizer with its gradient alone, by the row, once around a table.
func BenchmarkRegularizer(b *testing.B) {
	for _, c := range []struct{ dim, aspects int }{{20, 5}, {100, 5}, {20, 10}} {
		b.Run(fmt.Sprintf("d=%d/k=%d", c.dim, c.aspects), func(b *testing.B) {
			o := Default()
			o.Dim, o.Aspects = c.dim, c.aspects
			q := NewTable("Q", 4_000, c.aspects, c.dim)
			q.InitNormal(1, 1)
			penalty, err := newTablePenalty(o, q, 1)
			if err != nil {
				b.Fatal(err)
			}
			g := make([]float32, rowsAtOnce*q.Width())
			list := make([]int32, rowsAtOnce)
			var rows int
			b.ReportAllocs()
			for b.Loop() {
				for lo := 0; lo+rowsAtOnce <= q.Rows; lo += rowsAtOnce {
					for i := range list {
						list[i] = int32(lo + i)
					}
					penalty.rows(0, g, list)
				}
				rows += q.Rows
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
