package typed

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/par"
)

// Question asks which vertices of a type belong to a text: of a paper, who wrote it.
type Question struct {
	Name  string  // of what is asked about
	Text  []int32 // its words, as places in Network.Words
	Own   []int32 // the vertices that are right, distinct
	Among []int32 // others to tell them from; who stands there twice counts twice
}

// Task is questions about a network: those that choose among models, and those that are reported.
type Task struct{ Validation, Test []Question }

// Ranker tells how likely vertices are to be right.
type Ranker interface {
	// Rank sets dst, a list for each question, to the scores of its Own and then of its Among: higher is likelier. Scores of one question can
	// be compared, those of several need not. A vertex that is there twice has the same score twice. Uses up to threads goroutines, whose number
	// does not change the result. It ends early with ctx's error when ctx is cancelled.
	Rank(ctx context.Context, questions []Question, dst [][]float32, threads int) error
}

// Each implements Ranker.Rank by what sets the scores dst of the candidates of question i, which several goroutines call.
func Each(ctx context.Context, questions []Question, dst [][]float32, threads int, do func(i int, dst []float32, candidates []int32) error) error {
	errs := make([]error, len(questions))
	par.Blocks(threads, len(questions), func(_, i int) {
		if ctx.Err() == nil {
			errs[i] = do(i, dst[i], slices.Concat(questions[i].Own, questions[i].Among))
		}
	})
	return cmp.Or(ctx.Err(), errors.Join(errs...))
}

// Scores returns the scores that a ranker gives, a list for each question as Ranker.Rank has it, or its error.
func Scores(ctx context.Context, r Ranker, questions []Question, threads int) ([][]float32, error) {
	dst := make([][]float32, len(questions))
	for i, q := range questions {
		dst[i] = make([]float32, len(q.Own)+len(q.Among))
	}
	return dst, r.Rank(ctx, questions, dst, threads)
}

// Measure returns what scores of some questions come to: eval.Rankings at the given numbers of first candidates, and its errors.
func Measure(questions []Question, scores [][]float32, at ...int) (map[string]float64, error) {
	answers := make([]eval.Answers, len(questions))
	for i, q := range questions {
		own := len(q.Own)
		answers[i] = eval.Answers{Own: scores[i][:own], Others: scores[i][own:]}
	}
	return eval.Rankings(answers, at)
}

// Evaluate returns what a ranker comes to on some questions, in names of records: see eval.Rankings. It returns the errors of both.
func Evaluate(ctx context.Context, r Ranker, questions []Question, threads int) (map[string]float64, error) {
	scores, err := Scores(ctx, r, questions, threads)
	if err != nil {
		return nil, err
	}
	return Measure(questions, scores, 1, 2, 5, 10, 20)
}
