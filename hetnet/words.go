package hetnet

import (
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/encode"
)

// TrainedAs returns the options of words that those of a method ask for.
func TrainedAs(o graphs.Options) encode.WordOptions {
	words := encode.DefaultWords()
	words.Dim, words.Epochs, words.Seed = Own(o).WordDim, Own(o).WordEpochs, o.Seed
	return words
}

// newEncoder returns the encoder of texts that the options name.
func newEncoder(in Input, o graphs.Options, threads int) (*encode.Encoder, error) {
	own := Own(o)
	e, err := encode.NewEncoder(in.Words, encode.TextOptions{Dim: o.Dim, Mean: own.Encoder == EncoderMean, Cell: own.Cell, Length: own.TextLength, Seed: o.Seed}, threads)
	if err != nil || e.Means() == nil {
		return e, err
	}
	return e, e.Means().Weigh(in.Network)
}
