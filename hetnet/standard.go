package hetnet

import "github.com/asp2vec/asp2vec/graphs"

// What the methods have for themselves under the protocol "standard": chosen by the development papers of DBLP, under seed 1, with as
// many trials for each method; see results/recipe/authors.md. The rate falls to almost nothing over a number of epochs that is fixed
// beforehand, so that the last epoch is as good as any, and no paper needs to choose one.

// lastRate is what learning rates fall to.
const lastRate = 1e-5

func standardPapers(o *graphs.Options) {
	o.WordEpochs, o.Select, o.FinalRate = 0, graphs.SelectLast, lastRate
}

// camelStandard are Camel's.
func camelStandard(o *graphs.Options) {
	standardPapers(o)
	o.LearningRate, o.Epochs, o.MetaPaths = 0.003, 60, "APA"
}

// tapemStandard are TaPEm's: its Camel is trained as Camel is.
func tapemStandard(o *graphs.Options) {
	camelStandard(o)
	o.LearningRate, o.WarmUpEpochs, o.Epochs = 0.001, 60, 20
}

// walkedStandard are those of the methods on every pair of the walks.
func walkedStandard(o *graphs.Options) {
	standardPapers(o)
	o.Batch, o.LearningRate, o.Epochs = 10000, 0.001, 10
}

// asp2vecHetStandard are asp2vec-het's.
func asp2vecHetStandard(o *graphs.Options) {
	walkedStandard(o)
	o.MeanPenalty = true
}
