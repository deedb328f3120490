package hetnet

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func walkedOptions(method string) graphs.Options {
	o := graphs.OptionsOf(MethodOf(method), graphs.Validated)
	o.Dim, o.Aspects, o.Batch, o.Walks, o.Length, o.LearningRate = 6, 3, 200, 2, 10, 0.02
	o.Epochs, o.WarmUpEpochs, o.Select = 3, 2, graphs.SelectLast
	graphs.Edit(&o, func(p *PaperOptions) { p.MetaPaths = "APA" })
	o.WarmUp = true
	return o.Complete()
}

func close32(t *testing.T, what string, got, want []float32) {
	t.Helper()
	scale, worst := 0.0, 0.0
	for i := range want {
		scale = max(scale, math.Abs(float64(want[i])))
		worst = max(worst, math.Abs(float64(got[i]-want[i])))
	}
	if len(got) != len(want) || scale == 0 || !(worst <= 2e-5*scale) {
		t.Errorf("%s: off by %v of %v", what, worst, scale)
	}
}

// walkedCases are options of the methods on walks, whose passes differ.
func walkedCases() map[string]graphs.Options {
	cases := map[string]graphs.Options{}
	for i, variant := range []string{VariantHeads, VariantLiteral} {
		for _, chosen := range []string{ContextPaper, ContextAuthor, ContextBoth} {
			o := walkedOptions(MethodAsp2vecHet)
			o.Epsilon, o.Lambda = 0.1, 0.3
			graphs.Edit(&o, func(p *PaperOptions) { p.Variant, p.Context = variant, chosen })
			graphs.Edit(&o, func(p *PaperOptions) { p.AuthorWeight = float64(1 + 2*i) })
			if i == 1 {
				o.Lambda = 20
				o.MeanPenalty = true
			}
			if chosen == ContextBoth {
				o.Noise = graphs.NoiseWindow
				graphs.Edit(&o, func(p *PaperOptions) { p.MetaPaths, p.Decay = AllMetaPaths, 0.01 })
			}
			cases[variant+"/"+chosen] = o
		}
	}
	for name, change := range map[string]func(*graphs.Options){
		"no regularizer": func(o *graphs.Options) { o.Lambda = 0 },
		"one aspect":     func(o *graphs.Options) { o.Aspects = 1 },
		"softmax":        func(o *graphs.Options) { o.Selection, o.Order = "softmax", walks.Grouped },
	} {
		o := walkedOptions(MethodAsp2vecHet)
		change(&o)
		cases[name] = o
	}
	for _, method := range []string{MethodM2V, MethodAsp2vecHet} {
		for _, paths := range []string{"APA", AllMetaPaths} { // without venues nothing has a vector of its own
			o := walkedOptions(method)
			o.WarmUp, o.PairLoss = false, "skipgram"
			graphs.Edit(&o, func(p *PaperOptions) { p.MetaPaths, p.Authors, p.Encoder = paths, AuthorsPapers, EncoderMean })
			cases[method+" made of papers "+paths] = o
		}
	}
	cases["m2v++"] = walkedOptions(MethodM2V)
	o := walkedOptions(MethodM2V)
	graphs.Edit(&o, func(p *PaperOptions) { p.MetaPaths, p.Decay, p.Cell = AllMetaPaths, 0.01, CellResetBefore })
	cases["m2v++ with venues"] = o
	return cases
}

// newWalkedModel returns a model that is ready to be trained.
func newWalkedModel(t *testing.T, o graphs.Options, threads int) *walked {
	t.Helper()
	in := cited(t)
	if o.Is(MethodM2V) {
		m, _, err := prepareM2V(context.Background(), graphs.Input{Typed: in}, o, threads)
		if err != nil {
			t.Fatal(err)
		}
		return &m.walked
	}
	c := call.Of(newCorpus(context.Background(), in, o, threads))(t)
	m := call.Of(newAsp2vecHet(in, o, threads))(t)
	call.OK(t, m.prepare(context.Background(), c))
	m.freeQ.InitNormal(4, 0.5) // of which the regularizer sees something
	return &m.walked
}

