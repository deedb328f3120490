package graphs

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/walks"
)

// TokenOptions returns the options of TrainTokens as gensim has them, but for the size of vectors.
func TokenOptions() Options {
	o := OptionsOf(MethodOf(MethodDeepWalk), gensim)
	o.Window, o.Epochs = 5, 5
	return o
}

// TrainTokens trains a skip-gram on sequences of tokens, such as the words of sentences, and returns a vector (tokens,Dim)
// of each token. That of a token that is in no sequence is zero. Of the options it reads those of a method on walks that
// train pairs, and the numbers are the same for any number of threads. It returns an error if an option is out of range, if a
// sequence has a token that is not in 0 to tokens-1, if the loss diverges, or ctx's if that is cancelled. Frequent tokens are
// left out at random by walks.KeepRates of sample; none are where it is 0.
//
// Source: Mikolov et al., NIPS 2013 (word2vec), and gensim. Differs: a step takes a batch of pairs at once.
func TrainTokens(ctx context.Context, src walks.Source, tokens int, sample float64, o Options, threads int) ([]float32, error) {
	switch {
	case src.Walks() == 0:
		return nil, fmt.Errorf("graphs: no sequence of tokens: expected at least one, of two tokens or more")
	case !(sample >= 0):
		return nil, fmt.Errorf("graphs: sample %v of tokens: expected at least 0", sample)
	}
	l, err := newTokenLearner(ctx, src, tokens, sample, o, 0, threads)
	if err != nil {
		return nil, err
	}
	r, err := Fit(ctx, Input{}, []Stage{l.stage(StageMain, l, SelectLast)}, o, Monitor{})
	switch {
	case err != nil:
		return nil, err
	case r.Interrupted:
		return nil, ctx.Err()
	}
	return l.P.X, nil
}

// newTokenLearner returns a skip-gram that starts as word2vec does, on sequences of tokens, with noise by their frequency. Tokens that no
// sequence has have a vector of zeros.
func newTokenLearner(ctx context.Context, src walks.Source, tokens int, sample float64, o Options, pairs float64, threads int) (*skipGramLearner, error) {
	m, err := NewSkipGram(flatOptions(o), tokens, threads)
	if err != nil {
		return nil, err
	}
	counts, err := walks.Frequencies(ctx, src, tokens, threads)
	if err != nil {
		return nil, err
	}
	m.startAsWord2vec()
	for token, count := range counts {
		if count == 0 {
			clear(m.P.Row(token))
		}
	}
	noise, keep := noiseOf(counts, o), walks.KeepRates(counts, sample)
	for token, p := range keep { // what is left of them is what a batch meets
		counts[token] = int64(math.Round(float64(counts[token]) * p))
	}
	c, err := newCorpus(ctx, src, tokens, counts, noise, keep, o, threads)
	if err != nil {
		return nil, err
	}
	return newSkipGramLearner(m, c, o.Epochs, pairs), nil
}
