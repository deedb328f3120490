package graphs

import (
	"math"
	"slices"
	"strings"
	"testing"

	G "gorgonia.org/gorgonia"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
)

// learning registers entries that learn tables: of each vertex, and of all.
func learning(t *testing.T) {
	t.Helper()
	scaled := func(s losses.State, key string) (*G.Node, error) {
		return G.HadamardProd(G.Must(losses.SkipGram(s.Pos, s.Neg)), G.Must(G.Exp(s.Learned[key])))
	}
	for _, l := range []losses.Learned{{Key: "pair-loss-each", Width: losses.PerAspect, Spread: 0.1}, {Key: "pair-loss-all", Width: losses.PerAspect, Shared: true, Init: 0.5}} {
		add(t, losses.Pairs, l.Key, losses.Pair{Loss: func(s losses.State, _ losses.Values) (*G.Node, error) { return scaled(s, l.Key) }, Learned: []losses.Learned{l}})
	}
	prior := layers.Learned{Key: "selection-tested", Width: layers.PerAspect}
	add(t, layers.Selections, "tested", layers.Selection{Learned: []layers.Learned{prior}, Prob: func(c layers.Choice, _ layers.Values) (*G.Node, error) {
		return layers.Softmax(G.Must(G.Add(c.Logits, c.Learned["selection-tested"])))
	}})
	add(t, layers.Selections, "tested-noise", layers.Selection{Noise: true, Learned: []layers.Learned{prior}, Prob: func(c layers.Choice, _ layers.Values) (*G.Node, error) {
		return layers.Gumbel(G.Must(G.Add(c.Logits, c.Learned["selection-tested"])), c.Noise, 0.5)
	}})
	attention := layers.Learned{Key: "readout-tested", Shared: true, Spread: 0.3}
	add(t, layers.Readouts, "tested", layers.Readout{Learned: []layers.Learned{attention}, Read: func(c layers.Contexts, _ layers.Values) (*G.Node, error) {
		mean := G.Must(op.BagMean(c.Rows, c.Weight)) // (W,K,D)
		n := mean.Shape()
		by := G.Must(op.Repeat(c.Learned["readout-tested"], n[1])) // (W·K,D)
		return op.Reshape(G.Must(G.HadamardProd(G.Must(op.Reshape(mean, n[0]*n[1], n[2])), G.Must(G.Exp(by)))), n...)
	}})
	add(t, losses.Pairs, "misnamed", losses.Pair{Loss: losses.Pairs.Get("skipgram").Loss, Learned: []losses.Learned{{Key: "scale", Width: 1}}})
}

// Tables that entries learn have the gradients that differences and Gorgonia's own machine give, and what is trained is the graph.
func TestLearnedGradients(t *testing.T) {
	learning(t)
	for name, change := range map[string]values{
		"loss, vertex":      {"pair-loss": "pair-loss-each"},
		"loss, all":         {"pair-loss": "pair-loss-all"},
		"selection":         {"selection": "tested"},
		"selection, pair":   {"selection": "tested-noise", "noise": NoisePair},
		"selection, window": {"selection": "tested-noise", "noise": NoiseWindow},
		"readout":           {"readout": "tested", "selection": "softmax"},
		"together":          {"pair-loss": "pair-loss-each", "selection": "tested", "readout": "tested"},
	} {
		for _, method := range []string{MethodAsp2vec, MethodDeepWalk, MethodSplitter, MethodPolyDW} {
			if method != MethodAsp2vec && !strings.HasPrefix(name, "loss") {
				continue
			}
			models := call.Of(GuardModels(optionsOf(method, change)))(t)
			for _, m := range models {
				if err := guard.Check(m).Err(); err != nil {
					t.Errorf("%s of %s: %v", name, method, err)
				}
			}
		}
	}
}

// Learned tables begin as declared, move, are counted, come to the same on any number of threads and from a checkpoint, and leave other models as they are.
func TestLearnedTables(t *testing.T) {
	learning(t)
	o := small()
	o.PairLoss, o.Selection, o.Readout, o.WarmUp = "pair-loss-all", "tested", "tested", true
	o.WarmUpEpochs = 2
	begun := o.learnedTables(34)
	if len(begun) != 3 || !slices.Equal(begun[0].Shape(), []int{34, 3}) || !slices.Equal(begun[1].Shape(), []int{1, 6}) || !slices.Equal(begun[2].Shape(), []int{1, 3}) {
		t.Fatalf("%v", begun)
	}
	if begun[0].X[5] != 0 || begun[2].X[0] != 0.5 || math.Abs(float64(begun[1].X[0])) < 1e-6 {
		t.Errorf("they begin with %v, %v, %v", begun[0].X[5], begun[1].X[0], begun[2].X[0])
	}
	r := train(t, karate(), o, Monitor{})
	if want := int64(34*6 + 34*3*6 + 34*3 + 6 + 3); r.Parameters() != want {
		t.Errorf("%d parameters, expected %d", r.Parameters(), want)
	}
	for i, table := range r.Embedding.Learned {
		if slices.Equal(table.X, begun[i].X) {
			t.Errorf("%s does not move", table.Name)
		}
	}
	want, all := states(t, o, 1)
	for i := range 4 {
		got := resumed(t, all[i*(len(all)-1)/3], o, 1+i%2)
		sameResult(t, got, want)
		for j, table := range want.Embedding.Learned {
			if !slices.Equal(got.Embedding.Learned[j].X, table.X) {
				t.Errorf("from state %d: another %s", i, table.Name)
			}
		}
	}
	for _, method := range []string{MethodSplitter, MethodPolyDW} {
		o := quick(t, method)
		o.PairLoss = "pair-loss-each"
		e := trainOn(t, Input{Network: karate()}, o, 1, Monitor{}).Embedding
		if len(e.Learned) != 1 || e.Learned[0].Rows != int(e.First[34]) || slices.Max(e.Learned[0].X) == 0 {
			t.Errorf("%s: %d tables, expected one with a row for each of %d vectors", method, len(e.Learned), e.First[34])
		}
	}
	o.PairLoss = "misnamed"
	call.Refused(t, `learns "scale": expected a key of its own that starts with pair-loss-`)(o.Resolve())
}
