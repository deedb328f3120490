package layers_test

import (
	"fmt"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
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
			prob = G.Must(layers.Expand(G.Must(chosen(s, prob, noise, h)), pairs/w))
		} else {
			prob = G.Must(chosen(s, G.Must(layers.Expand(prob, pairs/w)), noise, h)) // (B,K)
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
	for name, s := range layers.Selections.All() {
		t.Run(name, func(t *testing.T) {
			build := compose(s, goldenValues(g), false)
			expectCase(t, goldenSelections[name], build)
			if !s.StraightThrough { // whose gradient is not that of its value
				check(t, name, build, inputs)
			}
		})
	}
	inputs[7] = gradcheck.Input{Name: "noise", Shape: []int{len(b.center), g.K}, Floats: flat(g.WindowNoise)}
	expectCase(t, "gumbel_window", compose(layers.Selections.Get("gumbel"), goldenValues(g), true))
}
