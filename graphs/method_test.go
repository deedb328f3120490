package graphs

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// quick returns a method's defaults, made small enough for the karate club.
func quick(t *testing.T, method string) Options {
	t.Helper()
	o := defaults(method, Validated)
	o.Dim, o.Aspects, o.Walks, o.Batch, o.Select = 6, 3, 3, 500, SelectLast
	Edit(&o, func(p *FacetOptions) { p.Copies = 2 })
	o.Epochs, o.WarmUpEpochs = 3, 2
	return o
}

func forEachMethod(t *testing.T, test func(t *testing.T, m *Method)) {
	for _, m := range Methods() {
		t.Run(m.Name, func(t *testing.T) { test(t, m) })
	}
}

// forEachTrained is forEachMethod without those that make their vectors at once.
func forEachTrained(t *testing.T, test func(t *testing.T, m *Method)) {
	for _, m := range trained() {
		t.Run(m.Name, func(t *testing.T) { test(t, m) })
	}
}

func trained() []*Method {
	return slices.DeleteFunc(slices.Clone(Methods()), func(m *Method) bool { return m.Stages == nil })
}

// Every method learns: the loss falls, and the result is the same bits whatever the number of threads.
func TestMethodsTrain(t *testing.T) {
	forEachTrained(t, func(t *testing.T, m *Method) {
		o := quick(t, m.Name)
		o.Scoring = m.Scorings[len(m.Scorings)-1]
		var first *Result
		for _, threads := range []int{1, 2, 5} {
			r := trainOn(t, Input{Network: karate()}, o, threads, Monitor{})
			if first == nil {
				first = r
			}
			if !slices.Equal(r.Embedding.Final, first.Embedding.Final) || !slices.Equal(r.Embedding.Vectors, first.Embedding.Vectors) {
				t.Errorf("%d threads give another embedding", threads)
			}
		}
		checkEmbedding(t, *first.Embedding, karate().Vertices(), o.Dim)
		epochs := first.Stages[len(first.Stages)-1].Epochs
		if len(epochs) != o.Epochs || !(epochs[len(epochs)-1].Loss.Pairs < epochs[0].Loss.Pairs) {
			t.Errorf("epochs %+v: expected %d with a falling loss", epochs, o.Epochs)
		}
		o.Seed++
		other, err := Train(context.Background(), Input{Network: karate()}, o, 2, Monitor{})
		if err != nil || slices.Equal(other.Embedding.Final, first.Embedding.Final) {
			t.Errorf("another seed gives the same embedding (%v)", err)
		}
	})
}

// checkEmbedding checks shapes, and that the numbers are finite.
func checkEmbedding(t *testing.T, e Embedding, n, d int) {
	t.Helper()
	if e.D != d || len(e.Final) != n*d {
		t.Fatalf("%d final numbers of dimension %d: expected %d of %d", len(e.Final), e.D, n*d, d)
	}
	if e.Vectors != nil {
		if len(e.First) != n+1 || int(e.First[n])*d != len(e.Vectors) || !slices.IsSorted(e.First) {
			t.Errorf("vectors of %d numbers, first %v", len(e.Vectors), e.First)
		}
	}
	if e.Share != nil {
		if len(e.Share)*d != len(e.Vectors) {
			t.Errorf("%d shares of %d vectors", len(e.Share), len(e.Vectors)/d)
		}
	}
	for _, x := range slices.Concat(e.Final, e.Vectors, e.Share) {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			t.Fatalf("a number is %v", x)
		}
	}
}

