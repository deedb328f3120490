package graphs

import (
	"math"
	"testing"

	G "gorgonia.org/gorgonia"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
)

// one is 1 for each of the numbers of x, with a gradient of 0.
func one(x *G.Node) *G.Node { return G.Must(op.Shift(G.Must(op.Scale(x, 0)), 1)) }

// stepped registers entries whose values are the fraction of the training that is done, or the distance of contexts.
func stepped(t *testing.T) {
	t.Helper()
	tried(t, map[string]func(s losses.State) (*G.Node, error){
		"one":      func(s losses.State) (*G.Node, error) { return one(s.Pos), nil },
		"step":     func(s losses.State) (*G.Node, error) { return op.ScaleRows(one(s.Pos), s.Step) },
		"distance": func(s losses.State) (*G.Node, error) { return op.ScaleRows(one(s.Pos), G.Must(G.Abs(s.Offset))) },
		"step-curriculum": func(s losses.State) (*G.Node, error) {
			return op.ScaleRows(G.Must(losses.SkipGram(s.Pos, s.Neg)), G.Must(op.Shift(s.Step, 0.1)))
		},
	}, map[string]func(s losses.State) (*G.Node, error){
		"step-batch": func(s losses.State) (*G.Node, error) {
			return op.WeightedTotal(G.Must(op.ScaleRows(one(s.Prob), s.Step)), s.Weight)
		},
	})
	add(t, losses.Regularizers, "step-table", losses.Regularizer{Table: func(a losses.Aspects, _ losses.Values) (*G.Node, error) {
		n := a.Rows.Shape()
		return op.Total(G.Must(op.ScaleRows(one(G.Must(op.Reshape(a.Rows, n[0], n[1]*n[2]))), a.Step)))
	}})
	chosen := func(by func(c layers.Choice) *G.Node) func(layers.Choice, layers.Values) (*G.Node, error) {
		return func(c layers.Choice, _ layers.Values) (*G.Node, error) { return op.ScaleRows(one(c.Logits), by(c)) }
	}
	add(t, layers.Selections, "step", layers.Selection{Prob: chosen(func(c layers.Choice) *G.Node { return c.Step })})
	add(t, layers.Selections, "step-noise", layers.Selection{Noise: true, Prob: chosen(func(c layers.Choice) *G.Node { return c.Step })})
	add(t, layers.Selections, "distance", layers.Selection{Offset: true, Prob: chosen(func(c layers.Choice) *G.Node { return G.Must(G.Abs(c.Offset)) })})
	add(t, layers.Selections, "distance-noise", layers.Selection{Offset: true, Noise: true, Prob: func(c layers.Choice, _ layers.Values) (*G.Node, error) {
		return op.ScaleRows(G.Must(G.Sub(one(c.Logits), G.Must(op.Scale(c.Noise, 0)))), G.Must(G.Abs(c.Offset)))
	}})
}

// Whatever reads the step gets the fraction of its stage that is done: 0 at first, and of four epochs of a step each .25, .5 and .75.
func TestStep(t *testing.T) {
	stepped(t)
	karate := karate()
	for name, c := range map[string]struct {
		change values
		each   float64 // per fraction
	}{
		"loss":              {values{"pair-loss": "step"}, 1. / 3}, // none gives each of three aspects a third
		"selection":         {values{"pair-loss": "one", "selection": "step"}, 1},
		"selection, pair":   {values{"pair-loss": "one", "selection": "step-noise", "noise": NoisePair}, 1},
		"selection, window": {values{"pair-loss": "one", "selection": "step-noise", "noise": NoiseWindow}, 1},
		"batch":             {values{"regularizer": "step-batch"}, 3},
		"table":             {values{"regularizer": "step-table"}, float64(karate.Vertices() * 3 * 6)},
	} {
		o := small()
		o.Batch, o.Epochs, o.WarmUp, o.WarmUpEpochs, o.WarmUpPairLoss, o.Lambda, o.Selection = 1e6, 4, true, 4, "step", 1, "none"
		o.setAll(c.change)
		r := train(t, karate, o, Monitor{})
		if len(r.Stages) != 2 {
			t.Fatalf("%s: %d stages", name, len(r.Stages))
		}
		for _, s := range r.Stages {
			for i, e := range s.Epochs {
				got, want := e.Loss.Pairs, float64(i)/4
				if s.Name == StageMain {
					want *= c.each
					if o.Regularizer != "cosine" {
						got = e.Loss.Penalty
					}
				}
				if math.Abs(got-want) > 1e-4*max(want, 1) {
					t.Errorf("%s: %s epoch %d: %v, expected %v", name, s.Name, e.Number, got, want)
				}
			}
		}
	}
}

// A selection that reads offsets gets those of the pairs, with either kind of noise.
func TestOffsetOfSelections(t *testing.T) {
	stepped(t)
	of := func(loss, selection, noise string) float64 {
		o := optionsOf(MethodAsp2vec, values{"pair-loss": loss, "selection": selection, "noise": noise, "lambda": 0})
		b := call.Of(sampleBatch(o, sampleVertices))(t)
		p, q := sampleTables(o, 0.5)
		l, _, _ := blockLoss(t, o, b, p, q, nil, sampleFacts(), 2, 7)
		return l
	}
	want := of("distance", "none", NoiseWindow) * float64(Default().Aspects) // the shares of which are 1/K
	for _, selection := range []string{"distance", "distance-noise"} {
		for _, noise := range []string{NoisePair, NoiseWindow} {
			if got := of("one", selection, noise); math.Abs(got-want) > 1e-4*want {
				t.Errorf("%s by %s: %v, expected %v", selection, noise, got, want)
			}
		}
	}
}

// The step is the same with any number of threads, and where a training goes on from a checkpoint.
func TestStepOfResumed(t *testing.T) {
	stepped(t)
	for _, name := range []string{MethodAsp2vec, "standard " + MethodAsp2vec, "standard " + MethodSplitter} {
		o := resumable()[name]
		o.PairLoss = "step-curriculum"
		want, all := states(t, o, 1)
		for i := range 4 {
			sameResult(t, resumed(t, all[i*(len(all)-1)/3], o, 1+i%2), want)
		}
	}
}
