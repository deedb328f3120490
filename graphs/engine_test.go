package graphs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/internal/entry"
	"github.com/asp2vec/asp2vec/internal/op"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/network"
	G "gorgonia.org/gorgonia"
)

// Both engines compute the same loss and gradients, to float32 rounding, for every standard selection, with noise for pairs
// and for windows, for sizes on both sides of the vector kernels' blocks.
func TestEnginesAgree(t *testing.T) {
	golden.StillPaper(t)
	for _, selection := range registered(standardSelections) {
		for _, noise := range []string{NoisePair, NoiseWindow} {
			for _, size := range [][2]int{{1, 1}, {1, 5}, {2, 3}, {7, 2}, {8, 1}, {20, 5}, {33, 10}, {64, 4}, {128, 3}} {
				o := Default()
				o.Selection, o.Noise, o.Dim, o.Aspects = selection, noise, size[0], size[1]
				t.Run(fmt.Sprintf("%s/%s/d=%d/k=%d", selection, noise, o.Dim, o.Aspects), func(t *testing.T) { compareEngines(t, o) })
			}
		}
	}
	t.Run("deepwalk", func(t *testing.T) {
		o := Default()
		o.SetMethod(MethodOf(MethodDeepWalk))
		o.Window, o.Negatives = 4, 3
		compareEngines(t, o.Complete())
	})
}

