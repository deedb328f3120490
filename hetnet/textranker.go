package hetnet

import (
	"context"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// TextRanker ranks authors by what a paper's text shares with their training papers. Nothing of it is trained: it is what anyone
// would do without a model, and what a model must exceed to be of use.
//
//	score(p,a) = <x_p, A_a> / |A_a|^γ + β log(1+n_a),   A_a = Σ x_q over a's n_a training papers q
//
// Authors with the same score stand in a random order, the same for all papers.
type TextRanker struct {
	text    func(v *typed.TextVector, tokens []int32) // makes v the vector x of a text
	authors []authorText
	dense   bool // vectors have a number for each place

	gamma, beta float64
}

// authorText is what is known of an author's training papers.
type authorText struct {
	words  []int32   // ascending, unless vectors are dense
	x      []float64 // A_a at them
	square float64   // |A_a|²
	papers int       // n_a
	tie    float64   // below any difference that tells something
}

// The values of γ, and of β for cosines and for overlap, that development papers choose from.
var (
	textGammas   = []float64{0, 0.25, 0.5, 0.75, 1}
	cosineBetas  = []float64{0.001, 0.01, 0.03, 0.1}
	overlapBetas = []float64{0.1, 0.3, 1, 2, 3}
)

const smallestShare = 1e-6 // of a score, by which ties are broken

// newTextRanker counts the training papers of authors; ties names the random order.
func newTextRanker(b *typed.Authorship, ties string, text func(v *typed.TextVector, tokens []int32)) *TextRanker {
	r := &TextRanker{text: text}
	random := rng.New(0, ties)
	for _, written := range b.PapersOf {
		r.authors = append(r.authors, authorText{papers: len(written), tie: smallestShare * random.Float64()})
	}
	return r
}

// Scores implements Ranker. It returns an error unless there is one list of authors for each paper, for an author out of range, and
// where ctx is done.
func (r *TextRanker) Scores(ctx context.Context, papers, authors [][]int32, threads int) ([][]float32, error) {
	shared, err := r.shared(ctx, papers, authors, threads)
	if err != nil {
		return nil, err
	}
	return r.scores(shared, authors), nil
}

// shared returns <x_p, A_a> of texts and their authors.
func (r *TextRanker) shared(ctx context.Context, papers, authors [][]int32, threads int) ([][]float64, error) {
	if err := checkScores(papers, authors, len(r.authors)); err != nil {
		return nil, err
	}
	return ofPapers(ctx, authors, threads, func(p int, dst []float64) {
		var v typed.TextVector
		r.text(&v, papers[p])
		for k, a := range authors[p] {
			of := &r.authors[a]
			for i, w := range v.Words {
				at, there := int(w), true
				if !r.dense {
					at, there = slices.BinarySearch(of.words, w)
				}
				if there {
					dst[k] += v.X[i] * of.x[at]
				}
			}
		}
	})
}

// scores returns the scores of each paper's authors, given what it shares with them.
func (r *TextRanker) scores(shared [][]float64, authors [][]int32) [][]float32 {
	scores := make([][]float32, len(authors))
	for p, list := range authors {
		scores[p] = make([]float32, len(list))
		for i, a := range list {
			of := &r.authors[a]
			score := r.beta*math.Log1p(float64(of.papers)) + of.tie
			if x := shared[p][i]; x != 0 {
				score += x / math.Pow(of.square, r.gamma/2)
			}
			scores[p][i] = float32(score)
		}
	}
	return scores
}

// choose sets γ and β to those of the given ones that have the highest Recall@5 of a task's development papers, and returns it.
func (r *TextRanker) choose(ctx context.Context, t *papers.Identification, gammas, betas []float64, threads int) (most float64, err error) {
	tokens, authors, err := t.Asked(t.Dev)
	if err != nil {
		return 0, err
	}
	shared, err := r.shared(ctx, tokens, authors, threads) // whatever γ and β
	if err != nil {
		return 0, err
	}
	best := *r
	most = -1
	for _, r.gamma = range gammas {
		for _, r.beta = range betas {
			score, err := eval.Identification(papers.Rankings(t.Dev, r.scores(shared, authors)), []int{5})
			if err != nil {
				return 0, err
			}
			if recall := score.At[0].Recall; recall > most {
				most, best = recall, *r
			}
		}
	}
	*r = best
	return most, nil
}

// TFIDF returns the ranker of a task's training papers by tf-idf vectors or, where the development papers have a higher Recall@5 by it, by
// overlap: x has log(N/df) for each word of the text, and A log(1+c), c being how many of the author's training papers have it. Uses up
// to threads goroutines, whose number does not change the result. It returns ctx's error when that is cancelled.
func TFIDF(ctx context.Context, t *papers.Identification, threads int) (*TextRanker, error) {
	cosine, overlap := NewTFIDF(t.Authorship, 1, 0)
	recall, err := cosine.choose(ctx, t, textGammas, cosineBetas, threads)
	if err != nil {
		return nil, err
	}
	if other, err := overlap.choose(ctx, t, []float64{0}, overlapBetas, threads); err != nil || other > recall {
		return overlap, err
	}
	return cosine, nil
}

// NewTFIDF returns the rankers by tf-idf vectors, those of typed.TextVectors, and by overlap, for some γ and β. Both are finite and at least 0.
func NewTFIDF(b *typed.Authorship, gamma, beta float64) (cosine, overlap *TextRanker) {
	texts, err := b.NewTextVectors(nil, b.Author)
	if err != nil {
		panic(err) // authors are linked to papers, which have texts
	}
	cosine = newTextRanker(b, "tf-idf", texts.Text)
	overlap = newTextRanker(b, "tf-idf", func(v *typed.TextVector, tokens []int32) {
		texts.Text(v, tokens)
		for i, w := range v.Words {
			v.X[i] = texts.IDF(w)
		}
	})
	var v typed.TextVector
	for a := range cosine.authors {
		texts.Vertex(&v, b.Author, int32(a))
		by, count := &cosine.authors[a], &overlap.authors[a]
		by.words, by.x = slices.Clone(v.Words), slices.Clone(v.X)
		count.words, count.x = by.words, make([]float64, len(by.x))
		for i, x := range by.x {
			by.square += x * x
			count.x[i] = math.Log1p(float64(v.Count[i]))
		}
		count.square = by.square
	}
	cosine.gamma, cosine.beta, overlap.gamma, overlap.beta = gamma, beta, gamma, beta
	return cosine, overlap
}

// WordMeans returns the ranker of a task's training papers by word vectors, before any method is trained on these: x is the unit vector
// of Σ t_w v_w/|v_w| over a text's words w, with t its tf-idf vector and v_w the word's own. It is tf-idf for which words with a similar
// vector are nearly the same word. Otherwise it is as TFIDF.
//
// Source: Arora et al., "A simple but tough-to-beat baseline for sentence embeddings", ICLR 2017. Differs: weights are those of
// tf-idf, and no common direction is taken away.
func WordMeans(ctx context.Context, t *papers.Identification, words *encode.Words, threads int) (*TextRanker, error) {
	r := NewWordMeans(t.Authorship, words, 0, 0)
	_, err := r.choose(ctx, t, textGammas, cosineBetas, threads)
	return r, err
}

// NewWordMeans returns the ranker by word vectors for some γ and β. Both are finite and at least 0; words are of the network's vocabulary.
func NewWordMeans(b *typed.Authorship, words *encode.Words, gamma, beta float64) *TextRanker {
	texts, err := b.NewTextVectors(nil, b.Paper)
	if err != nil {
		panic(err) // papers have texts
	}
	lengths := make([]float64, len(b.Words)) // |v_w|
	for w := range lengths {
		lengths[w] = math.Sqrt(encode.Squared(words.Vector(int32(w))))
	}
	r := newTextRanker(b, "word means", func(v *typed.TextVector, tokens []int32) { wordMean(v, texts, words, lengths, tokens) })
	r.dense, r.gamma, r.beta = true, gamma, beta
	sums := make([]float32, len(r.authors)*words.Dim)
	var v typed.TextVector
	for p, tokens := range b.Texts() {
		r.text(&v, tokens)
		for _, a := range b.AuthorsOf[p] {
			sum := sums[int(a)*words.Dim:][:words.Dim]
			for i, c := range v.X {
				sum[i] += float32(c)
			}
		}
	}
	for a := range r.authors {
		sum := sums[a*words.Dim:][:words.Dim]
		r.authors[a].square = encode.Squared(sum)
		for _, c := range sum {
			r.authors[a].x = append(r.authors[a].x, float64(c))
		}
	}
	return r
}

// wordMean makes v the vector of a text: zeros for one without words that have vectors and distinguish it.
func wordMean(v *typed.TextVector, texts *typed.TextVectors, words *encode.Words, lengths []float64, tokens []int32) {
	texts.Text(v, tokens)
	x := make([]float64, words.Dim)
	for i, w := range v.Words {
		if lengths[w] == 0 {
			continue
		}
		weight := v.X[i] / lengths[w]
		for d, c := range words.Vector(w) {
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
	v.Words, v.X = encode.UpTo(words.Dim), x
}
