package hetnet

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// TextRanker ranks authors by what a paper's text shares with their training papers. Nothing of it is trained: it is what anyone
// would do without a model, and what a model must exceed to be of use.
//
//	score(p,a) = <x_p, A_a> / |A_a|^γ + β log(1+n_a),   A_a = Σ x_q over a's n_a training papers q
//
// Authors with the same score stand in a random order, the same for all papers.
type TextRanker struct {
	shared func(dst []float64, tokens, authors []int32) // sets dst to <x, A_a> of a text with some authors
	square func(a int32) float64                        // |A_a|²
	papers []int                                        // n_a
	ties   []float64                                    // of authors, below any difference that tells something

	gamma, beta float64
}

// The values of γ and β that development papers choose from.
var (
	textGammas = []float64{0, 0.25, 0.5, 0.75, 1}
	textBetas  = []float64{0.001, 0.01, 0.03, 0.1}
)

const smallestShare = 1e-6 // of a score, by which ties are broken

// newTextRanker counts the training papers of authors; ties names the random order.
func newTextRanker(b *typed.Authorship, ties string, gamma, beta float64) *TextRanker {
	r := &TextRanker{gamma: gamma, beta: beta}
	random := rng.New(0, ties)
	for _, written := range b.PapersOf {
		r.papers, r.ties = append(r.papers, len(written)), append(r.ties, smallestShare*random.Float64())
	}
	return r
}

// Scores implements Ranker. It returns an error unless there is one list of authors for each paper, for an author out of range, and
// where ctx is done.
func (r *TextRanker) Scores(ctx context.Context, papers, authors [][]int32, threads int) ([][]float32, error) {
	shared, err := r.allShared(ctx, papers, authors, threads)
	if err != nil {
		return nil, err
	}
	return r.scores(shared, authors), nil
}

// allShared returns <x_p, A_a> of texts and their authors.
func (r *TextRanker) allShared(ctx context.Context, papers, authors [][]int32, threads int) ([][]float64, error) {
	if err := checkScores(papers, authors, len(r.papers)); err != nil {
		return nil, err
	}
	return ofPapers(ctx, authors, threads, func(p int, dst []float64) { r.shared(dst, papers[p], authors[p]) })
}

// scores returns the scores of each paper's authors, given what it shares with them.
func (r *TextRanker) scores(shared [][]float64, authors [][]int32) [][]float32 {
	scores := make([][]float32, len(authors))
	for p, list := range authors {
		scores[p] = make([]float32, len(list))
		for i, a := range list {
			score := r.beta*math.Log1p(float64(r.papers[a])) + r.ties[a]
			if x := shared[p][i]; x != 0 {
				score += x / math.Pow(r.square(a), r.gamma/2)
			}
			scores[p][i] = float32(score)
		}
	}
	return scores
}

// choose sets γ and β to those that have the highest Recall@5 of a task's development papers.
func (r *TextRanker) choose(ctx context.Context, t *papers.Identification, threads int) error {
	tokens, authors, err := t.Asked(t.Dev)
	if err != nil {
		return err
	}
	shared, err := r.allShared(ctx, tokens, authors, threads) // whatever γ and β
	if err != nil {
		return err
	}
	best, most := *r, -1.
	for _, r.gamma = range textGammas {
		for _, r.beta = range textBetas {
			recall, err := recallOf(t.Dev, r.scores(shared, authors))
			if err != nil {
				return err
			}
			if recall > most {
				most, best = recall, *r
			}
		}
	}
	*r = best
	return nil
}

// recallOf returns the Recall@5 of some papers by the scores of those that Identification.Asked names: what chooses constants.
func recallOf(asked []papers.Paper, scores [][]float32) (float64, error) {
	score, err := eval.Identification(papers.Rankings(asked, scores), []int{5})
	if err != nil {
		return 0, err
	}
	return score.At[0].Recall, nil
}

// TFIDF returns the ranker of a task's training papers by tf-idf vectors, those of exactWords. It uses up to threads goroutines,
// whose number does not change the result, and returns ctx's error when that is cancelled.
func TFIDF(ctx context.Context, t *papers.Identification, threads int) (*TextRanker, error) {
	r := NewTFIDF(t.Authorship, 1, 0)
	return r, r.choose(ctx, t, threads)
}

// NewTFIDF returns the ranker by tf-idf vectors for some γ and β. Both are finite and at least 0.
func NewTFIDF(b *typed.Authorship, gamma, beta float64) *TextRanker {
	e := newExactWords(len(b.Words), len(b.PapersOf))
	texts := make([]encode.Counted, len(b.Texts()))
	for p, tokens := range b.Texts() {
		texts[p] = encode.Count(tokens)
	}
	if err := e.count(b, texts); err != nil {
		panic(err) // papers have texts
	}
	r := newTextRanker(b, "tf-idf", gamma, beta)
	r.square = e.squareOf
	r.shared = func(dst []float64, tokens, authors []int32) {
		text := encode.Count(tokens)
		x := e.vector(text)
		for i, a := range authors {
			dst[i] = e.product(text, x, a)
		}
	}
	return r
}

// WordMeans returns the ranker of a task's training papers by the vectors that encode.TextMeans makes of word vectors, before any method is
// trained on these: it is tf-idf for which words with a similar vector are nearly the same word. Otherwise it is as TFIDF.
func WordMeans(ctx context.Context, t *papers.Identification, words *encode.Words, threads int) (*TextRanker, error) {
	r := NewWordMeans(t.Authorship, words, 0, 0)
	return r, r.choose(ctx, t, threads)
}

// NewWordMeans returns the ranker by word vectors for some γ and β. Both are finite and at least 0; words are of the network's vocabulary.
func NewWordMeans(b *typed.Authorship, words *encode.Words, gamma, beta float64) *TextRanker {
	means := encode.NewTextMeans(words, 1)
	if err := means.Weigh(b.Network); err != nil {
		panic(err) // papers have texts
	}
	w := words.Dim
	sums := make([]float32, len(b.PapersOf)*w)
	x := make([]float32, w)
	for p, tokens := range b.Texts() {
		means.Of(x, tokens)
		for _, a := range b.AuthorsOf[p] {
			kernel.Axpy(sums[int(a)*w:][:w], x, 1)
		}
	}
	r := newTextRanker(b, "word means", gamma, beta)
	r.square = func(a int32) float64 { return encode.Squared(sums[int(a)*w:][:w]) }
	r.shared = func(dst []float64, tokens, authors []int32) {
		x := make([]float32, w)
		means.Of(x, tokens)
		for i, a := range authors {
			dst[i] = float64(kernel.Dot(x, sums[int(a)*w:][:w]))
		}
	}
	return r
}
