package graphs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/network"
)

// BenchmarkDGI is one epoch on the largest component of real networks, with two threads.
func BenchmarkDGI(b *testing.B) {
	dir := os.Getenv("ASP2VEC_DATA")
	if dir == "" {
		b.Skip("ASP2VEC_DATA is not set: no real data to measure on")
	}
	for _, c := range []struct {
		folder string
		dim    int
		words  bool
	}{{"cora", 100, true}, {"cora", 100, false}, {"ppi", 100, false}, {"BlogCatalog", 100, false}, {"BlogCatalog", 500, false}} {
		b.Run(fmt.Sprintf("data=%s/words=%v/size=%d", c.folder, c.words, c.dim), func(b *testing.B) {
			net, _, err := network.Read(filepath.Join(dir, c.folder, "edges.tsv.gz"), network.ReadOptions{})
			if err != nil {
				b.Fatal(err)
			}
			net = net.LargestComponent()
			var features *network.Features
			if c.words {
				if features, err = network.ReadFeatures(filepath.Join(dir, c.folder+"-features", "features.tsv.gz"), net.Names()); err != nil {
					b.Fatal(err)
				}
			}
			d, err := newDGI(net, features, DGIOptions{Dim: c.dim, LearningRate: 1e-3, Seed: 1}, 2)
			if err != nil {
				b.Fatal(err)
			}
			epoch := 0
			run := func() {
				epoch++
				if err := d.Epoch(context.Background(), epoch, func(int64, Loss) {}); err != nil {
					b.Fatal(err)
				}
			}
			run() // allocates
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
		})
	}
}
