package layers_test

import (
	"testing"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func vertexMajor(q [][][]float64) []float64 { return golden.VertexMajor[float64](q) }

func flat(rows [][]float64) []float64 { return golden.Flat[float64](rows) }

// precisions are the float types, with how far from the golden values they may be.
var precisions = map[tensor.Dtype]float64{tensor.Float64: 1e-7, tensor.Float32: 1e-5}

// expect runs a function in both precisions and compares its value.
func expect(t *testing.T, build gradcheck.Build, inputs []gradcheck.Input, want []float64) {
	t.Helper()
	for dt, tol := range precisions {
		r := call.Of(gradcheck.Run(build, dt, inputs))(t)
		if err := gradcheck.Compare(dt.String(), r.Value, want, tol); err != nil {
			t.Error(err)
		}
	}
}

func readAll(t testing.TB) (*golden.Asp2vec, *golden.Entries) {
	t.Helper()
	g, e, err := golden.LoadAll()
	if err != nil {
		t.Fatal(err)
	}
	return g, e
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
	g, e := readAll(t)
	b := batch(g)
	aspects := gradcheck.Input{Name: "Q", Shape: []int{g.N, g.K, g.D}, Floats: vertexMajor(g.Q)}
	rows := gradcheck.Input{Name: "rows", Shape: []int{len(b.rows)}, Ints: b.rows}
	weight := gradcheck.Input{Name: "weight", Shape: []int{len(b.center), b.slots}, Floats: b.weight}
	golden := map[string][][][]float64{"mean": g.Readout, "sum": e.Readouts["sum"], "max": e.Readouts["max"]}
	of := func(readout layers.Readout) gradcheck.Build {
		return func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
			r, err := layers.Lookup(in[0], in[1])
			if err != nil {
				return nil, err
			}
			return readout.Read(contexts(r, in[2], readout.Learned...), option.Usual(readout.Parameters))
		}
	}
	var logits []float64
	for w := range g.Windows {
		logits = append(logits, g.Cases["softmax"].Logits[b.pair[w*b.slots]]...)
	}
	for name, readout := range layers.Readouts.All() {
		pairs, ok := golden[name]
		if !ok {
			t.Errorf("readout %s has no golden value: compute one outside of this program, and add it to this test", name)
			continue
		}
		var want []float64
		for w := range g.Windows {
			want = append(want, flat(pairs[b.pair[w*b.slots]])...)
		}
		expect(t, of(readout), []gradcheck.Input{aspects, rows, weight}, want)
	}
	mean := of(layers.Readouts.Get("mean"))

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
var goldenSelections = map[string]string{"gumbel": "gumbel_pair", "hard": "gumbel_hard", "softmax": "softmax", "none": "none",
	"straight-through": "straight_through", "entmax15": "entmax15", "random": "random"}

// goldenValues are the hyperparameters of those cases.
func goldenValues(g *golden.Asp2vec) layers.Values { return layers.Values{"tau": g.Tau} }

func TestGoldenSelections(t *testing.T) {
	g, _ := readAll(t)
	for name, s := range layers.Selections.All() {
		t.Run(name, func(t *testing.T) {
			c, ok := g.Cases[goldenSelections[name]]
			if !ok {
				t.Fatal("no golden value: add a case to internal/golden/entries.py, and its name to goldenSelections")
			}
			expect(t, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return chosen(s, in[0], in[1], goldenValues(g)) },
				[]gradcheck.Input{
					{Name: "logits", Shape: []int{len(c.Logits), g.K}, Floats: flat(c.Logits)},
					{Name: "noise", Shape: []int{len(c.Logits), g.K}, Floats: flat(g.PairNoise)},
				}, flat(c.Prob))
		})
	}
}

// TestGoldenEntmax: with zeros among the probabilities, which those of the example's logits have not.
func TestGoldenEntmax(t *testing.T) {
	_, e := readAll(t)
	logits := gradcheck.Input{Name: "logits", Shape: []int{len(e.Entmax15.Logits), len(e.Entmax15.Logits[0])}, Floats: flat(e.Entmax15.Logits)}
	expect(t, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return layers.Entmax15(in[0]) }, []gradcheck.Input{logits}, flat(e.Entmax15.Prob))
}