func compareEngines(t *testing.T, o Options) {
	t.Helper()
	const vertices, tolerance = 16, 2e-5
	b, err := sampleBatch(o, vertices)
	if err != nil {
		t.Fatal(err)
	}
	p, q := NewTable("P", vertices, o.Dim), NewTable("Q", vertices, o.Aspects, o.Dim)
	p.InitNormal(o.Seed, 1/math.Sqrt(float64(o.Dim)))
	q.InitNormal(o.Seed, 1)
	fast, err := newFusedPairs(o, p, q, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	slow, err := newComposedPairs(o, p, q, nil, 2, 7) // several chunks on every lane
	if err != nil {
		t.Fatal(err)
	}
	x, err := fast.Forward(b)
	if err != nil {
		t.Fatal(err)
	}
	y, err := slow.Forward(b)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(x-y) > tolerance*y {
		t.Errorf("loss: fused %v, graph %v", x, y)
	}
	for _, c := range []struct {
		name         string
		table        *Table
		fused, graph func(g []float32, v int)
	}{{"P", p, fast.CenterRow, slow.CenterRow}, {"Q", q, fast.AspectRow, slow.AspectRow}} {
		if g, h := rows(c.table, c.fused), rows(c.table, c.graph); !Near(g, h, 0, tolerance) {
			t.Errorf("gradient by %s: fused %v, graph %v", c.name, g, h)
		} else if o.Selection != "softmax" && slices.Max(g) == 0 && slices.Min(g) == 0 {
			t.Errorf("gradient by %s is zero: nothing was compared", c.name)
		}
	}
	if o.Aspects == 1 {
		return
	}
	reg, err := newFusedPenalty(o, q)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := newComposedPenalty(o, q)
	if err != nil {
		t.Fatal(err)
	}
	want, err := graph.Forward()
	if err != nil {
		t.Fatal(err)
	}
	var got float64
	g := rows(q, func(g []float32, v int) { got += reg.Row(g, v) })
	if math.Abs(got-want) > tolerance*want || !Near(g, rows(q, func(g []float32, v int) { graph.Row(g, v) }), 1, tolerance) {
		t.Errorf("regularizer: fused %v, graph %v, or gradients differ", got, want)
	}
}

// Engine auto must not hide an edited loss behind the op that was fused from the old one.
func TestAutoSeesAnEditedLoss(t *testing.T) {
	golden.StillPaper(t)
	o := Default()
	pairs, penalty, err := agreement(o)
	if err != nil || !pairs || !penalty {
		t.Fatalf("standard loss: pairs %v, penalty %v, error %v: want both fused", pairs, penalty, err)
	}
	standard := losses.Pairs["skipgram"]
	t.Cleanup(func() { losses.Pairs["skipgram"] = standard })
	losses.Pairs["skipgram"] = losses.Pair{Loss: func(pos, neg *G.Node, h losses.Values) (*G.Node, error) {
		loss, err := standard.Loss(pos, neg, h)
		if err != nil {
			return nil, err
		}
		return op.Scale(loss, 1.01)
	}}
	if pairs, penalty, err = agreement(o); err != nil || pairs || !penalty {
		t.Errorf("edited pair loss: pairs %v, penalty %v, error %v: want the graph for the pairs alone", pairs, penalty, err)
	}
	m, err := NewSkipGram(o, 10, 1)
	if err != nil {
		t.Fatal(err)
	}
	if want := "graph, regularizer fused"; m.Engine() != want || !Edited(o, m.Engine()) || Edited(o, EngineFused) {
		t.Errorf("engine %q, want %q, of an edit", m.Engine(), want)
	}
	o.PairLoss = "margin"
	if Edited(o, EngineGraph) {
		t.Error("a loss without a fused op is taken for an edited one")
	}
	o.PairLoss = "skipgram"
	o.Engine = EngineFused
	if m, err = NewSkipGram(o, 10, 1); err != nil || m.Engine() != "fused" {
		t.Errorf("engine fused was asked for by name: got %v, %v", m, err)
	}
}

// The same for the regularizer, at thresholds that random aspects seldom reach, and for its weight.
func TestAutoSeesAnEditedRegularizer(t *testing.T) {
	golden.StillPaper(t)
	standard := losses.Regularizers["cosine"]
	t.Cleanup(func() { losses.Regularizers["cosine"] = standard })
	for _, epsilon := range []float64{0, 0.1, 0.5, 0.9, 1} {
		for _, aspects := range []int{2, 5} {
			o := Default()
			o.Epsilon, o.Aspects = epsilon, aspects
			losses.Regularizers["cosine"] = standard
			if pairs, penalty, err := agreement(o); err != nil || !pairs || !penalty {
				t.Errorf("epsilon %v, %d aspects: pairs %v, penalty %v, error %v: want both fused", epsilon, aspects, pairs, penalty, err)
			}
			losses.Regularizers["cosine"] = losses.Regularizer{Parameters: standard.Parameters, Table: func(aspects *G.Node, h losses.Values) (*G.Node, error) {
				reg, err := standard.Table(aspects, h)
				if err != nil {
					return nil, err
				}
				return op.Scale(reg, 7)
			}}
			if _, penalty, err := agreement(o); err != nil || penalty {
				t.Errorf("epsilon %v, %d aspects, edited: penalty fused %v, error %v: want the graph", epsilon, aspects, penalty, err)
			}
		}
	}
}

// A low temperature must not be taken for an edited layer.
func TestEnginesAgreeAtAnyTemperature(t *testing.T) {
	golden.StillPaper(t)
	for _, tau := range []float64{0.01, 0.1, 1, 10} {
		for _, selection := range entry.Readers(layers.Selections, "tau") {
			o := Default()
			o.Tau, o.Selection = tau, selection
			if pairs, penalty, err := agreement(o); err != nil || !pairs || !penalty {
				t.Errorf("tau %v, %s: pairs %v, penalty %v, error %v: want both fused", tau, selection, pairs, penalty, err)
			}
		}
	}
}

// The same seed gives the same bits for any number of threads, with either engine and every optimizer.
func TestThreadsDoNotShow(t *testing.T) {
	net := ring(t, 320) // ten blocks of the optimizers' rows
	for _, engine := range []string{EngineFused, EngineGraph} {
		for _, optimizer := range []string{OptimizerAdam, OptimizerLazyAdam, OptimizerSGD} {
			t.Run(engine+"/"+optimizer, func(t *testing.T) {
				o := Default()
				o.Engine, o.Optimizer, o.Select, o.Epochs = engine, optimizer, SelectLast, 2
				o.Dim, o.Walks, o.Length, o.Batch = 6, 1, 10, 12000 // windows for every lane
				var first *Result
				for _, threads := range []int{1, 2, 16} {
					r, err := Train(context.Background(), Input{Network: net}, o, threads, Monitor{})
					if err != nil {
						t.Fatal(err)
					}
					if first == nil {
						first = r
						continue
					}
					if !slices.Equal(model(r).P.X, model(first).P.X) || !slices.Equal(model(r).Q.X, model(first).Q.X) {
						t.Errorf("%d threads: other parameters than with 1", threads)
					}
				}
			})
		}
	}
}

// ring returns a network of n vertices, each linked to the next and to the third next.
func ring(t *testing.T, n int) *network.Network {
	t.Helper()
	var names []string
	var links []network.Link
	for v := range n {
		names = append(names, fmt.Sprint(v))
		links = append(links, network.Link{From: int32(v), To: int32((v + 1) % n)}, network.Link{From: int32(v), To: int32((v + 3) % n)})
	}
	net, err := network.New(names, links, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	return net
}
