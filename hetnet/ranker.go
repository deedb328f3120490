package hetnet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
)

// Observer is a model that is told the Recall@2 of the development papers after each epoch, for a learning rate that depends on
// it. It is not told where these papers choose no epoch.
type Observer interface{ Observe(recall float64) }

// Ranker is a trained model that ranks the vertices of one type for those of another, as it is now.
type Ranker interface {
	papers.Ranker // of the authors of papers that it may not know
	// Scorer returns the scores of the targets of a task for its sources. It returns an error for types that are on none of the
	// model's meta-paths.
	Scorer(t *typed.Task) (typed.Scorer, error)
}

// Model is a model of papers and authors: one that learns, and that ranks with what it has learnt so far. All that its scores
// depend on is in the names of authors, the words, the options and Parameters, so that it can be loaded again.
type Model interface {
	graphs.Learner
	Ranker
}

// rows are the vectors of some vertices: n blocks of equally many vectors, one after the other.
type rows struct {
	x   []float32
	dim int
	per int // vectors of a vertex
}

// of returns the vectors of a vertex.
func (r rows) of(v int) []float32 { return r.x[v*r.per*r.dim:][:r.per*r.dim] }

// side is what is ranked, or ranked for: the vertices of a type or, where there are any, texts.
type side struct {
	typ   int
	texts [][]int32
}

// match scores targets by their vectors and those of sources.
type match struct {
	from, to rows
	bias     []float32                                              // of targets; nil for none
	extra    func(source, target int32) float32                     // of a pair; nil for none
	score    func(dst, x []float32, to rows, targets []int32) error // of vectors x (d) with those of targets; nil for the largest products
}

// of sets dst to the scores of some targets, or of all for nil, for a source.
func (m match) of(dst []float32, source int, targets []int32) error {
	score := m.score
	if score == nil {
		score = largestProducts
	}
	if err := score(dst, m.from.of(source), m.to, targets); err != nil || m.bias == nil && m.extra == nil {
		return err
	}
	for i := range dst {
		t := i
		if targets != nil {
			t = int(targets[i])
		}
		if m.bias != nil {
			dst[i] += m.bias[t]
		}
		if m.extra != nil {
			dst[i] += m.extra(int32(source), int32(t))
		}
	}
	return nil
}

// largestProducts are the largest inner products of a source's vector with those of targets.
func largestProducts(dst, x []float32, to rows, targets []int32) error {
	if targets == nil {
		for v := range dst {
			dst[v] = LargestProduct(x, to.of(v))
		}
		return nil
	}
	all := make([]float32, len(targets)*to.per)
	kernel.Dots(all, x, to.x, targets, to.per, to.dim)
	for i := range dst {
		dst[i] = slices.Max(all[i*to.per:][:to.per])
	}
	return nil
}

// LargestProduct returns the largest inner product of a vector (d) with several, one after the other (S·d, S ≥ 1): how a source ranks
// a target that has S aspects, or one vector.
func LargestProduct(with, vectors []float32) float32 {
	best := kernel.Dot(with, vectors[:len(with)])
	for at := len(with); at < len(vectors); at += len(with) {
		best = max(best, kernel.Dot(with, vectors[at:][:len(with)]))
	}
	return best
}

// minusDistances are minus the Euclidean distances of a source's vector and those of targets.
func minusDistances(dst, x []float32, to rows, targets []int32) error {
	for i := range dst {
		t := i
		if targets != nil {
			t = int(targets[i])
		}
		dst[i] = MinusDistance(x, to.of(t))
	}
	return nil
}

// MinusDistance returns minus the Euclidean distance of two vectors.
func MinusDistance(x, y []float32) float32 {
	var square float64
	for i, v := range x {
		diff := float64(v) - float64(y[i])
		square += diff * diff
	}
	return -float32(math.Sqrt(square))
}

// matcher is a model that scores one side for another.
type matcher interface {
	match(ctx context.Context, source, target side, threads int) (match, error)
}

// scoresOf implements Ranker.Scores by the match of texts with n authors.
func scoresOf(ctx context.Context, m matcher, author, n int, texts, authors [][]int32, threads int) ([][]float32, error) {
	if err := checkScores(texts, authors, n); err != nil || len(texts) == 0 {
		return nil, err
	}
	found, err := m.match(ctx, side{texts: texts}, side{typ: author}, threads)
	if err != nil {
		return nil, err
	}
	errs := make([]error, len(texts))
	all, err := ofPapers(ctx, authors, threads, func(p int, dst []float32) { errs[p] = found.of(dst, p, authors[p]) })
	return all, errors.Join(err, errors.Join(errs...))
}

// scorerOf implements Ranker.Scorer.
func scorerOf(m matcher, t *typed.Task, n *typed.Network, threads int) (typed.Scorer, error) {
	source, target := t.Ends(n)
	found, err := m.match(context.Background(), side{typ: source}, side{typ: target}, threads)
	return func(source int32, dst []float32) error { return found.of(dst, int(source), nil) }, err
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
