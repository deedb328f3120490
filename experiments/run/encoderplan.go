package run

import (
	"math"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
)

// encoderPlan says what an encoder of texts holds.
type encoderPlan struct {
	mean                bool    // a linear layer over the mean of a text's words, not a GRU
	length              int     // of a text, at most
	vocabulary, all     float64 // words that there are, and words of all texts
	wordDim, dim, texts float64 // texts: how many there are
	read                float64 // words of all texts that are read
}

// newEncoderPlan returns the plan for texts of a vocabulary.
func newEncoderPlan(o graphs.Options, vocabulary int) *encoderPlan {
	own := hetnet.Own(o)
	return &encoderPlan{mean: own.Encoder == hetnet.EncoderMean, length: own.TextLength, vocabulary: float64(vocabulary), wordDim: float64(own.WordDim), dim: float64(o.Dim)}
}

// add counts a text.
func (e *encoderPlan) add(text []int32) {
	e.texts++
	e.all += float64(len(text))
	e.read += float64(min(len(text), e.length))
}

// parameters returns how many are learnt.
func (e *encoderPlan) parameters() int64 {
	if e.mean {
		return int64(e.dim * e.wordDim)
	}
	return int64(3*e.dim*(e.wordDim+e.dim) + 6*e.dim)
}

// step returns the bytes for a share of the texts at a time. Of a GRU (fused.GRU) they are for gates and states of each word, with room for an
// eighth more, and the input side of the distinct ones, whose number grows as the root of that of all. Of mean they are for the texts' means.
func (e *encoderPlan) step(share float64) float64 {
	if e.mean {
		return 4 * (share*e.texts*(e.wordDim+e.dim) + hetnet.TextsAtOnce*(2*e.wordDim+8*e.dim) + 4*e.dim*e.wordDim)
	}
	tokens := share * e.read
	distinct := e.vocabulary * math.Sqrt(min(1, tokens/max(1, e.all)))
	return 4 * (1.125*tokens*(5*e.dim+3) + distinct*(e.wordDim+7*e.dim) + 33*3*e.dim*e.dim)
}

// scored returns the bytes for scoring so many times the texts at the end, some at a time.
func (e *encoderPlan) scored(times float64) float64 {
	return e.step(min(times, hetnet.WordsAtOnce/max(1, e.read)))
}

// own returns the bytes that an encoder holds of the vocabulary: of mean, vectors of length 1.
func (e *encoderPlan) own() float64 {
	if e.mean {
		return 4 * e.vocabulary * e.wordDim
	}
	return 0
}
