package graphs

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/network"
)

// directed returns a network with each link from its first vertex to its second.
func directed(net *network.Network) *network.Network {
	arcs, err := network.New(net.Names(), net.List(), nil, true)
	if err != nil {
		panic(err)
	}
	return arcs
}

// brief returns the options of a method under the protocol standard, on few pairs.
func brief(t *testing.T, method string) Options {
	t.Helper()
	o := defaults(method, Standard)
	o.Dim, o.Aspects, o.PairsPerVertex, o.Engine = 6, 3, 100, EngineFused
	return o
}

// What a recipe comes to on a network, by hand: the karate club has 34 vertices and 78 links, and so a mean degree of 156/34.
func TestBudget(t *testing.T) {
	const degree, spread = 156. / 34, 1212 * 34. / (156 * 156) // the squares of its degrees add up to 1212
	for _, c := range []struct {
		name  string
		net   *network.Network
		edit  func(*Options)
		pairs float64
		rates float64
	}{
		{"a sum of rates", karate(), func(o *Options) {}, 3400, 0.5},
		{"a learning rate", karate(), func(o *Options) { o.RateSum = 0 }, 3400, 0},
		{"by degree", karate(), func(o *Options) { o.DegreePower = 2 }, 3400, 0.5 / (degree * degree)},
		{"by the spread of degrees", karate(), func(o *Options) { o.SpreadPower = 1.5 }, 3400, 0.5 / math.Pow(spread, 1.5)},
		{"of arcs, by the spread of degrees", directed(karate()), func(o *Options) { o.SpreadPower = 1 }, 3400, 0.1 / spread},
		{"by its root", karate(), func(o *Options) { o.DegreePower = 0.5 }, 3400, 0.5 / math.Sqrt(degree)},
		{"growing with the degree", karate(), func(o *Options) { o.DegreePower = -1 }, 3400, 0.5 * degree},
		{"of arcs", directed(karate()), func(o *Options) {}, 3400, 0.1},
		{"of arcs, by degree", directed(karate()), func(o *Options) { o.DegreePower = 1 }, 3400, 0.1 / degree},
		{"half the pairs", karate(), func(o *Options) { o.PairsPerVertex = 50 }, 1700, 0.5},
	} {
		o := Standard()
		o.PairsPerVertex, o.RateSum, o.DirectedShare = 100, 0.5, 0.2
		c.edit(&o)
		b := o.budget(c.net)
		if b == nil || b.pairs != c.pairs || math.Abs(b.rates-c.rates) > 1e-12 {
			t.Errorf("%s: %+v, want %v pairs and rates of %v", c.name, b, c.pairs, c.rates)
		}
	}
	o := Standard()
	if o.PairsPerVertex = 0; o.budget(karate()) != nil || o.budgeted() {
		t.Error("a budget without a number of pairs")
	}
	// Where vertices have less than one link, the power of the degree does not blow the rates up.
	sparse, err := network.New([]string{"a", "b", "c", "d"}, []network.Link{{From: 0, To: 1}}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	o.PairsPerVertex, o.RateSum, o.DegreePower = 1, 0.5, 2
	if b := o.budget(sparse); b.rates != 0.5 {
		t.Errorf("rates of %v where vertices have half a link, want 0.5", b.rates)
	}
}

// The batch and the learning rate of a stage, by hand: 3400 pairs in 17 steps are batches of 200.
func TestBudgetOfStages(t *testing.T) {
	for _, c := range []struct {
		name     string
		edit     func(*Options)
		share    float64
		vertices int
		pairs    float64
		batch    int
		rate     float64
		final    float64
	}{
		{"all of it", func(o *Options) {}, 1, 34, 3400, 200, 2 * 0.5 / 17, 0},
		{"a share, with as large batches and rates", func(o *Options) {}, 0.25, 34, 850, 200, 2 * 0.5 / 17, 0},
		{"batches as given", func(o *Options) { o.Steps = 0 }, 0.5, 34, 1700, 500, 2 * 0.25 / 3.4, 0},
		{"less than a batch", func(o *Options) { o.Steps, o.Batch = 0, 50000 }, 1, 34, 3400, 50000, 2 * 0.5, 0},
		{"more steps than pairs", func(o *Options) { o.Steps = 10000 }, 1, 34, 3400, 1, 2 * 0.5 / 3400, 0},
		{"sgd: over the pairs of a vertex", func(o *Options) { o.Optimizer = OptimizerSGD }, 1, 34, 3400, 200, 2 * 0.5 / 100, 0},
		{"sgd: over those of one of three facets", func(o *Options) { o.Optimizer = OptimizerSGD }, 1, 102, 3400, 200, 2 * 0.5 / (3400. / 102), 0},
		{"sgd: a share", func(o *Options) { o.Optimizer = OptimizerSGD }, 0.25, 34, 850, 200, 2 * 0.125 / 25, 0},
		{"rates that stay", func(o *Options) { o.RateEnd = 1 }, 1, 34, 3400, 200, 0.5 / 17, 0.5 / 17},
		{"rates that fall to a third", func(o *Options) { o.RateEnd = 1. / 3 }, 1, 34, 3400, 200, 0.75 / 17, 0.25 / 17},
		{"a rate as given", func(o *Options) { o.RateSum = 0 }, 1, 34, 3400, 200, 0.03, 0.01},
		{"no share", func(o *Options) {}, 0, 34, 0, 500, 0.03, 0.01},
		{"no budget", func(o *Options) { o.PairsPerVertex = 0 }, 1, 34, 0, 500, 0.03, 0.01},
	} {
		o := Standard()
		o.PairsPerVertex, o.Steps, o.RateSum, o.Batch, o.LearningRate, o.FinalRate = 100, 17, 0.5, 500, 0.03, 0.01
		c.edit(&o)
		got, pairs := o.budget(karate()).stage(o, c.share, c.vertices)
		if pairs != c.pairs || got.Batch != c.batch || math.Abs(got.LearningRate-c.rate) > 1e-12 || math.Abs(got.FinalRate-c.final) > 1e-12 {
			t.Errorf("%s: %v pairs, batch %d, rates from %v to %v, want %v, %d, %v and %v",
				c.name, pairs, got.Batch, got.LearningRate, got.FinalRate, c.pairs, c.batch, c.rate, c.final)
		}
	}
}

// A run under a recipe trains the pairs that were announced, to within a batch, in the steps that were, at rates that fall to 0
// in proportion to the pairs and have the sum that was; be it in one pass over the walks or in many.
func TestRecipeIsKept(t *testing.T) {
	for _, c := range []struct {
		name   string
		method string
		net    *network.Network
		edit   func(*Options)
		shares map[string]float64 // of stages
		passes int                // at least, of the main stage
	}{
		{"deepwalk", MethodDeepWalk, karate(), func(*Options) {}, map[string]float64{StageMain: 1}, 1},
		{"node2vec", MethodNode2vec, karate(), func(*Options) {}, map[string]float64{StageMain: 1}, 1},
		{"asp2vec", MethodAsp2vec, karate(), func(*Options) {}, map[string]float64{StageWarmUp: 0.5, StageMain: 0.5}, 1},
		{"asp2vec, a short warm-up", MethodAsp2vec, karate(), func(o *Options) { o.WarmUpShare = 0.2 }, map[string]float64{StageWarmUp: 0.2, StageMain: 0.8}, 1},
		{"asp2vec, no warm-up", MethodAsp2vec, karate(), func(o *Options) { o.WarmUp = false }, map[string]float64{StageMain: 1}, 1},
		{"deepwalk, few walks", MethodDeepWalk, karate(), func(o *Options) { o.Walks, o.Length = 1, 10 }, map[string]float64{StageMain: 1}, 3},
		{"deepwalk on arcs", MethodDeepWalk, directed(karate()), func(*Options) {}, map[string]float64{StageMain: 1}, 3},
		{"asp2vec on arcs", MethodAsp2vec, directed(karate()), func(*Options) {}, map[string]float64{StageWarmUp: 0.5, StageMain: 0.5}, 2},
		{"asp2vec, grouped", MethodAsp2vec, karate(), func(o *Options) { o.Order = "grouped" }, map[string]float64{StageWarmUp: 0.5, StageMain: 0.5}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := brief(t, c.method)
			o.Steps, o.RateSum, o.DegreePower, o.SpreadPower, o.DirectedShare = 100, 0.5, 0, 0, 0.4
			c.edit(&o)
			const batch = 34
			type step struct {
				pairs float64
				rate  float64
			}
			steps := map[string][]step{}
			var learner *skipGramLearner
			var last Progress
			r, err := Train(context.Background(), Input{Network: c.net}, o, 1, Monitor{
				Begin: func(_ string, l Learner) { learner = skipGramOf(l) },
				Step: func(p Progress) {
					steps[p.Stage] = append(steps[p.Stage], step{float64(p.Step), learner.move.rate})
					last = p
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Stages) != len(c.shares) {
				t.Fatalf("%d stages, want %d", len(r.Stages), len(c.shares))
			}
			sum := 0.5
			if c.net.Directed() {
				sum *= 0.4
			}
			var all float64
			for _, s := range r.Stages {
				share := c.shares[s.Name]
				want := 3400 * share
				var pairs, rates float64
				for i, step := range steps[s.Name] {
					if step.pairs > batch {
						t.Fatalf("%s: step %d of %v pairs, want at most %d", s.Name, i, step.pairs, batch)
					}
					expected := 2 * sum / 100 * (1 - pairs/want)
					if math.Abs(step.rate-expected) > 1e-12 {
						t.Fatalf("%s: step %d at a rate of %v, want %v", s.Name, i, step.rate, expected)
					}
					pairs += step.pairs
					rates += step.rate
				}
				if pairs < want || pairs >= want+batch {
					t.Errorf("%s: %v pairs, want %v and less than a batch more", s.Name, pairs, want)
				}
				passes := int(math.Ceil(want / float64(learner.Pairs())))
				if len(s.Epochs) != passes || s.Best != passes {
					t.Errorf("%s: %d passes over the walks, the best the %dth, want all of %d", s.Name, len(s.Epochs), s.Best, passes)
				}
				// Each pass may end with a smaller batch, and the first step is at the full rate.
				most := int(math.Ceil(100*share)) + passes - 1
				if n := len(steps[s.Name]); n < int(100*share) || n > most {
					t.Errorf("%s: %d steps, want %v to %d", s.Name, n, 100*share, most)
				}
				if tolerance := 2 * sum / 100 * float64(passes); rates < sum*share || rates > sum*share+tolerance {
					t.Errorf("%s: the rates have the sum %v, want %v and at most %v more", s.Name, rates, sum*share, tolerance)
				}
				if s.Name == StageMain && passes < c.passes {
					t.Errorf("%d passes over the walks: this was to test %d", passes, c.passes)
				}
				all += pairs
			}
			if float64(last.RunPairs) != all || last.RunTotal != max(3400, last.RunPairs) {
				t.Errorf("told of %d of %d pairs at the end, want %v and 3400", last.RunPairs, last.RunTotal, all)
			}
		})
	}
}

// Also personas and facets end after the pairs of the network's vertices, with rates by the pairs of one of theirs.
func TestRecipeOfWords(t *testing.T) {
	for _, method := range []string{MethodPolyDW, MethodSplitter} {
		t.Run(method, func(t *testing.T) {
			o := brief(t, method)
			o.RateSum, o.WarmUpShare = 1, 0.25
			var learner *skipGramLearner
			rates, trained, rows := map[string][]float64{}, map[string]int64{}, map[string]int{}
			if _, err := Train(context.Background(), Input{Network: karate()}, o, 1, Monitor{
				Begin: func(name string, l Learner) { learner = skipGramOf(l); rows[name] = learner.P.Rows },
				Step: func(p Progress) {
					rates[p.Stage] = append(rates[p.Stage], learner.move.rate)
					trained[p.Stage] += p.Step
				},
			}); err != nil {
				t.Fatal(err)
			}
			shares := map[string]float64{StageMain: 1}
			if method == MethodSplitter {
				shares = map[string]float64{StageWarmUp: 0.25, StageMain: 0.75}
			}
			for stage, share := range shares {
				want := 2 * share / (3400 * share / float64(rows[stage]))
				if len(rates[stage]) == 0 || math.Abs(rates[stage][0]-want) > 1e-12 || !slices.IsSortedFunc(rates[stage], func(a, b float64) int { return -int(math.Copysign(1, a-b)) }) {
					t.Errorf("%s: rates %v, want them to fall from %v", stage, rates[stage], want)
				}
				// A step of sgd is no larger than the rarest visits allow, and here no larger than the half of a stage.
				if n := float64(trained[stage]); n < 3400*share || n > 3400*share+1700 {
					t.Errorf("%s: %v pairs, want %v and less than a batch more", stage, n, 3400*share)
				}
			}
		})
	}
}

// A learning rate that is given stays, or falls to the one that is given, whatever ends training.
func TestRecipeWithALearningRate(t *testing.T) {
	for _, final := range []float64{0, 0.01} {
		o := brief(t, MethodDeepWalk)
		o.Steps, o.RateSum, o.LearningRate, o.FinalRate = 10, 0, 0.02, final
		var learner *skipGramLearner
		var rates []float64
		train(t, karate(), o, Monitor{
			Begin: func(_ string, l Learner) { learner = skipGramOf(l) },
			Step:  func(Progress) { rates = append(rates, learner.move.rate) },
		})
		if len(rates) != 10 {
			t.Fatalf("%d steps, want 10", len(rates))
		}
		for i, rate := range rates {
			want := 0.02
			if final > 0 {
				want -= 0.001 * float64(i)
			}
			if math.Abs(rate-want) > 1e-12 {
				t.Errorf("to %v: step %d at %v, want %v", final, i, rate, want)
			}
		}
	}
}

// The number of threads does not change what a recipe comes to, and running it again does not either.
func TestRecipeIsReproducible(t *testing.T) {
	for _, method := range []string{MethodDeepWalk, MethodPolyDW, MethodSplitter, MethodAsp2vec} {
		for _, net := range []*network.Network{karate(), directed(karate())} {
			var want []float32
			for _, threads := range []int{1, 3} {
				r, err := Train(context.Background(), Input{Network: net}, brief(t, method), threads, Monitor{})
				if err != nil {
					t.Fatal(err)
				}
				got := slices.Concat(r.Embedding.Final, r.Embedding.Vectors)
				if want == nil {
					want = got
				}
				if !slices.EqualFunc(got, want, func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }) {
					t.Errorf("%s, directed %v: other bytes with %d threads", method, net.Directed(), threads)
				}
			}
		}
	}
}

// Runs that end after epochs tell of no pairs of a run.
func TestProgressWithoutRecipe(t *testing.T) {
	train(t, karate(), small(), Monitor{Step: func(p Progress) {
		if p.RunPairs != 0 || p.RunTotal != 0 {
			t.Fatalf("told of %d of %d pairs", p.RunPairs, p.RunTotal)
		}
	}})
}

// What is given by itself takes back what of a recipe stands against it, and nothing else.
func TestGive(t *testing.T) {
	asp2vec := defaults(MethodAsp2vec, Standard)
	if asp2vec.DenseDegree == 0 {
		t.Fatal("no recipe for dense networks")
	}
	dense := func(o *Options) { o.DenseDegree = 0 }
	for name, want := range map[string]func(*Options){
		"learning-rate":       func(o *Options) { o.RateSum, o.DenseDegree = 0, 0 },
		"final-learning-rate": func(o *Options) { o.RateSum, o.DenseDegree = 0, 0 },
		"rate-sum":            dense,
		"rate-end":            dense,
		"max-norm":            dense,
		"warm-up-share":       dense,
		"embedding":           dense,
		"batch":               func(o *Options) { o.Steps = 0 },
		"epochs":              func(o *Options) { o.PairsPerVertex = 0 },
		"warm-up-epochs":      func(o *Options) { o.PairsPerVertex = 0 },
	} {
		got, expected := asp2vec, asp2vec
		got.Give(name)
		if want(&expected); got != expected {
			t.Errorf("%s: %+v, want %+v", name, got, expected)
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Options]()) {
		switch name := f.Tag.Get("json"); name {
		case "learning-rate", "final-learning-rate", "batch", "epochs", "warm-up-epochs", "rate-sum", "rate-end", "max-norm", "warm-up-share", "embedding":
		default:
			o := asp2vec
			if o.Give(name); o != asp2vec {
				t.Errorf("%s takes back %+v of %+v", name, o, asp2vec)
			}
		}
	}
}

// The embedding is made of centres, or of means with the contexts, and scaled to a root mean square length.
func TestEmbeddingOfModel(t *testing.T) {
	for _, scale := range []float64{0, 0.3, 2} {
		for _, vectors := range []string{EmbeddingCenter, EmbeddingMean} {
			o := small()
			o.Vectors, o.Scale = vectors, scale
			m, err := NewSkipGram(o, 10, 1)
			if err != nil {
				t.Fatal(err)
			}
			want := widen(m.P.X)
			if vectors == EmbeddingMean {
				for v := range 10 {
					for i := range o.Dim {
						var aspects float64
						for s := range o.Aspects {
							aspects += float64(m.Q.Row(v)[s*o.Dim+i]) / float64(o.Aspects)
						}
						want[v*o.Dim+i] = (want[v*o.Dim+i] + aspects) / 2
					}
				}
			}
			if scale > 0 {
				factor := scale / rootMeanSquare(want, 10)
				for i := range want {
					want[i] *= factor
				}
			}
			got := make([]float32, 10*o.Dim)
			before := slices.Concat(m.P.X, m.Q.X)
			if m.Final(got); !near(widen(got), want, 0, 1e-6) {
				t.Errorf("%s scaled to %v: %v, want %v", vectors, scale, got, want)
			}
			if length := rootMeanSquare(widen(got), 10); scale > 0 && math.Abs(length-scale) > 1e-6 {
				t.Errorf("%s: rows of a length of %v, want %v", vectors, length, scale)
			}
			if !slices.Equal(slices.Concat(m.P.X, m.Q.X), before) {
				t.Errorf("%s scaled to %v: the parameters have changed", vectors, scale)
			}
		}
	}
}

// rootMeanSquare returns that of the lengths of n rows.
func rootMeanSquare(x []float64, n int) float64 {
	var sum float64
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(n))
}

