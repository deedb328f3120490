package hetnet

import (
	"context"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/par"
)

// Ranker is a trained model that tells how likely authors are to have written a paper.
type Ranker interface {
	// Scores returns, for each paper, given by its tokens, a score of each author asked for: higher is likelier. Scores of one
	// paper can be compared, those of several papers need not. An author who is asked for twice has the same score twice. The
	// scores of a paper do not depend on the others asked for. Uses up to threads goroutines, whose number does not change
	// the result. It ends early with ctx's error when ctx is cancelled.
	Scores(ctx context.Context, papers [][]int32, authors [][]int32, threads int) ([][]float32, error)
}

// Observer is a model that is told the Recall@2 of the development papers after each epoch, for a learning rate that depends on
// it. It is not told where these papers choose no epoch.
type Observer interface{ Observe(recall float64) }

// Model is a model of papers and authors: one that learns, and that ranks with what it has learnt so far. All that its scores
// depend on is in the input's Authors and Words, the options and Parameters, so that it can be loaded again.
type Model interface {
	graphs.Learner
	Ranker
}

// ofPapers returns a number for each author that is asked for of each paper: do sets those of paper p in dst, which is zeros. It returns
// ctx's error when that is cancelled.
func ofPapers[T any](ctx context.Context, authors [][]int32, threads int, do func(p int, dst []T)) ([][]T, error) {
	all := make([][]T, len(authors))
	par.Blocks(threads, len(authors), func(_, p int) {
		if ctx.Err() == nil {
			all[p] = make([]T, len(authors[p]))
			do(p, all[p])
		}
	})
	return all, ctx.Err()
}
