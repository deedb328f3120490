package fused

import (
	"fmt"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// The ops in one graph, L + lambda reg, differentiated by Gorgonia, against the values computed elsewhere. Doubling the loss
// shows that the upstream gradient is heeded, and a second run that nothing is left over from the first.
func TestNodesGolden(t *testing.T) {
	g, err := golden.Load()
	if err != nil {
		t.Fatal(err)
	}
	want := g.Cases["gumbel_pair_plus_reg"]
	for _, threads := range []int{1, 2} {
		for _, upstream := range []float32{1, 2} {
			t.Run(fmt.Sprintf("threads=%d/upstream=%v", threads, upstream), func(t *testing.T) {
				pairs, err := NewPairs(Config{Aspects: g.K, Dim: g.D, Selection: Gumbel, NoisePerPair: true, Tau: float32(g.Tau), Threads: threads})
				if err != nil {
					t.Fatal(err)
				}
				pairs.uniform = func(dst []float32, _ rng.Key, _ *walks.Batch, w int) { replay(dst, g, w, true) }
				pairs.Bind(g.Batch())
				graph := G.NewGraph()
				p := node(graph, "P", golden.Flat[float32](g.P), g.N, g.D)
				q := node(graph, "Q", golden.VertexMajor[float32](g.Q), g.N, g.K, g.D)
				loss := G.Must(pairs.Node(p, q))
				reg := G.Must(RegularizerNode(q, float32(g.Epsilon)))
				total := G.Must(G.Add(loss, G.Must(G.Mul(reg, G.NewConstant(float32(g.Lambda))))))
				scaled := G.Must(G.Mul(total, G.NewConstant(upstream)))
				grads, err := G.Grad(scaled, p, q)
				if err != nil {
					t.Fatal(err)
				}
				vm := G.NewTapeMachine(graph)
				for range 2 {
					vm.Reset()
					if err := vm.RunAll(); err != nil {
						t.Fatal(err)
					}
					up := float64(upstream)
					close(t, "loss", []float32{scaled.Value().Data().(float32)}, times(up, []float64{want.Total}), 2e-5)
					close(t, "gradient of P", grads[0].Value().Data().([]float32), times(up, golden.Flat[float64](want.GradP)), 2e-6)
					close(t, "gradient of Q", grads[1].Value().Data().([]float32), times(up, golden.VertexMajor[float64](want.GradQ)), 2e-6)
				}
			})
		}
	}
}

func node(g *G.ExprGraph, name string, x []float32, shape ...int) *G.Node {
	return G.NewTensor(g, tensor.Float32, len(shape), G.WithName(name), G.WithShape(shape...),
		G.WithValue(tensor.New(tensor.WithShape(shape...), tensor.WithBacking(x))))
}

func times(a float64, x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = a * v
	}
	return y
}

func TestNodesRefuseOtherShapes(t *testing.T) {
	pairs, err := NewPairs(Config{Aspects: 2, Dim: 3})
	if err != nil {
		t.Fatal(err)
	}
	g := G.NewGraph()
	p := node(g, "P", make([]float32, 12), 4, 3)
	q := node(g, "Q", make([]float32, 24), 4, 3, 2)
	if _, err := pairs.Node(p, q); err == nil {
		t.Error("aspects of another shape: want an error")
	}
	if _, err := RegularizerNode(p, 0.5); err == nil {
		t.Error("a matrix for aspects: want an error")
	}
}
