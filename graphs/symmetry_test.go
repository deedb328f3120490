package graphs

import (
	"math"
	"slices"
	"testing"

	G "gorgonia.org/gorgonia"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/layers"
)

// Aspects that are equal get equal gradients unless noise tells them apart. So after a warm-up, softmax and none train one
// aspect K times over, and only the Gumbel noise makes aspects of them.
func TestOnlyNoiseSeparatesAspects(t *testing.T) {
	for _, c := range []struct {
		selection string
		separate  bool
	}{{"softmax", false}, {"none", false}, {"entmax15", false}, {"gumbel", true}, {"hard", true}} {
		t.Run(c.selection, func(t *testing.T) {
			o := small()
			o.WarmUp, o.Selection = true, c.selection
			m := model(train(t, karate(), o, Monitor{}))
			largest := 0.0 // angle between two aspects of a vertex, as 1 - cosine
			for v := range m.Q.Rows {
				x := m.Q.Row(v)
				for s := 1; s < o.Aspects; s++ {
					a, b := x[:o.Dim], x[s*o.Dim:][:o.Dim]
					largest = max(largest, 1-dot(a, b)/math.Sqrt(dot(a, a)*dot(b, b)))
				}
			}
			if c.separate && largest < 0.1 || !c.separate && largest > 1e-6 {
				t.Errorf("largest 1 - cosine of a vertex's aspects: %v, expected them apart: %v", largest, c.separate)
			}
		})
	}
}

// With one aspect there is nothing to select: asp2vec is DeepWalk, whatever the selection, but for the norm cap, which an
// epoch from small vectors does not reach.
func TestOneAspectIsDeepWalk(t *testing.T) {
	o := small()
	o.SetMethod(MethodOf(MethodDeepWalk))
	o.Epochs = 1
	want := train(t, karate(), o, Monitor{})
	o.SetMethod(MethodOf(MethodAsp2vec))
	o.Aspects = 1
	for _, selection := range layers.Selections.Names() {
		t.Run(selection, func(t *testing.T) {
			o.Selection = selection
			got := train(t, karate(), o, Monitor{})
			if a, b := got.Stages[0].Epochs[0].Loss, want.Stages[0].Epochs[0].Loss; math.Abs(a.Pairs-b.Pairs) > 1e-6 || a.Penalty != 0 {
				t.Errorf("loss %v, expected %v", a, b)
			}
			// Adam turns rounding of gradients near zero into steps, so what is compared is the embedding as a whole.
			if !Near(widen(got.Embedding.Final), widen(want.Embedding.Final), 0, 1e-3) {
				t.Error("other embedding than DeepWalk's")
			}
		})
	}
}

// Above epsilon = 1 there is no cosine, so nothing is penalised, also not where all aspects are equal and rounding might put
// a cosine above 1; with epsilon below 1 they are, K(K-1)/2 = 3 pairs for each vertex.
func TestEpsilonOneIsNoPenalty(t *testing.T) {
	for _, epsilon := range []float64{1, 0.9} {
		o := small()
		o.WarmUp, o.Epsilon, o.Epochs, o.Batch = true, epsilon, 1, 1e6
		first := -1.0
		train(t, karate(), o, Monitor{Tell: On(func(p Progress) {
			if p.Stage == StageMain {
				first = p.Loss.Penalty
			}
		})})
		want := 0.0
		if epsilon < 1 {
			want = o.Lambda * 34 * 3
		}
		if math.Abs(first-want) > 1e-5*want {
			t.Errorf("epsilon %v: penalty %v of equal aspects, expected %v", epsilon, first, want)
		}
	}
}

// Aspects have no order: with the table's aspects and the noise's in another one, the loss is the same and the gradients
// are in that order too.
func TestPermutedAspects(t *testing.T) {
	evaluate := func(t *testing.T, g *golden.Asp2vec, name string) (loss float64, p, q []float64) {
		o := exampleOptions(g, name)
		graph := G.NewGraph()
		pNode := table64(graph, "P", golden.Flat[float64](g.P), g.N, g.D)
		qNode := table64(graph, "Q", golden.VertexMajor[float64](g.Q), g.N, g.K, g.D)
		sum := G.Must(G.Add(G.Must(Asp2vecLoss(o, pNode, qNode, inputs64(graph, g, o))), G.Must(AspectPenalty(o, engine.AspectsAt(qNode, SampleStep), g.N))))
		loss, grads := run64(t, sum, pNode, qNode)
		return loss, grads[0], grads[1]
	}
	for name := range example(t).Cases {
		t.Run(name, func(t *testing.T) {
			g := example(t)
			loss, p, q := evaluate(t, g, name)
			slices.Reverse(g.Q)
			for _, noise := range [][][]float64{g.PairNoise, g.WindowNoise} {
				for _, row := range noise {
					slices.Reverse(row)
				}
			}
			loss2, p2, q2 := evaluate(t, g, name)
			if Near(q, q2, 0, 1e-3) {
				t.Error("all aspects have the same gradient: nothing is tested")
			}
			for v := range g.N { // aspects of the gradient back in the first order
				row := q2[v*g.K*g.D:][:g.K*g.D]
				slices.Reverse(row)
				for s := range g.K {
					slices.Reverse(row[s*g.D:][:g.D])
				}
			}
			if math.Abs(loss-loss2) > 1e-12 || !Near(p, p2, 1, 1e-12) || !Near(q, q2, 1, 1e-12) {
				t.Errorf("loss %v and %v, or gradients differ", loss, loss2)
			}
		})
	}
}