// cited is topical with references, for meta-paths over them.
func cited(t *testing.T) Input {
	in := topical(t, 40)
	for i := range int32(in.Network.Vertices(papers.Trained) - 1) {
		links := &in.Network.Links[2]
		links.From, links.To = append(links.From, i+1), append(links.To, i)
	}
	return in
}

// stepped returns the losses of some steps, and copies of all that is learnt after them.
func stepped(t *testing.T, w *walked, steps int) (losses []float64, learnt [][]float32) {
	t.Helper()
	for batches := range together(context.Background(), 1, 0, w.streams...) {
		if len(losses) == steps {
			break
		}
		l := call.Of(w.step(batches...))(t)
		losses = append(losses, l.Pairs+l.Penalty)
	}
	for _, table := range slices.Concat(w.learnt, w.encoderParameters()) {
		learnt = append(learnt, slices.Clone(table.X))
	}
	return losses, learnt
}

// definitionOf returns the whole loss of a model as it is defined.
func definitionOf(w *walked) *windowGraph {
	if w.o.Is(MethodM2V) {
		return m2vGraph(w.o, w.learnt[0])
	}
	return hetGraph(w.o, len(w.streams) > 1, w.learnt...)
}

// compareWithDefinition compares the loss of a first step and all its gradients with what Gorgonia's machine makes of the definition: one graph
// over whole tables, all papers and all windows.
func compareWithDefinition(t *testing.T, w *walked) {
	t.Helper()
	batches := w.withheld.from(firstBatches(context.Background(), w.streams...))
	vectors := call.Of(w.contents.encode(batches...))(t)
	l := call.Of(w.pass.forward(vectors, batches))(t)
	ofContents := call.Of(w.pass.ofContents())(t)
	var found [][]float32
	for i, table := range w.learnt {
		g := make([]float32, len(table.X))
		for v := range table.Rows {
			row := g[v*table.Width():][:table.Width()]
			if penalty := w.pass.penalty(i); penalty != nil {
				l.Penalty += penalty(0, row, []int32{int32(v)})
			}
			w.pass.row(i, row, v)
		}
		found = append(found, g)
	}
	known := 0
	for _, p := range w.contents.parts {
		known += p.n
	}
	papers := engine.NewTable("papers", known, w.o.Dim)
	for i, v := range w.contents.used {
		copy(papers.Row(int(v)-w.contents.first), vectors[i*w.o.Dim:])
	}
	g := G.NewGraph()
	graph := call.Of(definitionOf(w).build(g, tensor.Float32, papers, w.facts(), batches))(t)
	grads := call.Of(G.Grad(graph.Loss, graph.Params...))(t)
	vm := G.NewTapeMachine(g)
	defer vm.Close()
	call.OK(t, vm.RunAll())
	if got, want := l.Pairs+l.Penalty, float64(graph.Loss.Value().Data().(float32)); math.Abs(got-want) > 1e-4*want {
		t.Errorf("loss %v, that of the definition %v", got, want)
	}
	own := 0 // tables with rows
	for i, x := range found {
		if len(x) > 0 {
			close32(t, w.learnt[i].Name, x, grads[own].Value().Data().([]float32))
			own++
		}
	}
	if papers.Rows > 0 {
		all, d := grads[own].Value().Data().([]float32), w.o.Dim
		var used []float32
		for _, v := range w.contents.used {
			used = append(used, all[(int(v)-w.contents.first)*d:][:d]...)
		}
		close32(t, "papers", ofContents, used)
	}
}

// What is trained is the definition, and all that is learnt moves.
func TestWalkedAreTheirDefinitions(t *testing.T) {
	for name, o := range walkedCases() {
		t.Run(name, func(t *testing.T) {
			w := newWalkedModel(t, o, 2)
			for _, table := range w.learnt {
				table.Disturb(9, 0.3)
			}
			compareWithDefinition(t, w)
			_, start := stepped(t, w, 0)
			_, learnt := stepped(t, w, 3)
			for i, x := range learnt {
				if slices.Equal(x, start[i]) && len(x) > 0 && !(w.made != nil && i == len(learnt)-1) { // made authors follow at the end of an epoch
					t.Errorf("parameter %d has not moved", i)
				}
			}
		})
	}
}

