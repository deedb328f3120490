package hetnet

import (
	"context"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/kernel"
)

// Observer is a model that is told the Recall@2 of the validation questions after each epoch, for a learning rate that depends on
// it. It is not told where these choose no epoch.
type Observer interface{ Observe(recall float64) }

// Model is a model of texts and authors: one that learns, and that ranks with what it has learnt so far. All that its scores
// depend on is in the names of authors, the words, the options and Parameters, so that it can be loaded again.
type Model interface {
	graphs.Learner
	typed.Ranker
	authorNames() []string // nil where it has learnt from a network that it did not see as papers and authors
	kept() []*engine.Table // the parameters that its scores depend on
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
	score    func(dst, x []float32, to rows, authors []int32) error // of vectors x (d) with those of authors
}

// ranking is the Ranker of a model: what its match of texts with authors says, and what is said of an author whatever the text.
type ranking struct {
	names []string // of the authors; nil for a model that ranks none
	match func(ctx context.Context, texts [][]int32, threads int) (match, error)
	prior *engine.Table // (A): zeros, unless it is chosen
}

// newRanking returns a ranking of some authors.
func newRanking(names []string) ranking {
	return ranking{names: names, prior: engine.NewTable("author_bias", len(names))}
}

func (r *ranking) authorNames() []string { return r.names }

// Rank implements typed.Ranker.
func (r *ranking) Rank(ctx context.Context, questions []typed.Question, dst [][]float32, threads int) error {
	texts := make([][]int32, len(questions))
	for i, q := range questions {
		texts[i] = q.Text
	}
	m, err := r.match(ctx, texts, threads)
	if err != nil {
		return err
	}
	return typed.Each(ctx, questions, dst, threads, func(i int, dst []float32, authors []int32) error {
		err := m.score(dst, m.from.of(i), m.to, authors)
		for k, a := range authors {
			dst[k] += r.prior.X[a]
		}
		return err
	})
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

// priorShares are the β to choose from, each times how far the scores of a question's candidates deviate from their mean.
var priorShares = []float64{0, 0.03, 0.1, 0.2, 0.3, 0.5, 0.8}

// setPrior sets what is said of an author of n_a training papers whatever the text, β log(1+n_a): those with many are likelier to have written one more.
func (r *ranking) setPrior(beta float64, papersOf [][]int32) {
	for a, written := range papersOf {
		r.prior.X[a] = float32(beta * math.Log1p(float64(len(written))))
	}
}

// ChoosePrior sets β of a model of b to that by which some questions have the highest Recall@5, and the smallest of several. It returns ctx's error when
// that is cancelled, those of scores, and one for no questions.
func (r *ranking) ChoosePrior(ctx context.Context, b *typed.Authorship, questions []typed.Question, threads int) error {
	r.setPrior(0, b.PapersOf)
	plain, err := typed.Scores(ctx, r, questions, threads)
	if err != nil {
		return err
	}
	unit := deviation(plain)
	best, err := bestOf(questions, len(priorShares), func(i int) ([][]float32, error) {
		r.setPrior(priorShares[i]*unit, b.PapersOf)
		scores := make([][]float32, len(plain))
		for i, q := range questions {
			for k, a := range slices.Concat(q.Own, q.Among) {
				scores[i] = append(scores[i], plain[i][k]+r.prior.X[a])
			}
		}
		return scores, nil
	})
	r.setPrior(priorShares[best]*unit, b.PapersOf)
	return err
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
