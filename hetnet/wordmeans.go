package hetnet

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/hetnet/typed"
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
	textScore
}

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
	if _, err := t.choose(&m.textScore, textGammas, cosineBetas, shared, authors); err != nil {
		return nil, err
	}
	return m, nil
}

// NewWordMeans returns the ranker of a bibliography's training papers for some γ and β. Both are finite and at least 0; words are of the
// bibliography's vocabulary.
func NewWordMeans(b *Bibliography, words *Words, gamma, beta float64) *WordMeans {
	_, paper := b.types()
	texts, err := b.Network().NewTextVectors(nil, paper)
	if err != nil {
		panic(err) // papers have texts
	}
	m := &WordMeans{texts: texts, words: words, textScore: newTextScore(b, "word means", gamma, beta)}
	for w := range b.Words {
		m.lengths = append(m.lengths, math.Sqrt(squared(words.vector(int32(w)))))
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
			for i, c := range x {
				m.authors[a][i] += float32(c)
			}
		}
	}
	for a, sum := range m.authors {
		m.square[a] = squared(sum)
	}
	return m
}

// squared returns <x,x>.
func squared(x []float32) (sum float64) {
	for _, c := range x {
		sum += float64(c) * float64(c)
	}
	return sum
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
	return ofPapers(ctx, authors, threads, func(p int, dst []float64) {
		var v typed.TextVector
		x := make([]float64, m.words.Dim)
		m.text(x, &v, papers[p])
		for i, a := range authors[p] {
			for d, c := range x {
				dst[i] += c * float64(m.authors[a][d])
			}
		}
	})
}

// Scores implements Ranker. It returns an error unless there is one list of authors for each paper, for an author out of range, and
// where ctx is done.
func (m *WordMeans) Scores(ctx context.Context, papers, authors [][]int32, threads int) ([][]float32, error) {
	return m.rank(ctx, papers, authors, threads, m.shared)
}
