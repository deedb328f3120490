package hetnet

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// WordMeans ranks authors by the vectors of the words of their training papers, before any method is trained on these:
//
//	score(p,a) = <x_p, A_a> / |A_a|^γ + β log(1+n_a),   A_a = Σ x_q over a's n_a training papers q
//
// x is the unit vector of Σ t_w v_w/|v_w| over a text's words w, with t its tf-idf vector (typed.TextVectors) and v_w the word's own:
// tf-idf for which words with a similar vector are nearly the same word. Authors with the same score stand in a random order, the same
// for all papers.
//
// Source: Arora et al., "A simple but tough-to-beat baseline for sentence embeddings", ICLR 2017. Differs: weights are those of
// tf-idf, and no common direction is taken away.
type WordMeans struct {
	texts   *typed.TextVectors
	words   *Words
	lengths []float64   // |v_w|
	authors [][]float32 // A_a
	norms   []float64   // |A_a|
	written []int       // n_a
	tie     []float64   // below any difference that tells something

	gamma, beta float64
}

// The values of β that development papers choose from; those of γ are TFIDF's.
var wordMeansBetas = []float64{0.001, 0.01, 0.03, 0.1}

// WordMeans returns the ranker of the bibliography's training papers, with those γ and β that have the highest Recall@5 of the development
// papers. Uses up to threads goroutines, whose number does not change the result. It returns ctx's error when that is cancelled.
func (t *Task) WordMeans(ctx context.Context, words *Words, threads int) (*WordMeans, error) {
	tokens, authors, err := t.candidates(t.Dev)
	if err != nil {
		return nil, err
	}
	m := NewWordMeans(t.b, words, 0, 0)
	shared, err := m.shared(ctx, tokens, authors, threads)
	if err != nil {
		return nil, err
	}
	best, most := *m, -1.0
	for _, m.gamma = range tfidfGammas {
		for _, m.beta = range wordMeansBetas {
			recall, err := t.devRecall(shared, authors, m.score)
			if err != nil {
				return nil, err
			}
			if recall > most {
				most, best = recall, *m
			}
		}
	}
	return &best, nil
}

// NewWordMeans returns the ranker of a bibliography's training papers for some γ and β. Both are finite and at least 0; words are of the
// bibliography's vocabulary.
func NewWordMeans(b *Bibliography, words *Words, gamma, beta float64) *WordMeans {
	_, paper := b.types()
	texts, err := b.Network().NewTextVectors(nil, paper)
	if err != nil {
		panic(err) // papers have texts
	}
	m := &WordMeans{texts: texts, words: words, gamma: gamma, beta: beta, written: make([]int, len(b.Authors)), norms: make([]float64, len(b.Authors))}
	for w := range b.Words {
		m.lengths = append(m.lengths, length(words.vector(int32(w))))
	}
	sums := make([]float32, len(b.Authors)*words.Dim)
	for a := range b.Authors {
		m.authors = append(m.authors, sums[a*words.Dim:][:words.Dim])
	}
	var v typed.TextVector
	x := make([]float64, words.Dim)
	for _, p := range b.Train {
		m.text(x, &v, b.Papers[p].Tokens)
		for _, a := range b.Papers[p].Authors {
			m.written[a]++
			for i, c := range x {
				m.authors[a][i] += float32(c)
			}
		}
	}
	ties := rng.New(0, "word means")
	for a, sum := range m.authors {
		m.norms[a] = length(sum)
		m.tie = append(m.tie, smallestShare*ties.Float64())
	}
	return m
}

func length(x []float32) float64 {
	square := 0.0
	for _, c := range x {
		square += float64(c) * float64(c)
	}
	return math.Sqrt(square)
}

// text makes x the vector of a text: zeros for one without words that have vectors and distinguish it.
func (m *WordMeans) text(x []float64, v *typed.TextVector, tokens []int32) {
	clear(x)
	m.texts.Text(v, tokens)
	for i, w := range v.Words {
		if m.lengths[w] == 0 {
			continue
		}
		weight := v.X[i] / m.lengths[w]
		for d, c := range m.words.vector(w) {
			x[d] += weight * float64(c)
		}
	}
	square := 0.0
	for _, c := range x {
		square += c * c
	}
	if square > 0 {
		for d := range x {
			x[d] /= math.Sqrt(square)
		}
	}
}

// shared returns <x_p, A_a> of texts and their authors.
func (m *WordMeans) shared(ctx context.Context, papers, authors [][]int32, threads int) ([][]float64, error) {
	all := make([][]float64, len(papers))
	par.Blocks(threads, len(papers), func(_, p int) {
		if ctx.Err() != nil {
			return
		}
		var v typed.TextVector
		x := make([]float64, m.words.Dim)
		m.text(x, &v, papers[p])
		all[p] = make([]float64, len(authors[p]))
		for i, a := range authors[p] {
			for d, c := range x {
				all[p][i] += c * float64(m.authors[a][d])
			}
		}
	})
	return all, ctx.Err()
}

func (m *WordMeans) score(shared float64, author int32) float64 {
	score := m.beta*math.Log1p(float64(m.written[author])) + m.tie[author]
	if m.norms[author] > 0 {
		score += shared / math.Pow(m.norms[author], m.gamma)
	}
	return score
}

// Scores implements Ranker. It returns an error unless there is one list of authors for each paper, for an author out of range, and
// where ctx is done.
func (m *WordMeans) Scores(ctx context.Context, papers, authors [][]int32, threads int) ([][]float32, error) {
	if err := checkScores(papers, authors, len(m.authors)); err != nil {
		return nil, err
	}
	shared, err := m.shared(ctx, papers, authors, threads)
	if err != nil {
		return nil, err
	}
	scores := make([][]float32, len(papers))
	for p, list := range authors {
		scores[p] = make([]float32, len(list))
		for i, a := range list {
			scores[p][i] = float32(m.score(shared[p][i], a))
		}
	}
	return scores, nil
}
