package hetnet

import "github.com/asp2vec/asp2vec/graphs"

// fallingRate sets the learning rate of the steps to come where it is to fall, linearly over all epochs: done of the pairs of an
// epoch, numbered from 1, have been trained.
func fallingRate(move *graphs.Optimizer, o graphs.Options, epoch int, done, pairs int64) {
	if o.FinalRate <= 0 {
		return
	}
	fraction := (float64(epoch-1) + float64(done)/float64(max(pairs, 1))) / float64(o.Epochs)
	move.SetRate(o.LearningRate + (o.FinalRate-o.LearningRate)*min(fraction, 1))
}