// The best epoch is kept, and a run that is stopped hands on what it has, for every method.
func TestMethodsSelectAndStop(t *testing.T) {
	forEachTrained(t, func(t *testing.T, m *Method) {
		o := quick(t, m.Name)
		o.Select, o.Patience, o.WarmUp = SelectValidation, 5, false
		score, seen := scores(.5, .9, .6)
		r := trainOn(t, Input{Network: karate()}, o, 2, Monitor{Score: score})
		if last := r.Stages[len(r.Stages)-1]; last.Best != 2 || !slices.Equal(r.Embedding.Final, (*seen)[1]) {
			t.Errorf("stage %+v: expected the embedding of epoch 2", last)
		}
		o.Select = SelectLast
		ctx, cancel := context.WithCancel(context.Background())
		r, err := Train(ctx, Input{Network: karate()}, o, 2, Monitor{Tell: On(func(Progress) { cancel() })})
		if err != nil || !r.Interrupted || r.Embedding == nil {
			t.Fatalf("stopped after a step: %+v, %v", r, err)
		}
		checkEmbedding(t, *r.Embedding, karate().Vertices(), o.Dim)
		ctx, cancel = context.WithCancel(context.Background())
		cancel()
		if _, err := Train(ctx, Input{Network: karate()}, o, 2, Monitor{}); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped before the first step: %v", err)
		}
	})
}

// The epoch with the lowest training loss is one that the options can ask for.
func TestSelectLoss(t *testing.T) {
	o := small()
	o.Select, o.Epochs, o.Patience, o.LearningRate = SelectLoss, 200, 2, 0.2
	r := train(t, karate(), o, Monitor{})
	stage := r.Stages[0]
	if len(stage.Epochs) != stage.Best+2 {
		t.Errorf("%d epochs, the best is %d: expected two more after it", len(stage.Epochs), stage.Best)
	}
	lowest := slices.MinFunc(stage.Epochs, func(a, b Epoch) int {
		return int(math.Copysign(1, a.Loss.Pairs+a.Loss.Penalty-b.Loss.Pairs-b.Loss.Penalty))
	})
	if stage.Best != lowest.Number {
		t.Errorf("best %d of %+v", stage.Best, stage.Epochs)
	}
}

// Graphs of every method pass every check.
func TestMethodGraphs(t *testing.T) {
	golden.StillPaper(t)
	forEachTrained(t, func(t *testing.T, m *Method) {
		o := quick(t, m.Name)
		models, err := GuardModels(o)
		if err != nil || len(models) == 0 {
			t.Fatalf("%d graphs, %v", len(models), err)
		}
		for _, g := range models {
			if err := guard.Check(g).Err(); err != nil {
				t.Error(err)
			}
		}
	})
}

// Networks that a method cannot learn from are refused with a word on what is wanted; odd ones are learnt.
func TestMethodsOnOddNetworks(t *testing.T) {
	const vertices = 7
	build := func(directed bool, links ...network.Link) *network.Network {
		return newNetwork(t, vertices, directed, links...)
	}
	forEachMethod(t, func(t *testing.T, m *Method) {
		o := quick(t, m.Name)
		for _, directed := range []bool{false, true} {
			call.Refused(t, "expected")(Train(context.Background(), Input{Network: build(directed)}, o, 2, Monitor{}))
		}
		for what, net := range map[string]*network.Network{
			"two components and two vertices alone": build(false, network.Link{From: 0, To: 1}, network.Link{From: 2, To: 3}, network.Link{From: 3, To: 4}),
			"two vertices linked":                   build(false, network.Link{From: 0, To: 1}),
			"a self-loop":                           build(false, network.Link{From: 0, To: 0}, network.Link{From: 0, To: 1}),
			"arcs into a sink":                      build(true, network.Link{From: 0, To: 1}, network.Link{From: 2, To: 1}, network.Link{From: 3, To: 1}),
		} {
			r, err := Train(context.Background(), Input{Network: net}, o, 2, Monitor{})
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			checkEmbedding(t, *r.Embedding, vertices, o.Dim)
		}
		net := newNetwork(t, 1001, false, star(1000)...)
		once := o
		once.Walks, once.Length, once.Epochs, once.WarmUpEpochs = 1, 5, 1, 1
		Edit(&once, func(p *FacetOptions) { p.Copies = 1 })
		if r, err := Train(context.Background(), Input{Network: net}, once, 2, Monitor{}); err != nil {
			t.Errorf("a hub of 1,000 links: %v", err)
		} else {
			checkEmbedding(t, *r.Embedding, net.Vertices(), o.Dim)
		}
		if m.Name == MethodPolyDW {
			o.Aspects = 8
			call.Refused(t, "expected")(Train(context.Background(), Input{Network: build(false, network.Link{From: 0, To: 1})}, o, 2, Monitor{}))
		}
	})
}
