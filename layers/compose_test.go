package layers_test

import (
	"fmt"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/internal/op"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/gradcheck"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// compose puts the pieces of layers and losses together as asp2vec: in holds P (N,D), Q (N,K,D), and the indices of
// centers (W), contexts (W*C) and negatives (W*C*M), the readout's and the pairs' weights, and the noise.
func compose(s layers.Selection, h layers.Values, perWindow bool) gradcheck.Build {
	return func(_ *G.ExprGraph, in []*G.Node) (loss *G.Node, err error) {
		p, q, center, context, negative, bag, weight, noise := in[0], in[1], in[2], in[3], in[4], in[5], in[6], in[7]
		w, pairs := center.Shape()[0], context.Shape()[0]
		target := G.Must(layers.Lookup(p, center))   // (W,D)
		rows := G.Must(layers.Lookup(q, context))    // (B,K,D)
		others := G.Must(layers.Lookup(q, negative)) // (B*M,K,D)

		prob := G.Must(layers.Scores(target, G.Must(layers.MeanReadout(rows, bag)))) // (W,K)
		if perWindow {
			prob = G.Must(layers.Expand(G.Must(s.Prob(prob, noise, h)), pairs/w))
		} else {
			prob = G.Must(s.Prob(G.Must(layers.Expand(prob, pairs/w)), noise, h)) // (B,K)
		}
		pos := G.Must(layers.Scores(target, rows))                                    // (B,K)
		neg := G.Must(layers.Scores(target, others))                                  // (B*M,K)
		neg = G.Must(op.Reshape(neg, pairs, negative.Shape()[0]/pairs, q.Shape()[1])) // (B,M,K)
		return losses.AspectWeighted(G.Must(losses.SkipGram(pos, neg)), prob, weight)
	}
}

// TestGoldenComposition compares loss and gradients of the whole of asp2vec with the golden file, in windows of equal
// size, of which one has a slot of padding.
func TestGoldenComposition(t *testing.T) {
	golden.StillPaper(t)
	g, _ := readAll(t)
	b := batch(g)
	m := len(g.Negatives[0])
	negative := gradcheck.Input{Name: "negative", Shape: []int{len(b.rows) * m}}
	weight := gradcheck.Input{Name: "pair weight", Shape: []int{len(b.rows)}}
	noise := gradcheck.Input{Name: "noise", Shape: []int{len(b.rows), g.K}}
	for _, pair := range b.pair {
		if pair < 0 {
			negative.Ints = append(negative.Ints, make([]int, m)...)
			weight.Floats = append(weight.Floats, 0)
			noise.Floats = append(noise.Floats, make([]float64, g.K)...)
			continue
		}
		for _, v := range g.Negatives[pair] {
			negative.Ints = append(negative.Ints, int(v))
		}
		weight.Floats = append(weight.Floats, 1/float64(len(g.Pairs)))
		noise.Floats = append(noise.Floats, g.PairNoise[pair]...)
	}
	inputs := []gradcheck.Input{
		{Name: "P", Shape: []int{g.N, g.D}, Floats: flat(g.P), Diff: true},
		{Name: "Q", Shape: []int{g.N, g.K, g.D}, Floats: vertexMajor(g.Q), Diff: true},
		{Name: "center", Shape: []int{len(b.center)}, Ints: b.center},
		{Name: "context", Shape: []int{len(b.rows)}, Ints: b.rows},
		negative,
		{Name: "bag", Shape: []int{len(b.center), b.slots}, Floats: b.weight},
		weight,
		noise,
	}
	expectCase := func(t *testing.T, file string, build gradcheck.Build) {
		t.Helper()
		c, ok := g.Cases[file]
		if !ok {
			t.Fatal("no golden value: add a case to internal/golden/entries.py, and its name to goldenSelections")
		}
		for dt, tol := range precisions {
			r := run(t, dt, build, inputs...)
			for what, pair := range map[string][2][]float64{
				"loss": {r.Value, {c.Loss}}, "grad P": {r.Grads[0], flat(c.GradP)}, "grad Q": {r.Grads[1], vertexMajor(c.GradQ)},
			} {
				if err := gradcheck.Compare(fmt.Sprintf("%s %v %s", file, dt, what), pair[0], pair[1], tol); err != nil {
					t.Error(err)
				}
			}
		}
	}
	for name, s := range layers.Selections {
		t.Run(name, func(t *testing.T) {
			build := compose(s, goldenValues(g), false)
			expectCase(t, goldenSelections[name], build)
			if !s.StraightThrough { // whose gradient is not that of its value
				check(t, name, build, inputs)
			}
		})
	}
	inputs[7] = gradcheck.Input{Name: "noise", Shape: []int{len(b.center), g.K}, Floats: flat(g.WindowNoise)}
	expectCase(t, "gumbel_window", compose(layers.Selections["gumbel"], goldenValues(g), true))
}

// BenchmarkComposition is one step forward and backward of W = 512 windows of C = 6 contexts with M = 2 negatives, on one
// core, without the optimizer.
func BenchmarkComposition(b *testing.B) {
	const w, c, m = 512, 6, 2
	for _, z := range []struct {
		k, d, n int
		reg     bool
	}{{1, 100, 4000, false}, {5, 20, 4000, false}, {5, 20, 4000, true}, {5, 20, 50000, false}, {5, 40, 4000, false}} {
		b.Run(fmt.Sprintf("aspects=%d/size=%d/vertices=%d/reg=%v", z.k, z.d, z.n, z.reg), func(b *testing.B) {
			g := G.NewGraph()
			s := rng.New(1, "benchmark")
			float := func(name string, scale float32, shape ...int) *G.Node {
				x := make([]float32, tensor.Shape(shape).TotalSize())
				for i := range x {
					x[i] = scale * float32(s.Normal())
				}
				return G.NewTensor(g, tensor.Float32, len(shape), G.WithName(name), G.WithShape(shape...),
					G.WithValue(tensor.New(tensor.WithShape(shape...), tensor.WithBacking(x))))
			}
			index := func(name string, size int) *G.Node {
				x := make([]int, size)
				for i := range x {
					x[i] = s.Intn(z.n)
				}
				return G.NewVector(g, tensor.Int, G.WithName(name), G.WithShape(size), G.WithValue(tensor.New(tensor.WithBacking(x))))
			}
			p, q := float("P", 0.1, z.n, z.d), float("Q", 0.1, z.n, z.k, z.d)
			loss, err := compose(layers.Selections["gumbel"], layers.Values{"tau": 0.5}, false)(g, []*G.Node{
				p, q, index("center", w), index("context", w*c), index("negative", w*c*m),
				float("bag", 0.2, w, c), float("weight", 0.1, w*c), float("noise", 1, w*c, z.k),
			})
			if err != nil {
				b.Fatal(err)
			}
			if z.reg {
				reg := G.Must(losses.AspectRegularizer(q, 0.5))
				loss = G.Must(G.Add(loss, reg))
			}
			if _, err := G.Grad(loss, p, q); err != nil {
				b.Fatal(err)
			}
			vm := G.NewTapeMachine(g)
			defer vm.Close()
			b.ReportAllocs()
			for b.Loop() {
				if err := vm.RunAll(); err != nil {
					b.Fatal(err)
				}
				vm.Reset()
			}
			b.ReportMetric(float64(w*c)*float64(b.N)/b.Elapsed().Seconds(), "pairs/s")
		})
	}
}