// Every method gives the same bits with 1, 2 and 5 threads, over all of its stages.
func TestMethodsThreads(t *testing.T) {
	for _, name := range []string{MethodM2V, MethodCamel, MethodTaPEm, MethodAsp2vecHet} {
		t.Run(name, func(t *testing.T) {
			o := walkedOptions(name)
			o.Epochs = 2
			graphs.Edit(&o, func(p *PaperOptions) { p.ContextRatio = 0.2 })
			var want []*engine.Table
			for _, threads := range []int{1, 2, 5} {
				res := call.Of(graphs.Train(context.Background(), graphs.Input{Typed: topical(t, 40)}, o, threads, graphs.Monitor{}))(t)
				got := res.Learner.Parameters()
				for i := range want {
					if !slices.Equal(got[i].X, want[i].X) {
						t.Errorf("%d threads: other %s", threads, got[i].Name)
					}
				}
				want = got
			}
		})
	}
}

// Every method learns to name authors whose topics are planted.
func TestMethodsLearn(t *testing.T) {
	in := topical(t, 300)
	for name, best := range map[string]float64{MethodM2V: 0.3, MethodAsp2vecHet: 0.3} {
		o := walkedOptions(name)
		o.Dim, o.Batch, o.Epochs, o.WarmUpEpochs, o.LearningRate = 8, 500, 15, 5, 0.01
		res := call.Of(graphs.Train(context.Background(), graphs.Input{Typed: in}, o, 2, graphs.Monitor{}))(t)
		if got := recallAt10(t, of(in), res.Learner); got < best {
			t.Errorf("%s: Recall@10 %v among all %d authors, expected above %v (chance: %.2f)", name, got, in.Network.Vertices(papers.Author), best,
				10/float64(in.Network.Vertices(papers.Author)))
		}
	}
}

// Models count as many parameters as their formulae say.
func TestParametersCounted(t *testing.T) {
	in := topical(t, 40)
	a, w := in.Network.Vertices(papers.Author), in.Words.Dim
	for _, c := range []struct {
		method string
		want   func(d, k int) int
	}{
		{MethodM2V, func(d, k int) int { return a*d + 3*d*(w+d) + 6*d }},
		{MethodCamel, func(d, k int) int { return a*d + 3*d*(w+d) + 6*d + 1 }},
		{MethodTaPEm, func(d, k int) int { return a*d + 3*d*(w+d) + 6*d + 1000*d + 112202 }},
		{MethodAsp2vecHet, func(d, k int) int { return a*d*(k+1) + 3*d*(w+d) + 6*d + k*d*d }},
	} {
		o := call.Of(walkedOptions(c.method).Resolve())(t)
		stages := call.Of(o.Method.Stages(t.Context(), graphs.Input{Typed: in}, o, 1))(t)
		if got, want := graphs.CountParameters(stages[len(stages)-1].Learner), int64(c.want(o.Dim, o.Aspects)); got != want {
			t.Errorf("%s: %d parameters, expected %d", c.method, got, want)
		}
	}
}

// A step with l2 moves every parameter against a loss that has l2 times its squares besides: by finite differences of that term.
func TestDecayedGradient(t *testing.T) {
	const decay, h = 0.3, 1e-3
	x := []float32{0.5, -2, 0, 1.25}
	g := []float32{1, 2, 3, 4}
	square := func(x []float32) (sum float64) {
		for _, v := range x {
			sum += decay * float64(v) * float64(v)
		}
		return sum
	}
	if penalty := engine.Decayed(g, x, decay); math.Abs(penalty-square(x)) > 1e-6 {
		t.Errorf("penalty %v, expected %v", penalty, square(x))
	}
	for i := range x {
		up, down := slices.Clone(x), slices.Clone(x)
		up[i], down[i] = up[i]+h, down[i]-h
		if want := float64(1+i) + (square(up)-square(down))/(2*h); math.Abs(float64(g[i])-want) > 1e-3 {
			t.Errorf("gradient %d: %v, expected %v", i, g[i], want)
		}
	}
	if penalty := engine.Decayed(g, x, 0); penalty != 0 {
		t.Errorf("without decay: %v", penalty)
	}
}

