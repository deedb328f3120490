package graphs

import (
	"math"

	"github.com/asp2vec/asp2vec/network"
)

// Names of vectors that are the embedding.
const (
	EmbeddingMean   = "mean"   // half the sum of the centre and the mean of its aspects or contexts (Eq. 16, as in the authors' code)
	EmbeddingCenter = "center" // the centre alone
)

// rateSumDim is the dimensions that asp2vec's RateSum is for. Of other methods it holds for any.
const rateSumDim = 20

// budget is what the recipe of a run comes to on a network.
type budget struct {
	pairs float64 // of the whole run
	rates float64 // the sum of the learning rates of each stage's steps; 0 where the learning rate is given
}

// budgeted says whether a run ends after a number of pairs, rather than epochs.
func (o Options) budgeted() bool { return o.PairsPerVertex > 0 }

// meanDegree is the number of links at a vertex; a directed link counts for both of its ends.
func meanDegree(vertices, links int) float64 { return 2 * float64(links) / float64(vertices) }

// budget returns what the options come to on a network; nil where epochs end training.
func (o Options) budget(net *network.Network) *budget {
	if !o.budgeted() {
		return nil
	}
	spread := 1.
	if o.SpreadPower != 0 {
		spread = DegreeSpread(net.Vertices(), net.List())
	}
	return o.budgetOf(net.Vertices(), net.Links(), spread)
}

// budgetOf is budget for a network of a size, see Recipe.
func (o Options) budgetOf(vertices, links int, spread float64) *budget {
	var b budget
	n := float64(vertices)
	b.pairs = o.PairsPerVertex * n
	if o.RateSum > 0 {
		degree := meanDegree(vertices, links)
		b.rates = o.RateSum
		if o.Is(MethodAsp2vec) { // so that vectors get as long, whatever their dimensions
			b.rates *= math.Sqrt(rateSumDim / float64(o.Dim))
		}
		if o.DegreePower != 0 {
			b.rates *= math.Pow(max(degree, 1), -o.DegreePower)
		}
		if o.SpreadPower != 0 {
			b.rates *= math.Pow(spread, -o.SpreadPower)
		}
	}
	return &b
}

// DegreeSpread returns how unequal the degrees of n vertices are: the mean of their squares over the square of their mean, at least
// 1, which is what it is where all are alike. A link counts for both of its ends, also a directed one. The few directions along
// which vectors of a network of hubs grow first say how often a vertex is met, which is much of what tells links from other pairs;
// where degrees are alike those directions say little, and it takes longer until communities show.
func DegreeSpread(n int, links []network.Link) float64 {
	degrees := make([]float64, n)
	for _, l := range links {
		degrees[l.From]++
		degrees[l.To]++
	}
	if len(links) == 0 {
		return 1
	}
	sum := 2 * float64(len(links))
	return squares(degrees) * float64(n) / (sum * sum)
}

// Recipe is what a run that ends after a number of pairs comes to on a network.
type Recipe struct {
	Pairs  float64 `json:"pairs"`             // of all stages
	Pilot  float64 `json:"pilot,omitempty"`   // of the pilot before them, at most
	WarmUp float64 `json:"warm_up,omitempty"` // of them, of the warm-up
	Batch  int     `json:"batch"`             // pairs of a step, at most
	Steps  int64   `json:"steps"`             // of all stages, about: an epoch's last step has fewer pairs; 0 for sgd, which finds them later
	Rate   float64 `json:"learning_rate"`     // of the main stage's first step, unless a pilot finds another
}

// Recipe returns what the options come to on a network of a size, the links being those to train on and spread the DegreeSpread,
// on which the rate alone may depend; and whether the options end a run after a number of pairs. spread is at least 1.
func (o Options) Recipe(vertices, links int, spread float64) (Recipe, bool) {
	if !o.budgeted() || !o.Method.Reads("pairs-per-vertex") || vertices < 1 {
		return Recipe{}, false
	}
	b, share := o.budgetOf(vertices, links, spread), 0.0
	if WarmsUp(o) {
		share = o.WarmUpShare
	}
	if o.Is(MethodPolyDW) {
		vertices *= o.Aspects // it trains facets
	}
	main, _ := b.stage(o, 1-share, vertices)
	r := Recipe{Pairs: b.pairs, WarmUp: b.pairs * share, Batch: main.Batch, Rate: main.LearningRate}
	if o.Piloted() {
		r.Pilot = o.Pilot * r.Pairs * float64(len(o.pilotOptimizers()))
	}
	if !o.perPair() {
		r.Steps = int64(math.Ceil(r.WarmUp/float64(r.Batch)) + math.Ceil((r.Pairs-r.WarmUp)/float64(r.Batch)))
	}
	return r, true
}

// stage returns the options of a stage that takes a share of the run's pairs, over so many vertices (or tokens, or personas):
// with the batch and the learning rate that the recipe comes to, and the number of pairs to train. Without a budget they are
// what they were, and the number is 0.
//
// Under Adam a number moves by about the learning rate a step, so that the sum of the rates over a stage's steps says how far
// it can get, whatever the number of steps. Under sgd, whose rate is that of one pair, it is the sum over the pairs of one
// vertex.
func (b *budget) stage(o Options, share float64, vertices int) (Options, float64) {
	if b == nil || share == 0 {
		return o, 0
	}
	pairs := b.pairs * share
	if o.Steps > 0 {
		o.Batch = int(min(max(math.Round(b.pairs/float64(o.Steps)), 1), math.MaxInt32))
	}
	if b.rates > 0 {
		steps := pairs / float64(o.Batch)
		if o.perPair() {
			steps = pairs / float64(vertices)
		}
		o.LearningRate = 2 * b.rates * share / (max(steps, 1) * (1 + o.RateEnd)) // it falls linearly
		o.FinalRate = o.RateEnd * o.LearningRate
	}
	return o, pairs
}
