package hetnet

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// textScore turns what a paper shares with an author's training papers into a score:
//
//	shared / |A_a|^γ + β log(1+n_a)
//
// Authors with the same score stand in a random order, the same for all papers.
type textScore struct {
	written []int     // n_a
	square  []float64 // |A_a|²
	tie     []float64 // below any difference that tells something

	gamma, beta float64
}

// The values of γ, and of β for cosines, that development papers choose from.
var (
	textGammas  = []float64{0, 0.25, 0.5, 0.75, 1}
	cosineBetas = []float64{0.001, 0.01, 0.03, 0.1}
)

const smallestShare = 1e-6 // of a score, by which ties are broken

// newTextScore counts the training papers of a bibliography's authors. It leaves |A_a|² to the caller; ties names the random order.
func newTextScore(b *Bibliography, ties string, gamma, beta float64) textScore {
	s := textScore{written: make([]int, len(b.Authors)), square: make([]float64, len(b.Authors)), gamma: gamma, beta: beta}
	for _, p := range b.Train {
		for _, a := range b.Papers[p].Authors {
			s.written[a]++
		}
	}
	random := rng.New(0, ties)
	for range b.Authors {
		s.tie = append(s.tie, smallestShare*random.Float64())
	}
	return s
}

// scores returns the scores of each paper's authors, given what it shares with them.
func (s *textScore) scores(shared [][]float64, authors [][]int32) [][]float32 {
	scores := make([][]float32, len(authors))
	for p, list := range authors {
		scores[p] = make([]float32, len(list))
		for i, a := range list {
			score := s.beta*math.Log1p(float64(s.written[a])) + s.tie[a]
			if x := shared[p][i]; x != 0 {
				score += x / math.Pow(s.square[a], s.gamma/2)
			}
			scores[p][i] = float32(score)
		}
	}
	return scores
}

// rank implements Ranker.Scores, given what tells what papers share with authors.
func (s *textScore) rank(ctx context.Context, papers, authors [][]int32, threads int,
	shared func(ctx context.Context, papers, authors [][]int32, threads int) ([][]float64, error)) ([][]float32, error) {
	if err := checkScores(papers, authors, len(s.written)); err != nil {
		return nil, err
	}
	x, err := shared(ctx, papers, authors, threads)
	if err != nil {
		return nil, err
	}
	return s.scores(x, authors), nil
}

// choose sets γ and β to those of the given ones that have the highest Recall@5 of the development papers, and returns it. shared is what
// each of these has in common with its candidates.
func (t *Task) choose(s *textScore, gammas, betas []float64, shared [][]float64, authors [][]int32) (most float64, err error) {
	best := *s
	most = -1
	for _, s.gamma = range gammas {
		for _, s.beta = range betas {
			score, err := eval.Identification(t.rankings(t.Dev, s.scores(shared, authors)), []int{5})
			if err != nil {
				return 0, err
			}
			if recall := score.At[0].Recall; recall > most {
				most, best = recall, *s
			}
		}
	}
	*s = best
	return most, nil
}
