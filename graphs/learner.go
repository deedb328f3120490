package graphs

import (
	"context"

	"github.com/asp2vec/asp2vec/graphs/engine"
)

// Learner is a model in training: parameters that an epoch improves. The trainer (train.go) knows no more of a method.
type Learner interface {
	// Pairs returns about how many (centre, context) pairs an epoch trains; for a model without pairs, vertices.
	Pairs() int64
	// Epoch trains one epoch, numbered from 1. It calls step after every step with the pairs and the loss of that step. It
	// ends after a step, without an error, when ctx is cancelled; or, where askedToLeave says so, before one has moved anything, after calling
	// step with no pairs. The numbers are the same for any number of threads.
	Epoch(ctx context.Context, number int, step func(pairs int64, l engine.Loss)) error
	// State returns, as a value for JSON, what the steps to come depend on besides the parameters, their moments, and the number of
	// the epoch. Between two steps, also in the midst of an epoch, it is that after the latest.
	State() any
	// Resume takes over such a state, in a learner whose parameters and moments are those of then: the next Epoch leaves out its
	// first steps, so many of them. It returns an error for what is no such state.
	Resume(state []byte, steps int) error
	// Parameters returns what the epochs move, as held: the trainer keeps the best epoch's and puts them back.
	Parameters() []*engine.Table
	// Embedding returns the vectors at the present parameters; all but the final ones may be in their memory. It returns an error where
	// what makes them of the parameters, such as an encoder of texts, fails.
	Embedding() (Embedding, error)
}

// Embedding is what a model gives the N vertices of a network.
type Embedding struct {
	D     int
	Final []float32 // (N,D): one vector for each vertex

	Center []float32 // (N,D), or nil where a method has no centres of its own
	// Vectors (R,D) are the several vectors of each vertex, those of v in rows First[v] to First[v+1]-1; nil where a method
	// has but one.
	Vectors []float32
	First   []int32   // (N+1)
	Share   []float32 // (R): weights of a vertex's vectors, which add up to 1; nil where there are none

	Learned []*engine.Table // (N,.), (R,.) of a splitter or polydw, or (1,.): what entries of registries have learned, by key
}

// CountParameters returns how many numbers a learner has learnt: its parameters, and those of an earlier stage that it still
// needs, which it returns as Frozen.
func CountParameters(l Learner) (count int64) {
	tables := l.Parameters()
	if f, ok := l.(interface{ Frozen() []*engine.Table }); ok {
		tables = append(tables[:len(tables):len(tables)], f.Frozen()...)
	}
	for _, t := range tables {
		count += int64(len(t.X))
	}
	return count
}
