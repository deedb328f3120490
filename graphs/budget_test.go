package graphs

import (
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/network"
)

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
		{"by its root", karate(), func(o *Options) { o.DegreePower = 0.5 }, 3400, 0.5 / math.Sqrt(degree)},
		{"growing with the degree", karate(), func(o *Options) { o.DegreePower = -1 }, 3400, 0.5 * degree},
		{"of arcs, by degree", directed(karate()), func(o *Options) { o.DegreePower = 1 }, 3400, 0.5 / degree},
		{"asp2vec in four times the dimensions", karate(), func(o *Options) { o.Dim = 80 }, 3400, 0.25},
		{"deepwalk in four times the dimensions", karate(), func(o *Options) { o.SetMethod(MethodOf(MethodDeepWalk)); o.Dim = 80 }, 3400, 0.5},
		{"half the pairs", karate(), func(o *Options) { o.PairsPerVertex = 50 }, 1700, 0.5},
	} {
		o := OptionsOf(MethodOf(MethodAsp2vec), Standard)
		o.PairsPerVertex, o.RateSum = 100, 0.5
		c.edit(&o)
		b := o.budget(c.net)
		if b == nil || b.pairs != c.pairs || math.Abs(b.rates-c.rates) > 1e-12 {
			t.Errorf("%s: %+v, expected %v pairs and rates of %v", c.name, b, c.pairs, c.rates)
		}
	}
	o := OptionsOf(MethodOf(MethodAsp2vec), Standard)
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
		t.Errorf("rates of %v where vertices have half a link, expected 0.5", b.rates)
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
		o := OptionsOf(MethodOf(MethodAsp2vec), Standard)
		o.RateEnd = 0
		o.PairsPerVertex, o.Steps, o.RateSum, o.Batch, o.LearningRate, o.FinalRate = 100, 17, 0.5, 500, 0.03, 0.01
		c.edit(&o)
		got, pairs := o.budget(karate()).stage(o, c.share, c.vertices)
		if pairs != c.pairs || got.Batch != c.batch || math.Abs(got.LearningRate-c.rate) > 1e-12 || math.Abs(got.FinalRate-c.final) > 1e-12 {
			t.Errorf("%s: %v pairs, batch %d, rates from %v to %v, expected %v, %d, %v and %v",
				c.name, pairs, got.Batch, got.LearningRate, got.FinalRate, c.pairs, c.batch, c.rate, c.final)
		}
	}
}