// Rates fall from the first step's to the last one's, in a line.
func TestFallingRate(t *testing.T) {
	o := walkedOptions(MethodM2V)
	o.LearningRate, o.FinalRate, o.Epochs = 0.3, 0.1, 4
	move := graphs.NewAdam(o.LearningRate, 1)
	for _, c := range []struct {
		epoch int
		done  int64
		want  float64
	}{{1, 0, 0.3}, {1, 50, 0.275}, {3, 0, 0.2}, {4, 100, 0.1}} {
		if fallingRate(move, o, c.epoch, c.done, 100); math.Abs(move.Rate()-c.want) > 1e-12 {
			t.Errorf("epoch %d, %d of 100: %v, expected %v", c.epoch, c.done, move.Rate(), c.want)
		}
	}
	o.FinalRate = 0
	if fallingRate(move, o, 2, 0, 100); math.Abs(move.Rate()-0.1) > 1e-12 {
		t.Errorf("without a last rate it moves to %v", move.Rate())
	}
}

// Where the rate falls an epoch has steps enough however few papers there are; else a step has what the options say.
func TestBatchOf(t *testing.T) {
	o := walkedOptions(MethodM2V)
	o.Batch, o.FinalRate = 500, 0.001
	for pairs, want := range map[int64]int{1: 1, 150: 1, 20_000: 200, 50_000: 500, 1 << 40: 500} {
		if got := BatchOf(o, pairs); got != want {
			t.Errorf("%d pairs: %d in a step, expected %d", pairs, got, want)
		}
	}
	o.FinalRate = 0
	if got := BatchOf(o, 1); got != 500 {
		t.Errorf("at one rate: %d", got)
	}
	for _, name := range []string{MethodM2V, MethodCamel, MethodTaPEm, MethodAsp2vecHet} {
		o := walkedOptions(name)
		o.FinalRate, o.Epochs, o.WarmUp = 0.001, 1, false
		graphs.Edit(&o, func(p *PaperOptions) { p.ContextRatio = 0.2 })
		steps := 0
		if _, err := graphs.Train(context.Background(), graphs.Input{Typed: topical(t, 100)}, o, 1, graphs.Monitor{Tell: graphs.On(func(graphs.Progress) { steps++ })}); err != nil {
			t.Fatal(err)
		}
		if steps < stepsOfEpoch {
			t.Errorf("%s: %d steps in an epoch, expected %d", name, steps, stepsOfEpoch)
		}
	}
}

// Losses read the fraction of a stage that is done, as those of other methods do.
func TestStepOfLosses(t *testing.T) {
	losses.Pairs.Add("step", losses.Pair{Loss: func(s losses.State, _ losses.Values) (*G.Node, error) {
		return op.ScaleRows(G.Must(op.Shift(G.Must(op.Scale(s.Pos, 0)), 1)), s.Step)
	}})
	defer losses.Pairs.Remove("step")
	for _, method := range []string{MethodM2V, MethodAsp2vecHet} {
		o := walkedOptions(method)
		o.Batch, o.Epochs, o.WarmUpEpochs, o.PairLoss, o.Lambda = 1e6, 3, 3, "step", 0
		res := call.Of(graphs.Train(t.Context(), graphs.Input{Typed: topical(t, 20)}, o, 2, graphs.Monitor{}))(t)
		for _, s := range res.Stages {
			if e := s.Epochs; len(e) != 3 || e[0].Loss.Pairs != 0 || !(e[1].Loss.Pairs > 0) || math.Abs(e[2].Loss.Pairs-2*e[1].Loss.Pairs) > 1e-5 {
				t.Errorf("%s, %s: %+v: expected 0, a third and two thirds of something", method, s.Name, e)
			}
		}
	}
}