func TestScaleRows(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, c := range []struct{ x, want []float32 }{
		{[]float32{3, 4, 0, 0}, []float32{3 * math.Sqrt2 / 5, 4 * math.Sqrt2 / 5, 0, 0}}, // of lengths 5 and 0
		{[]float32{0, 0, 0, 0}, []float32{0, 0, 0, 0}},
		{[]float32{1, nan, 2, 3}, []float32{1, nan, 2, 3}},
		{[]float32{1, inf, 2, 3}, []float32{1, inf, 2, 3}},
		{[]float32{1e-30, 0, 0, 1e-30}, []float32{1, 0, 0, 1}},
		{[]float32{3e38, 0, 0, 3e38}, []float32{1, 0, 0, 1}},
	} {
		x := slices.Clone(c.x)
		scaleRows(x, 2, 1)
		for i := range x {
			if math.Abs(float64(x[i])-float64(c.want[i])) > 1e-6 || math.IsNaN(float64(x[i])) != math.IsNaN(float64(c.want[i])) {
				t.Errorf("%v scaled: %v, want %v", c.x, x, c.want)
				break
			}
		}
	}
}

// Which vectors are the embedding, and how long they are, is nothing to training: neither to the start after a warm-up.
func TestEmbeddingLeavesTraining(t *testing.T) {
	var want []float32
	for _, edit := range []func(*Options){
		func(*Options) {},
		func(o *Options) { o.Vectors = EmbeddingCenter },
		func(o *Options) { o.Scale = 3 },
		func(o *Options) { o.Vectors, o.Scale = EmbeddingCenter, 0.01 },
	} {
		o := small()
		o.WarmUp, o.WarmUpEpochs, o.Epochs = true, 2, 2
		edit(&o)
		m := model(train(t, karate(), o, Monitor{}))
		got := slices.Concat(m.P.X, m.Q.X)
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s scaled to %v: other parameters", o.Vectors, o.Scale)
		}
	}
}

