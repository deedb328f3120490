package hetnet

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/papers"
)

// prior is what a score says of an author whatever the paper, β log(1+n_a) of an author with n_a training papers: those with many are likelier to have
// written one more.
type prior struct {
	known *graphs.Table // (A)
}

func newPrior(authors int) prior { return prior{known: graphs.NewTable("author_bias", authors)} }

func (p prior) set(beta float64, papersOf [][]int32) {
	for a, written := range papersOf {
		p.known.X[a] = float32(beta * math.Log1p(float64(len(written))))
	}
}

func (p prior) chosen() prior { return p }

// priorShares are the β to choose from, each times how far the scores of a paper's candidates deviate from their mean.
var priorShares = []float64{0, 0.03, 0.1, 0.2, 0.3, 0.5, 0.8}

// ChoosePrior sets β of a model to that by which a task's development papers have the highest Recall@5, and the smallest of several. It returns ctx's error when that is cancelled, and those of scores.
func ChoosePrior(ctx context.Context, r papers.Ranker, t *papers.Identification, threads int) error {
	of, ok := r.(interface{ chosen() prior })
	if !ok {
		return nil
	}
	tokens, authors, err := t.Asked(t.Dev)
	if err != nil {
		return err
	}
	p := of.chosen()
	p.set(0, t.PapersOf)
	plain, err := r.Scores(ctx, tokens, authors, threads)
	if err != nil {
		return err
	}
	best, most, unit := 0., -1., deviation(plain)
	scores := make([][]float32, len(plain))
	for _, share := range priorShares {
		p.set(share*unit, t.PapersOf)
		for i, list := range authors {
			scores[i] = scores[i][:0]
			for k, a := range list {
				scores[i] = append(scores[i], plain[i][k]+p.known.X[a])
			}
		}
		recall, err := recallOf(t.Dev, scores)
		if err != nil {
			return err
		}
		if recall > most {
			best, most = share, recall
		}
	}
	p.set(best*unit, t.PapersOf)
	return nil
}

// deviation returns the root of the mean square of how far numbers deviate from the mean of their list.
func deviation(lists [][]float32) float64 {
	square, n := 0., 0
	for _, list := range lists {
		mean := 0.
		for _, x := range list {
			mean += float64(x) / float64(len(list))
		}
		for _, x := range list {
			square += (float64(x) - mean) * (float64(x) - mean)
		}
		n += len(list)
	}
	return math.Sqrt(square / float64(max(n, 1)))
}
