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

// Standard returns the options of a recipe that is fixed before it sees a network: no test link is looked at, no link is held
// out, and training ends after a number of pairs that is known when it starts. Its constants are the same for all networks;
// results/recipe says how they were found. Method.Standard has what differs by method.
func Standard() Options {
	o := Default()
	o.Select = SelectLast
	o.PairsPerVertex, o.Steps, o.RateSum = 1000, 1000, 0.2
	o.Vectors, o.Scale = EmbeddingCenter, 0.3
	return o
}

// budget is what the recipe of a run comes to on a network.
type budget struct {
	pairs float64 // of the whole run
	rates float64 // the sum of the learning rates of each stage's steps; 0 where the learning rate is given
}

// budgeted says whether a run ends after a number of pairs, rather than epochs.
func (o Options) budgeted() bool { return o.PairsPerVertex > 0 }

// budget returns what the options come to on a network; nil where epochs end training.
func (o Options) budget(net *network.Network) *budget {
	if !o.budgeted() {
		return nil
	}
	var b budget
	n := float64(net.Vertices())
	b.pairs = o.PairsPerVertex * n
	if o.RateSum > 0 {
		degree := 2 * float64(net.Links()) / n
		b.rates = o.RateSum
		if net.Directed() {
			b.rates *= o.DirectedShare
		}
		if o.DegreePower != 0 {
			b.rates *= math.Pow(max(degree, 1), -o.DegreePower)
		}
	}
	return &b
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
		if o.Optimizer == OptimizerSGD {
			steps = pairs / float64(vertices)
		}
		o.LearningRate, o.FinalRate = 2*b.rates*share/max(steps, 1), 0 // it falls linearly to 0
	}
	return o, pairs
}

// Give takes back what of a recipe stands against an option that was given by itself: a learning rate against a sum of
// rates, a batch against a number of steps, epochs or a choice among them against a number of pairs.
func (o *Options) Give(name string) {
	switch name {
	case "learning-rate", "final-learning-rate":
		o.RateSum = 0
	case "batch":
		o.Steps = 0
	case "epochs", "warm-up-epochs":
		o.PairsPerVertex = 0
	}
}
