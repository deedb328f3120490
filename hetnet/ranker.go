package hetnet

import "context"

// Ranker is a trained model that tells how likely authors are to have written a paper.
type Ranker interface {
	// Scores returns, for each paper, given by its tokens, a score of each author asked for: higher is likelier. Scores of one
	// paper can be compared, those of several papers need not. Uses up to threads goroutines, whose number does not change
	// the result. It ends early with ctx's error when ctx is cancelled.
	Scores(ctx context.Context, papers [][]int32, authors [][]int32, threads int) ([][]float32, error)
}
