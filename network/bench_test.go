package network

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"testing"
)

func benchmarkNetwork(b *testing.B, vertices int) *Network {
	b.Helper()
	n, _, err := Planted(PlantedOptions{Vertices: vertices, Communities: vertices / 50, Memberships: 3, MeanDegree: 10, Mixing: 0.2, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	return n
}

func BenchmarkRead(b *testing.B) {
	for _, vertices := range []int{1000, 100_000} {
		var plain, packed bytes.Buffer
		n := benchmarkNetwork(b, vertices)
		z := gzip.NewWriter(&packed)
		if err := n.Write(io.MultiWriter(&plain, z)); err != nil {
			b.Fatal(err)
		}
		if err := z.Close(); err != nil {
			b.Fatal(err)
		}
		for name, text := range map[string][]byte{"plain": plain.Bytes(), "gzip": packed.Bytes()} {
			b.Run(fmt.Sprintf("vertices=%d/format=%s", vertices, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, _, err := ReadFrom(bytes.NewReader(text), "input", ReadOptions{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(n.Links())*float64(b.N)/b.Elapsed().Seconds(), "links/s")
			})
		}
	}
}

func BenchmarkMakeSplit(b *testing.B) {
	for _, vertices := range []int{1000, 100_000} {
		n := benchmarkNetwork(b, vertices)
		for _, rule := range Rules() {
			b.Run(fmt.Sprintf("vertices=%d/rule=%s", vertices, rule), func(b *testing.B) {
				benchmarkSplit(b, n, rule)
			})
		}
	}
}

func benchmarkSplit(b *testing.B, n *Network, rule string) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := MakeSplit(context.Background(), n, SplitOptions{Remove: 0.5, Rule: rule, Seed: 1}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n.Links())*float64(b.N)/b.Elapsed().Seconds(), "links/s")
}

func BenchmarkPlanted(b *testing.B) {
	for _, vertices := range []int{1000, 100_000} {
		b.Run(fmt.Sprintf("vertices=%d", vertices), func(b *testing.B) {
			for b.Loop() {
				benchmarkNetwork(b, vertices)
			}
			b.ReportMetric(float64(vertices)*float64(b.N)/b.Elapsed().Seconds(), "vertices/s")
		})
	}
}

func BenchmarkData(b *testing.B) {
	path := filepath.Join(dataDir(b), "soc-epinions", "edges.tsv.gz")
	n, _, err := Read(path, ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("network=soc-epinions/step=read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := Read(path, ReadOptions{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, rule := range Rules() {
		b.Run("network=soc-epinions/step=split/rule="+rule, func(b *testing.B) { benchmarkSplit(b, n, rule) })
	}
}