// Under a recipe, too, a run that begins with another one's stage ends as it would have alone, and none that differs in what the stage
// reads begins with it.
func TestStagesOfRecipes(t *testing.T) {
	for _, method := range []string{MethodAsp2vec, MethodSplitter} {
		t.Run(method, func(t *testing.T) {
			for name, net := range map[string]*network.Network{"links": karate(), "arcs": directed(karate())} { // one pass, and several
				stages := &StageCache{}
				for i, lambda := range []float64{0.1, 0, 0.5} {
					o := brief(t, method)
					o.Lambda, o.AspectNoise = lambda, 0.1*float64(i%2)
					if method == MethodSplitter {
						o.AspectNoise = 0
					}
					alone := train(t, net, o, Monitor{})
					shared, err := Train(context.Background(), Input{Network: net, Cache: stages}, o, 2, Monitor{})
					if err != nil {
						t.Fatal(err)
					}
					if shared.Stages[0].Shared != (i > 0) {
						t.Errorf("%s, lambda %v: first stage shared: %v", name, lambda, shared.Stages[0].Shared)
					}
					if got, want := bare(shared.Stages), bare(alone.Stages); !reflect.DeepEqual(got, want) || !slices.Equal(shared.Embedding.Final, alone.Embedding.Final) {
						t.Errorf("%s, lambda %v: stages %+v, alone %+v, or another embedding", name, lambda, got, want)
					}
				}
				for name, edit := range map[string]func(*Options){
					"warm-up-share":    func(o *Options) { o.WarmUpShare = 0.4 },
					"pairs-per-vertex": func(o *Options) { o.PairsPerVertex = 150 },
					"steps":            func(o *Options) { o.Steps = 7 },
					"rate-sum":         func(o *Options) { o.RateSum = 0.3 },
					"degree-power":     func(o *Options) { o.RateSum, o.DegreePower = 1, 1 },
					"directed-share":   func(o *Options) { o.RateSum, o.DirectedShare = 1, 0.3 },
				} {
					o := brief(t, method)
					edit(&o)
					if r, err := Train(context.Background(), Input{Network: net, Cache: stages}, o, 2, Monitor{}); err != nil || r.Stages[0].Shared {
						t.Errorf("another %s: shared, or %v", name, err)
					}
				}
			}
			a, b := brief(t, method), brief(t, method)
			if b.WarmUpShare = 0.4; FirstStage(a) == FirstStage(b) || FirstStage(a) == "" {
				t.Errorf("first stages %q and %q: want two", FirstStage(a), FirstStage(b))
			}
			a.PairsPerVertex, b.PairsPerVertex = 0, 0 // the share is of pairs alone
			if FirstStage(a) != FirstStage(b) {
				t.Errorf("without pairs, first stages %q and %q: want one", FirstStage(a), FirstStage(b))
			}
		})
	}
}

