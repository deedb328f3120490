package hetnet

import (
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
)

// stepsOfEpoch is how many steps an epoch has at least where the rate falls: a run whose length is fixed beforehand needs steps enough
// also where there are few papers.
const stepsOfEpoch = 100

// BatchOf returns how many pairs a step has at most, of so many in an epoch.
func BatchOf(o graphs.Options, pairs int64) int {
	if o.FinalRate > 0 {
		return int(max(min(int64(o.Batch), pairs/stepsOfEpoch), 1))
	}
	return o.Batch
}

// fallingRate sets the learning rate of the steps to come where it is to fall, linearly over all epochs: done of the pairs of an
// epoch, numbered from 1, have been trained.
func fallingRate(move *engine.Optimizer, o graphs.Options, epoch int, done, pairs int64) {
	if o.FinalRate <= 0 {
		return
	}
	move.SetRate(o.LearningRate + (o.FinalRate-o.LearningRate)*fraction(o, epoch, done, pairs))
}

// fraction is how much of a training is done then, from 0 to 1.
func fraction(o graphs.Options, epoch int, done, pairs int64) float64 {
	return min((float64(epoch-1)+float64(done)/float64(max(pairs, 1)))/float64(o.Epochs), 1)
}
