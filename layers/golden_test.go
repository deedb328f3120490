package layers_test

import (
	"testing"

	"github.com/asp2vec/asp2vec/internal/golden"
	"github.com/asp2vec/asp2vec/internal/gradcheck"
	"github.com/asp2vec/asp2vec/layers"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func readGolden(t testing.TB) *golden.Asp2vec {
	t.Helper()
	g, err := golden.Load()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func vertexMajor(q [][][]float64) []float64 { return golden.VertexMajor[float64](q) }

func flat(rows [][]float64) []float64 { return golden.Flat[float64](rows) }

// precisions are the float types, with how far from the golden values they may be.
var precisions = map[tensor.Dtype]float64{tensor.Float64: 1e-7, tensor.Float32: 1e-5}

// expect runs a function in both precisions and compares its value.
func expect(t *testing.T, build gradcheck.Build, inputs []gradcheck.Input, want []float64) {
	t.Helper()
	for dt, tol := range precisions {
		r, err := gradcheck.Run(build, dt, inputs)
		if err != nil {
			t.Fatal(err)
		}
		if err := gradcheck.Compare(dt.String(), r.Value, want, tol); err != nil {
			t.Error(err)
		}
	}
}

// window is the golden batch as windows of equal size: two windows of C = 3 slots, of which the second uses two.
type window struct {
	slots  int
	center []int     // (W)
	rows   []int     // (W*C): contexts, vertex 0 in padding
	weight []float64 // (W,C)
	pair   []int     // (W*C): which pair of the file, -1 for padding
}

func batch(g *golden.Asp2vec) (b window) {
	b.slots = 3
	pair := 0
	for _, w := range g.Windows {
		b.center = append(b.center, int(w.Center))
		distinct := map[int32]bool{}
		for _, v := range w.Context {
			distinct[v] = true
		}
		for c := range b.slots {
			if c >= len(w.Context) {
				b.rows, b.weight, b.pair = append(b.rows, 0), append(b.weight, 0), append(b.pair, -1)
				continue
			}
			v := w.Context[c]
			weight := 0.0
			if distinct[v] {
				weight = 1 / float64(len(bag(w.Context)))
				distinct[v] = false
			}
			b.rows, b.weight, b.pair = append(b.rows, int(v)), append(b.weight, weight), append(b.pair, pair)
			pair++
		}
	}
	return b
}

func bag(context []int32) map[int32]bool {
	m := map[int32]bool{}
	for _, v := range context {
		m[v] = true
	}
	return m
}

// TestGoldenReadoutAndScores goes from the tables to the logits of the file.
func TestGoldenReadoutAndScores(t *testing.T) {
	g := readGolden(t)
	b := batch(g)
	if _, ok := layers.Readouts["mean"]; !ok || len(layers.Readouts) != 1 {
		t.Error("a readout has no golden value: add one to this test, and a case to TestGradients")
	}
	aspects := gradcheck.Input{Name: "Q", Shape: []int{g.N, g.K, g.D}, Floats: vertexMajor(g.Q)}
	rows := gradcheck.Input{Name: "rows", Shape: []int{len(b.rows)}, Ints: b.rows}
	weight := gradcheck.Input{Name: "weight", Shape: []int{len(b.center), b.slots}, Floats: b.weight}
	var readout, logits []float64
	for w := range g.Windows {
		first := b.pair[w*b.slots]
		readout = append(readout, flat(g.Readout[first])...)
		logits = append(logits, g.Cases["softmax"].Logits[first]...)
	}
	mean := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		r, err := layers.Lookup(in[0], in[1])
		if err != nil {
			return nil, err
		}
		return layers.Readouts["mean"](r, in[2])
	}
	expect(t, mean, []gradcheck.Input{aspects, rows, weight}, readout)

	center := gradcheck.Input{Name: "P", Shape: []int{g.N, g.D}, Floats: flat(g.P)}
	index := gradcheck.Input{Name: "center", Shape: []int{len(b.center)}, Ints: b.center}
	expect(t, func(eg *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		r, err := mean(eg, in)
		if err != nil {
			return nil, err
		}
		c, err := layers.Lookup(in[3], in[4])
		if err != nil {
			return nil, err
		}
		return layers.Scores(c, r)
	}, []gradcheck.Input{aspects, rows, weight, center, index}, logits)
}

// goldenSelections names the case of the file for each selection.
var goldenSelections = map[string]string{"gumbel": "gumbel_pair", "hard": "gumbel_hard", "softmax": "softmax", "none": "none"}

func TestGoldenSelections(t *testing.T) {
	g := readGolden(t)
	for name, s := range layers.Selections {
		t.Run(name, func(t *testing.T) {
			c, ok := g.Cases[goldenSelections[name]]
			if !ok {
				t.Fatal("no golden value: add a case to internal/golden/asp2vec.json, and its name to goldenSelections")
			}
			expect(t, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return s.Prob(in[0], in[1], g.Tau) },
				[]gradcheck.Input{
					{Name: "logits", Shape: []int{len(c.Logits), g.K}, Floats: flat(c.Logits)},
					{Name: "noise", Shape: []int{len(c.Logits), g.K}, Floats: flat(g.PairNoise)},
				}, flat(c.Prob))
		})
	}
}
