package hetnet

import (
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/encode"
)

// TrainedAs returns the options of words that those of a method ask for.
func TrainedAs(o graphs.Options) encode.WordOptions {
	return encode.WordOptions{Dim: Own(o).WordDim, Epochs: Own(o).WordEpochs, Seed: o.Seed}
}

// newTexts returns some texts with the encoder that the options name.
func newTexts(in Input, texts [][]int32, o graphs.Options, threads int) (*textContent, error) {
	own := Own(o)
	e, err := encode.NewEncoder(in.Words, encode.TextOptions{Dim: o.Dim, Mean: own.Encoder == EncoderMean, Cell: own.Cell, Length: own.TextLength, Seed: o.Seed}, threads)
	t := &textContent{Encoder: e, texts: texts}
	if err != nil || e.Means() == nil {
		return t, err
	}
	return t, e.Means().Weigh(in.Network)
}
