package graphs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/walks"
)

// wholeLoss is the loss and the gradients of a batch by Gorgonia's own machine, of one graph over all windows and whole tables.
func wholeLoss(t *testing.T, o Options, b *walks.Batch, p, q *engine.Table, a *engine.Anchor, facts engine.Facts) (loss float64, byP, byQ []float32) {
	t.Helper()
	g := G.NewGraph()
	m := ModelOf(o, engine.Model{P: p, Q: q, Anchor: a})
	w := engine.NewWindows(m.Shape, b.Windows(), q.Block[0], a)
	w.SetStep(SampleStep)
	w.Fill(b, 0, b.Windows(), facts)
	graph, _, err := m.Graph(g, tensor.Float32, w)
	call.OK(t, err)
	sum := graph.Loss
	if m.Table != nil {
		sum = G.Must(G.Add(sum, call.Of(m.Table(engine.AspectsAt(graph.Params[1], SampleStep), q.Rows))(t)))
	}
	grads := call.Of(G.Grad(sum, graph.Params...))(t)
	vm := G.NewTapeMachine(g)
	defer vm.Close()
	call.OK(t, vm.RunAll())
	return float64(sum.Value().Data().(float32)), grads[0].Value().Data().([]float32), grads[1].Value().Data().([]float32)
}

// blockLoss is the same by the terms that are trained.
func blockLoss(t *testing.T, o Options, b *walks.Batch, p, q *engine.Table, a *engine.Anchor, facts engine.Facts, threads, block int) (loss float64, byP, byQ []float32) {
	t.Helper()
	terms := call.Of(engine.NewTerms(ModelOf(o, engine.Model{P: p, Q: q, Facts: func() engine.Facts { return facts }, Threads: threads, Anchor: a, Block: block})))(t)
	terms.SetStep(SampleStep)
	l := call.Of(terms.Forward(context.Background(), b))(t)
	byP, byQ = make([]float32, len(p.X)), make([]float32, len(q.X))
	for v := range p.Rows {
		terms.CenterRow(byP[v*p.Width():][:p.Width()], v)
		g := byQ[v*q.Width():][:q.Width()]
		if penalty := terms.Penalty(); penalty != nil {
			l.Penalty += penalty(0, g, []int32{int32(v)})
		}
		terms.AspectRow(g, v)
	}
	call.OK(t, terms.Err())
	return l.Pairs + l.Penalty, byP, byQ
}

// near fails the test unless two lists differ by rounding of the largest number only.
func near(t *testing.T, what string, x, y []float32, tolerance float64) {
	t.Helper()
	if !Near(x, y, 0, tolerance) {
		t.Errorf("%s: off by more than %g of the largest number", what, tolerance)
	}
}

