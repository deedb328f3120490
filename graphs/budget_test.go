package graphs

import (
	"math"
	"testing"
)

// The batch and the learning rate of a stage, by hand: 3400 pairs in 17 steps are batches of 200.
func TestBudgetOfStages(t *testing.T) {
	for _, c := range []struct {
		name     string
		edit     values
		share    float64
		vertices int
		pairs    float64
		batch    int
		rate     float64
		final    float64
	}{
		{"all of it", nil, 1, 34, 3400, 200, 2 * 0.5 / 17, 0},
		{"a share, with as large batches and rates", nil, 0.25, 34, 850, 200, 2 * 0.5 / 17, 0},
		{"batches as given", values{"steps": 0}, 0.5, 34, 1700, 500, 2 * 0.25 / 3.4, 0},
		{"less than a batch", values{"steps": 0, "batch": 50000}, 1, 34, 3400, 50000, 2 * 0.5, 0},
		{"more steps than pairs", values{"steps": 10000}, 1, 34, 3400, 1, 2 * 0.5 / 3400, 0},
		{"sgd: over the pairs of a vertex", values{"optimizer": OptimizerSGD}, 1, 34, 3400, 200, 2 * 0.5 / 100, 0},
		{"sgd: over those of one of three facets", values{"optimizer": OptimizerSGD}, 1, 102, 3400, 200, 2 * 0.5 / (3400. / 102), 0},
		{"sgd: a share", values{"optimizer": OptimizerSGD}, 0.25, 34, 850, 200, 2 * 0.125 / 25, 0},
		{"rates that stay", values{"rate-end": 1}, 1, 34, 3400, 200, 0.5 / 17, 0.5 / 17},
		{"rates that fall to a third", values{"rate-end": 1. / 3}, 1, 34, 3400, 200, 0.75 / 17, 0.25 / 17},
		{"a rate as given", values{"rate-sum": 0}, 1, 34, 3400, 200, 0.03, 0.01},
		{"no share", nil, 0, 34, 0, 500, 0.03, 0.01},
		{"no budget", values{"pairs-per-vertex": 0}, 1, 34, 0, 500, 0.03, 0.01},
	} {
		o := OptionsOf(MethodOf(MethodAsp2vec), Standard)
		o.RateEnd = 0
		o.PairsPerVertex, o.Steps, o.RateSum, o.Batch, o.LearningRate, o.FinalRate = 100, 17, 0.5, 500, 0.03, 0.01
		o.setAll(c.edit)
		got, pairs := o.budget(karate()).stage(o, c.share, c.vertices)
		if pairs != c.pairs || got.Batch != c.batch || math.Abs(got.LearningRate-c.rate) > 1e-12 || math.Abs(got.FinalRate-c.final) > 1e-12 {
			t.Errorf("%s: %v pairs, batch %d, rates from %v to %v, expected %v, %d, %v and %v",
				c.name, pairs, got.Batch, got.LearningRate, got.FinalRate, c.pairs, c.batch, c.rate, c.final)
		}
	}
}
