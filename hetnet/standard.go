package hetnet

import "github.com/asp2vec/asp2vec/graphs"

// What the methods have for themselves under the protocol "standard": chosen by the development papers of DBLP, under seed 1, with as
// many trials for each method; see results/recipe/authors.md. The rate falls to almost nothing over a number of epochs that is fixed
// beforehand, so that the last epoch is as good as any, and no paper needs to choose one. M2V++ and asp2vec-het encode texts by the means of
// their words' vectors, with which they rank better than with the paper's recurrent unit.

// lastRate is what learning rates fall to.
const lastRate = 1e-5

// standardPapers sets what the methods have in common, over the published walks and losses and what a method has for itself there.
func standardPapers(o *graphs.Options, own func(o *graphs.Options)) {
	method, seed := o.Method, o.Seed
	*o = graphs.Default()
	o.SetMethod(method)
	o.Seed = seed
	own(o)
	o.Select, o.FinalRate = graphs.SelectLast, lastRate
	graphs.Edit(o, func(p *PaperOptions) { p.WordEpochs = 0 })
}

// camelStandard are Camel's.
func camelStandard(o *graphs.Options) {
	standardPapers(o, camelDefaults)
	o.LearningRate, o.Epochs = 0.01, 60
	graphs.Edit(o, func(p *PaperOptions) { p.MetaPaths = AllMetaPaths })
}

// tapemStandard are TaPEm's: its Camel is trained for as long as Camel is, at TaPEm's rate.
func tapemStandard(o *graphs.Options) {
	camelStandard(o)
	o.LearningRate, o.WarmUpEpochs, o.Epochs = 0.001, 60, 10
}

// prototypeStandard are those of prototypes.
func prototypeStandard(o *graphs.Options) {
	standardPapers(o, prototypeDefaults)
	o.Epochs = 8
}

// walkedStandard are those of the methods on every pair of the walks.
func walkedStandard(o *graphs.Options) {
	standardPapers(o, walkedDefaults)
	o.Batch, o.LearningRate, o.Epochs = 10000, 0.003, 10
	graphs.Edit(o, func(p *PaperOptions) { p.Encoder = EncoderMean })
}

// asp2vecHetStandard are asp2vec-het's.
func asp2vecHetStandard(o *graphs.Options) {
	standardPapers(o, asp2vecHetDefaults)
	o.Batch, o.LearningRate, o.Epochs = 10000, 0.01, 10
	o.MeanPenalty = true
	graphs.Edit(o, func(p *PaperOptions) { p.Encoder = EncoderMean })
}
