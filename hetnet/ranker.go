package hetnet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
)

// Observer is a model that is told the Recall@2 of the development papers after each epoch, for a learning rate that depends on
// it. It is not told where these papers choose no epoch.
type Observer interface{ Observe(recall float64) }

// Model is a model of papers and authors: one that learns, and that ranks with what it has learnt so far. All that its scores
// depend on is in the names of authors, the words, the options and Parameters, so that it can be loaded again.
type Model interface {
	graphs.Learner
	papers.Ranker
}

// rows are the vectors of some vertices: n blocks of equally many vectors, one after the other.
type rows struct {
	x   []float32
	dim int
	per int // vectors of a vertex
}

// of returns the vectors of a vertex.
func (r rows) of(v int) []float32 { return r.x[v*r.per*r.dim:][:r.per*r.dim] }

// match scores authors by their vectors and those of texts.
type match struct {
	from, to rows
	bias     []float32                                              // of authors; nil for none
	extra    func(text, author int32) float32                       // of a pair; nil for none
	score    func(dst, x []float32, to rows, authors []int32) error // of vectors x (d) with those of authors; nil for the largest products
}

// of sets dst to the scores of some authors for a text.
func (m match) of(dst []float32, text int, authors []int32) error {
	score := m.score
	if score == nil {
		score = largestProducts
	}
	if err := score(dst, m.from.of(text), m.to, authors); err != nil {
		return err
	}
	for i, a := range authors {
		if m.bias != nil {
			dst[i] += m.bias[a]
		}
		if m.extra != nil {
			dst[i] += m.extra(int32(text), a)
		}
	}
	return nil
}

// largestProducts are the largest inner products of a text's vector with those of authors.
func largestProducts(dst, x []float32, to rows, authors []int32) error {
	all := make([]float32, len(authors)*to.per)
	kernel.Dots(all, x, to.x, authors, to.per, to.dim)
	for i := range dst {
		dst[i] = slices.Max(all[i*to.per:][:to.per])
	}
	return nil
}

// minusDistances are minus the Euclidean distances of a text's vector and those of authors.
func minusDistances(dst, x []float32, to rows, authors []int32) error {
	for i, a := range authors {
		var square float64
		for k, v := range to.of(int(a)) {
			diff := float64(x[k]) - float64(v)
			square += diff * diff
		}
		dst[i] = -float32(math.Sqrt(square))
	}
	return nil
}

// matcher is a model that scores authors for texts.
type matcher interface {
	match(ctx context.Context, texts [][]int32, threads int) (match, error)
}

// scoresOf implements papers.Ranker by the match of texts with n authors.
func scoresOf(ctx context.Context, m matcher, n int, texts, authors [][]int32, threads int) ([][]float32, error) {
	if err := checkScores(texts, authors, n); err != nil || len(texts) == 0 {
		return nil, err
	}
	found, err := m.match(ctx, texts, threads)
	if err != nil {
		return nil, err
	}
	errs := make([]error, len(texts))
	all, err := ofPapers(ctx, authors, threads, func(p int, dst []float32) { errs[p] = found.of(dst, p, authors[p]) })
	return all, errors.Join(err, errors.Join(errs...))
}

// checkScores returns an error unless the authors asked for are n, a list for each paper.
func checkScores(papers, authors [][]int32, n int) error {
	if len(papers) != len(authors) {
		return fmt.Errorf("hetnet: %d papers and %d lists of authors: expected as many", len(papers), len(authors))
	}
	for p, list := range authors {
		for _, a := range list {
			if a < 0 || int(a) >= n {
				return fmt.Errorf("hetnet: author %d of paper %d: expected 0 to %d", a, p, n-1)
			}
		}
	}
	return nil
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
