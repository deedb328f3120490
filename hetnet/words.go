package hetnet

import (
	"context"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/typed"
)

// TrainedAs returns the options of words that those of a method ask for.
func TrainedAs(o graphs.Options) encode.WordOptions {
	words := encode.DefaultWords()
	words.Dim, words.Epochs, words.Seed = Own(o).WordDim, Own(o).WordEpochs, o.Seed
	return words
}

// WordsOf returns the vectors of the words of a network's texts, from the file that the options name or trained on the texts. It
// returns an error for a file that cannot be read or lacks words, and for texts too short to train on.
func WordsOf(ctx context.Context, n *typed.Network, o graphs.Options, threads int) (*encode.Words, error) {
	own := Own(o)
	if own.WordVectors != "" {
		w, _, err := encode.ReadWords(own.WordVectors, n.Words)
		return w, err
	}
	return encode.TrainWords(ctx, n, TrainedAs(o), threads)
}

// newEncoder returns the encoder of texts that the options name.
func newEncoder(in Input, o graphs.Options, threads int) (*encode.Encoder, error) {
	own := Own(o)
	return encode.NewEncoder(in.Words, encode.TextOptions{Dim: o.Dim, Mean: own.Encoder == EncoderMean, Cell: own.Cell, Length: own.TextLength, Seed: o.Seed}, threads)
}
