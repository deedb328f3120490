package hetnet

import (
	"context"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/hetnet/typed"
)

// TFIDF ranks authors by the words that a paper shares with their training papers. Nothing of it is trained: it is what anyone
// would do without a model, and what a model must exceed to be of use.
//
//	score(p,a) = <x_p, A_a> / |A_a|^γ + β log(1+n_a),   A_a = Σ x_q over a's n_a training papers q
//
// x and A are those of typed.TextVectors, whose cosine ranks the vertices of other schemas: γ = 1 and β = 0. Or,
// as overlap, the first term is the sum of log(N/df) log(1+c) over the text's words, each once, c being how many of the author's training
// papers have it. Authors with the same score stand in a random order, the same for all papers.
type TFIDF struct {
	texts   *typed.TextVectors
	words   [][]int32   // of each author, ascending
	weights [][]float64 // A_a at them
	papers  [][]float64 // log(1+c) of them
	overlap bool
	textScore
}

// overlapBetas are the values of β that development papers choose from where words are counted.
var overlapBetas = []float64{0.1, 0.3, 1, 2, 3}

// TFIDF returns the ranker of the bibliography's training papers, by vectors or by overlap and with those γ and β that have the
// highest Recall@5 of the development papers. Uses up to threads goroutines, whose number does not change the result. It returns ctx's
// error when that is cancelled.
func (t *Task) TFIDF(ctx context.Context, threads int) (*TFIDF, error) {
	tokens, authors, err := t.candidates(t.Dev)
	if err != nil {
		return nil, err
	}
	r := NewTFIDF(t.b, 1, 0)
	best, most := *r, -1.0
	for _, r.overlap = range []bool{false, true} {
		shared, err := r.shared(ctx, tokens, authors, threads) // whatever γ and β
		if err != nil {
			return nil, err
		}
		gammas, betas := textGammas, cosineBetas
		if r.overlap {
			gammas, betas = []float64{0}, overlapBetas
		}
		recall, err := t.choose(&r.textScore, gammas, betas, shared, authors)
		if err != nil {
			return nil, err
		}
		if recall > most {
			most, best = recall, *r
		}
	}
	return &best, nil
}

// NewTFIDF returns the ranker of a bibliography's training papers for some γ and β. Both are finite and at least 0.
func NewTFIDF(b *Bibliography, gamma, beta float64) *TFIDF {
	author, _ := b.types()
	texts, err := b.Network().NewTextVectors(nil, author)
	if err != nil {
		panic(err) // authors are linked to papers, which have texts
	}
	t := &TFIDF{texts: texts, textScore: newTextScore(b, "tf-idf", gamma, beta)}
	var v typed.TextVector
	for a := range int32(len(b.Authors)) {
		texts.Vertex(&v, author, a)
		papers := make([]float64, len(v.Words))
		for i, x := range v.X {
			papers[i] = math.Log1p(float64(v.Count[i]))
			t.square[a] += x * x
		}
		t.words, t.weights, t.papers = append(t.words, slices.Clone(v.Words)), append(t.weights, slices.Clone(v.X)), append(t.papers, papers)
	}
	return t
}

// set makes v the vector of a text: of nothing for a text without words that distinguish it.
func (t *TFIDF) set(v *typed.TextVector, tokens []int32) {
	t.texts.Text(v, tokens)
	if t.overlap {
		for i, w := range v.Words {
			v.X[i] = t.texts.IDF(w)
		}
	}
}

// Scores implements Ranker. It returns an error unless there is one list of authors for each paper, for an author out of range, and
// where ctx is done.
func (t *TFIDF) Scores(ctx context.Context, papers, authors [][]int32, threads int) ([][]float32, error) {
	return t.rank(ctx, papers, authors, threads, t.shared)
}

// shared returns <x_p, A_a> of texts and their authors.
func (t *TFIDF) shared(ctx context.Context, papers, authors [][]int32, threads int) ([][]float64, error) {
	weights := t.weights
	if t.overlap {
		weights = t.papers
	}
	return ofPapers(ctx, authors, threads, func(p int, dst []float64) {
		var v typed.TextVector
		t.set(&v, papers[p])
		for k, a := range authors[p] {
			for i, w := range v.Words {
				if at, there := slices.BinarySearch(t.words[a], w); there {
					dst[k] += v.X[i] * weights[a][at]
				}
			}
		}
	})
}