// Stages that end where another run's choice did have that epoch's parameters, without a score.
func TestUntil(t *testing.T) {
	o := small()
	o.WarmUp, o.WarmUpEpochs, o.Epochs, o.Patience, o.Select, o.FinalRate = true, 6, 6, 3, SelectValidation, 0.001
	score, seen := scores(.5, .9, .6, .7, .8, .3, .4, .5, .2, .1, .1)
	chosen := train(t, karate(), o, Monitor{Score: score})
	if chosen.Stages[0].Best != 2 || chosen.Stages[1].Best != 3 {
		t.Fatalf("stages %+v", chosen.Stages)
	}
	r, err := Train(context.Background(), Input{Network: karate(), Until: map[string]int{StageWarmUp: 2, StageMain: 3}}, o, 1, Monitor{})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range r.Stages {
		if want := chosen.Stages[i].Best; len(s.Epochs) != want || s.Best != want || s.Epochs[0].Scored {
			t.Errorf("%s: %d epochs, best %d, scored %v, want %d of both", s.Name, len(s.Epochs), s.Best, s.Epochs[0].Scored, want)
		}
	}
	// The walks of the main stage are other ones: it begins after two passes, not after those that patience took.
	if len(r.Embedding.Final) != len((*seen)[0]) {
		t.Error(fmt.Sprint("an embedding of ", len(r.Embedding.Final), " numbers"))
	}
	// Without a warm-up there is nothing before, and the embedding is the chosen one.
	o.WarmUp = false
	score, _ = scores(.5, .9, .6, .7, .8)
	chosen = train(t, karate(), o, Monitor{Score: score})
	r, err = Train(context.Background(), Input{Network: karate(), Until: map[string]int{StageMain: 2}}, o, 1, Monitor{})
	if err != nil || !slices.Equal(r.Embedding.Final, chosen.Embedding.Final) {
		t.Errorf("another embedding than the chosen epoch's, or %v", err)
	}
	// More epochs than the options allow are not trained.
	if r, err = Train(context.Background(), Input{Network: karate(), Until: map[string]int{StageMain: 100}}, o, 1, Monitor{}); err != nil || len(r.Stages[0].Epochs) != 6 {
		t.Errorf("%+v, %v: want the 6 epochs of the options", r, err)
	}
}