// What is trained is what Gorgonia's machine makes of the whole graph, for every entry of every registry, both kinds of noise, and sizes on both
// sides of the vector kernels' blocks; and its bits do not depend on threads or on the size of blocks.
func TestBlocksAreTheGraph(t *testing.T) {
	partial := false // batches have parts of some windows, as at their ends
	compare := func(name string, o Options) {
		t.Run(name, func(t *testing.T) {
			o = o.Complete()
			if own, _ := o.learned(); own != nil {
				t.Skip("TestLearnedTables compares models with tables of their own")
			}
			b := call.Of(sampleBatch(o, sampleVertices))(t)
			for w := range b.Center {
				if partial {
					b.First[w], b.Last[w] = min(int32(w%3), b.Count[w]-1), b.Count[w]-int32(w%2)
					b.First[w] = min(b.First[w], b.Last[w])
				}
			}
			b.Index.Build(b, sampleVertices)
			p, q := sampleTables(o, 0.5)
			a, facts := sampleAnchor(o), sampleFacts()
			tolerance := 2e-5 * max(1, 0.5/o.Tau)
			loss, byP, byQ := wholeLoss(t, o, b, p, q, a, facts)
			var first []float32
			for _, c := range [][2]int{{1, 7}, {2, 7}, {3, 32}, {1, 1}} {
				l, gp, gq := blockLoss(t, o, b, p, q, a, facts, c[0], c[1])
				if !(math.Abs(l-loss) <= tolerance*math.Abs(loss)) {
					t.Errorf("loss %v, the graph's %v", l, loss)
				}
				near(t, "P", gp, byP, tolerance)
				near(t, "Q", gq, byQ, tolerance)
				all := slices.Concat(gp, gq)
				if first == nil {
					first = all
				}
				if !slices.Equal(all, first) {
					t.Errorf("other bits with %d threads and blocks of %d", c[0], c[1])
				}
				if slices.Max(all) == 0 && slices.Min(all) == 0 {
					t.Error("no gradient: nothing was compared")
				}
			}
		})
	}
	for _, name := range losses.Pairs.Names() {
		for _, m := range []string{MethodAsp2vec, MethodDeepWalk, MethodSplitter} {
			o := Default()
			o.SetMethod(MethodOf(m))
			o.PairLoss, o.Negatives = name, 3
			o = o.Complete()
			p, q := sampleTables(o, 0.5)
			if _, err := engine.NewTerms(ModelOf(o, engine.Model{P: p, Q: q, Anchor: sampleAnchor(o)})); m == MethodSplitter && err != nil && strings.Contains(err.Error(), "does not have is nil") {
				t.Logf("Splitter's constraint has no vertices for %s to know: %v", name, err)
				continue
			}
			compare(m+" "+name, o)
		}
	}
	for _, name := range layers.Selections.Names() {
		for _, noise := range []string{NoisePair, NoiseWindow} {
			for _, size := range [][2]int{{1, 2}, {20, 5}, {33, 10}} {
				o := Default()
				o.Selection, o.Noise, o.Dim, o.Aspects, o.Lambda = name, noise, size[0], size[1], 0.3
				compare(fmt.Sprintf("%s by %s d=%d k=%d", name, noise, size[0], size[1]), o)
			}
		}
	}
	for _, name := range layers.Readouts.Names() {
		o := Default()
		o.Readout, o.Window = name, 5
		compare(name, o)
	}
	for _, name := range losses.Regularizers.Names() {
		o := Default()
		o.Regularizer, o.Lambda = name, 0.5
		compare(name, o)
	}
	partial = true
	for _, readout := range []string{"mean", "max"} {
		o := Default()
		o.Readout = readout
		compare("partial windows, "+readout, o)
	}
}

// The noise of a window is the stream that package rng names after the pass and the window, whatever the block that it is in.
func TestNoiseIsTheNamedStream(t *testing.T) {
	o := Default().Complete()
	b := call.Of(sampleBatch(o, sampleVertices))(t)
	b.Pass = 1 << 40
	w := engine.NewWindows(ShapeOf(o), 4, o.Aspects, nil)
	w.Fill(b, 5, 9, engine.Facts{})
	noise := w.Nodes(G.NewGraph(), tensor.Float32, "").Noise.Value().Data().([]float32)
	n := len(noise) / 4
	for i := range 4 {
		want := make([]float32, n)
		stream := rng.NewKey(o.Seed, "noise").With(b.Pass).Stream(b.ID[5+i])
		stream.Fill(want)
		kernel.Gumbel(want, want)
		if !slices.Equal(noise[i*n:][:n], want) {
			t.Errorf("window %d has other noise", 5+i)
		}
	}
}

// The same seed gives the same bits for any number of threads, with every optimizer, and where a penalty looks at batches.
func TestThreadsDoNotShow(t *testing.T) {
	net := call.Of(sampleNetwork(320))(t) // ten blocks of the optimizers' rows
	for _, regularizer := range []string{"cosine", "entropy"} {
		for _, optimizer := range []string{OptimizerAdam, OptimizerLazyAdam, OptimizerSGD} {
			t.Run(regularizer+"/"+optimizer, func(t *testing.T) {
				o := Default()
				o.Regularizer, o.Optimizer, o.Select, o.Epochs = regularizer, optimizer, SelectLast, 2
				o.Dim, o.Walks, o.Length, o.Batch = 6, 1, 10, 12000
				var first *Result
				for _, threads := range []int{1, 2, 16} {
					r := trainOn(t, Input{Network: net}, o, threads, Monitor{})
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
