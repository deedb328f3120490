package fused

import (
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/walks"
)

// Every variant of the loss against the values computed elsewhere in float64; float32 rounding allows 1e-5 of loss and 1e-6
// of gradients, which are at most 0.1.
func TestPairsGolden(t *testing.T) {
	g, err := golden.Load()
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name      string
		selection Selection
		perPair   bool
	}{
		{"gumbel_pair", Gumbel, true},
		{"gumbel_window", Gumbel, false},
		{"gumbel_hard", Hard, true},
		{"softmax", Softmax, false},
		{"none", None, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, err := NewPairs(Config{Aspects: g.K, Dim: g.D, Selection: c.selection, NoisePerPair: c.perPair, Tau: float32(g.Tau), Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			p.uniform = func(dst []float32, _ rng.Key, b *walks.Batch, w int) { replay(dst, g, w, c.perPair) }
			want := g.Cases[c.name]
			centers, aspects := golden.Flat[float32](g.P), golden.VertexMajor[float32](g.Q)
			p.Bind(g.Batch())
			close(t, "loss", []float32{float32(p.Forward(centers, aspects))}, []float64{want.Loss}, 1e-5)
			close(t, "gradient of P", gather(g.N, g.D, func(dst []float32, v int) { p.CenterRow(dst, v) }), golden.Flat[float64](want.GradP), 1e-6)
			close(t, "gradient of Q", gather(g.N, g.K*g.D, func(dst []float32, v int) { p.AspectRow(dst, v) }), golden.VertexMajor[float64](want.GradQ), 1e-6)
		})
	}
}

// replay gives the uniform numbers that the example's Gumbel noise comes from.
func replay(dst []float32, g *golden.Asp2vec, w int, perPair bool) {
	noise := g.WindowNoise[w]
	if perPair {
		noise = golden.Flat[float64](g.PairNoise)[[]int{0, 3}[w]*g.K:] // the first window has three pairs
	}
	for i := range dst {
		dst[i] = 0.5
		if i < len(noise) {
			dst[i] = float32(math.Exp(-math.Exp(-noise[i])))
		}
	}
}

func TestDeepWalkGolden(t *testing.T) {
	g, err := golden.Load()
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPairs(Config{Aspects: 1, Dim: g.D, Selection: None})
	if err != nil {
		t.Fatal(err)
	}
	p.Bind(g.Batch())
	centers, contexts := golden.Flat[float32](g.P), golden.Flat[float32](g.Q[0])
	close(t, "loss", []float32{float32(p.Forward(centers, contexts))}, []float64{g.DeepWalk.Loss}, 1e-5)
	close(t, "gradient of P", gather(g.N, g.D, func(dst []float32, v int) { p.CenterRow(dst, v) }), golden.Flat[float64](g.DeepWalk.GradP), 1e-6)
	close(t, "gradient of C", gather(g.N, g.D, func(dst []float32, v int) { p.AspectRow(dst, v) }), golden.Flat[float64](g.DeepWalk.GradC), 1e-6)
}

func gather(n, width int, row func(dst []float32, v int)) []float32 {
	all := make([]float32, n*width)
	for v := range n {
		row(all[v*width:(v+1)*width], v)
	}
	return all
}

func close(t *testing.T, what string, got []float32, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(float64(got[i])-want[i]) <= tolerance) {
			t.Errorf("%s [%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}