// A number of pairs leaves no epochs to choose from, where the method ends after one; the others do not read it.
func TestRecipeChoosesNoEpoch(t *testing.T) {
	for _, m := range Methods() {
		o := defaults(m.Name, Standard)
		o.Select = SelectValidation
		err := o.Complete().Validate()
		if reads := m.Reads("pairs-per-vertex"); reads != (err != nil && strings.Contains(err.Error(), `select = "validation": want "last" where a number of pairs ends training`)) {
			t.Errorf("%s, which reads pairs-per-vertex: %v: %v", m.Name, reads, err)
		}
		if o.PairsPerVertex = 0; o.Complete().Validate() != nil {
			t.Errorf("%s without a number of pairs: %v", m.Name, o.Complete().Validate())
		}
	}
}

// Dense networks have asp2vec's recipe for them, from the degree that the options name, and no other method or network has it.
func TestDenseRecipe(t *testing.T) {
	degree := meanDegree(karate().Vertices(), karate().Links()) // 4.6
	for _, c := range []struct {
		name  string
		edit  func(*Options)
		dense bool
	}{
		{"of a higher degree", func(o *Options) { o.DenseDegree = degree - 0.1 }, true},
		{"of that degree", func(o *Options) { o.DenseDegree = degree }, true},
		{"of a lower degree", func(o *Options) { o.DenseDegree = degree + 0.1 }, false},
		{"of that degree, but for links that are held out", func(o *Options) { o.DenseDegree, o.HoldOut = 1.2*degree, 0.2 }, true},
		{"of a lower degree, with them", func(o *Options) { o.DenseDegree, o.HoldOut = 1.3*degree, 0.2 }, false},
		{"no dense networks", func(o *Options) { o.DenseDegree = 0 }, false},
		{"epochs", func(o *Options) { o.DenseDegree, o.PairsPerVertex = 1, 0 }, false},
	} {
		o := defaults(MethodAsp2vec, Standard)
		c.edit(&o)
		got, want := o.dense(degree), o
		if c.dense {
			want.RateSum, want.RateEnd, want.MaxNorm, want.WarmUpShare, want.Vectors = 10, 1, 1, 0.4, EmbeddingMean
		}
		if got != want {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
	}
	// Trained, it is what these options are by themselves.
	o := brief(t, MethodAsp2vec)
	o.DenseDegree = 1
	by := o.dense(1)
	by.DenseDegree = 0
	dense, alone := train(t, karate(), o, Monitor{}), train(t, karate(), by, Monitor{})
	if !slices.Equal(dense.Embedding.Final, alone.Embedding.Final) {
		t.Error("trained by the recipe of dense networks: another embedding than by its options")
	}
	o.DenseDegree = 0
	if slices.Equal(dense.Embedding.Final, train(t, karate(), o, Monitor{}).Embedding.Final) {
		t.Error("trained by the recipe of dense networks: the embedding of others")
	}
}

// Rows of DeepWalk are no longer than the options say, at the end too.
func TestMaxNorm(t *testing.T) {
	for _, longest := range []float64{0.02, 1, 0} {
		o := brief(t, MethodDeepWalk)
		o.RateSum, o.SpreadPower, o.Vectors, o.Scale, o.MaxNorm = 20, 0, EmbeddingCenter, 0, longest
		e, most := train(t, karate(), o, Monitor{}).Embedding, 0.
		for v := range len(e.Final) / e.D {
			var square float64
			for _, x := range e.Final[v*e.D:][:e.D] {
				square += float64(x) * float64(x)
			}
			most = max(most, math.Sqrt(square))
		}
		if longest > 0 && (most > longest*(1+1e-6) || most < longest*(1-1e-6)) || longest == 0 && most <= 1 {
			t.Errorf("the longest row is %v: want %v", most, longest)
		}
	}
}
