package hetnet

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// Names of the rankings that need no training, in records.
const (
	Popularity = "popularity"
	CoAuthors  = "co-authors"
	TFIDF      = "tf-idf"
	WordMeans  = "word means"
)

// UntrainedNames returns the names of all rankings that need no training, in the order of tables.
func UntrainedNames() []string { return []string{Popularity, CoAuthors, TFIDF, WordMeans} }

// Untrained returns the rankings of authors that no method is trained for, by name: those of a text by tf-idf and, unless words is nil, by the means of
// word vectors (textRanker), and two that no text has a say in. words are of the network's vocabulary. The validation questions of a task choose
// constants. Uses up to threads goroutines, whose number does not change the result. It returns an error for a task without these questions, and ctx's
// when that is cancelled.
//
// Popularity is the number of an author's training papers: what a model must exceed to have learnt from texts. Co-authors is how many others of a paper's
// candidates an author has written a training paper with. It shows what the list of candidates tells: authors of a paper know one another, and
// other candidates are drawn at random. No method sees the list. Of authors with as many, those with more training papers come first. Others with
// as many stand in a random order, the same for all papers.
func Untrained(ctx context.Context, b *typed.Authorship, t *typed.Task, words *encode.Words, threads int) (map[string]typed.Ranker, error) {
	popular := popularity(b)
	all := map[string]typed.Ranker{
		CoAuthors: coAuthors(b, popular),
		Popularity: alone(func(dst []float32, authors []int32) {
			for i, a := range authors {
				dst[i] = popular[a]
			}
		}),
	}
	byText := map[string]*textRanker{TFIDF: newTFIDF(b)}
	if words != nil {
		byText[WordMeans] = newWordMeans(b, words)
	}
	for name, r := range byText {
		if err := r.choose(ctx, t.Validation, threads); err != nil {
			return nil, err
		}
		all[name] = r
	}
	return all, nil
}

// alone is a ranker of the candidates alone: it sets dst to their scores.
type alone func(dst []float32, candidates []int32)

// Rank implements typed.Ranker.
func (f alone) Rank(ctx context.Context, questions []typed.Question, dst [][]float32, threads int) error {
	return typed.Each(ctx, questions, dst, threads, func(_ int, dst []float32, candidates []int32) error {
		f(dst, candidates)
		return nil
	})
}

// popularity returns the number of training papers of each author, and a random part below 1 by which equal ones are told apart.
func popularity(b *typed.Authorship) []float32 {
	written := make([]float32, len(b.PapersOf))
	ties := rng.New(0, Popularity)
	for a, papers := range b.PapersOf {
		written[a] = float32(ties.Float64())
		for range papers {
			written[a]++
		}
	}
	return written
}

// coAuthors ranks authors by their co-authors among the candidates, and then by how popular they are.
func coAuthors(b *typed.Authorship, popular []float32) alone {
	wrote := make([]map[int32]bool, len(b.PapersOf)) // with
	for a, papers := range b.PapersOf {
		wrote[a] = map[int32]bool{}
		for _, p := range papers {
			for _, other := range b.AuthorsOf[p] {
				wrote[a][other] = true
			}
		}
	}
	most := slices.Max(popular) + 1
	return func(dst []float32, candidates []int32) {
		all := slices.Compact(slices.Sorted(slices.Values(candidates)))
		for i, a := range candidates {
			dst[i] = popular[a] / most
			for _, other := range all {
				if a != other && wrote[a][other] {
					dst[i]++
				}
			}
		}
	}
}

// textRanker ranks authors by what a paper's text shares with their training papers. Nothing of it is trained: it is what anyone
// would do without a model, and what a model must exceed to be of use.
//
//	score(p,a) = <x_p, A_a> / |A_a|^γ + β log(1+n_a),   A_a = Σ x_q over a's n_a training papers q
//
// Authors with the same score stand in a random order, the same for all papers.
type textRanker struct {
	shared func(dst []float64, text, authors []int32) // sets dst to <x, A_a> of a text with some authors
	square []float64                                  // |A_a|²
	papers []int                                      // n_a
	ties   []float64                                  // of authors, below any difference that tells something

	gamma, beta float64 // at least 0
}

// The values of γ and β that validation chooses from.
var (
	textGammas = []float64{0, 0.25, 0.5, 0.75, 1}
	textBetas  = []float64{0.001, 0.01, 0.03, 0.1}
)

const smallestShare = 1e-6 // of a score, by which ties are broken

// newTextRanker counts the training papers of authors; name names the random order.
func newTextRanker(b *typed.Authorship, name string) *textRanker {
	r := &textRanker{square: make([]float64, len(b.PapersOf))}
	random := rng.New(0, name)
	for _, written := range b.PapersOf {
		r.papers, r.ties = append(r.papers, len(written)), append(r.ties, smallestShare*random.Float64())
	}
	return r
}

// Rank implements typed.Ranker.
func (r *textRanker) Rank(ctx context.Context, questions []typed.Question, dst [][]float32, threads int) error {
	return typed.Each(ctx, questions, dst, threads, func(i int, dst []float32, authors []int32) error {
		shared := make([]float64, len(authors))
		r.shared(shared, questions[i].Text, authors)
		for k, a := range authors {
			score := r.beta*math.Log1p(float64(r.papers[a])) + r.ties[a]
			if shared[k] != 0 {
				score += shared[k] / math.Pow(r.square[a], r.gamma/2)
			}
			dst[k] = float32(score)
		}
		return nil
	})
}

// choose sets γ and β to those that have the highest Recall@5 of some questions.
func (r *textRanker) choose(ctx context.Context, questions []typed.Question, threads int) error {
	n := len(textBetas)
	set := func(i int) { r.gamma, r.beta = textGammas[i/n], textBetas[i%n] }
	best, err := bestOf(questions, n*len(textGammas), func(i int) ([][]float32, error) {
		set(i)
		return typed.Scores(ctx, r, questions, threads)
	})
	set(best)
	return err
}

// bestOf returns which of n settings has the highest Recall@5 of some questions, the first of several. scores returns the scores by one. It
// returns its errors, and those of typed.Measure.
func bestOf(questions []typed.Question, n int, scores func(i int) ([][]float32, error)) (best int, err error) {
	most := -1.
	for i := range n {
		s, err := scores(i)
		if err != nil {
			return 0, err
		}
		found, err := typed.Measure(questions, s, 5)
		if err != nil {
			return 0, err
		}
		if recall := found["recall@5"]; recall > most {
			best, most = i, recall
		}
	}
	return best, nil
}

// newTFIDF returns the ranker by words: x is a text's tf-idf vector of length 1, with (1 + log count) log(N/df) at its words, and of zeros where these
// are in all texts or none.
func newTFIDF(b *typed.Authorship) *textRanker {
	idf, err := b.IDF()
	if err != nil {
		panic(err) // papers have texts
	}
	vector := func(text []int32) (words []int32, x []float64) {
		counted, square := encode.Count(text), 0.
		for i, w := range counted.Words {
			x = append(x, float64(counted.Shares[i])*float64(float32(idf[w])))
			square += x[i] * x[i]
		}
		for i := range x {
			if square > 0 {
				x[i] /= math.Sqrt(square)
			}
		}
		return counted.Words, x
	}
	r, sums := newTextRanker(b, TFIDF), make([]encode.Counted, len(b.PapersOf))
	for a, papers := range b.PapersOf {
		sum := map[int32]float64{}
		for _, p := range papers {
			words, x := vector(b.Texts()[p])
			for i, w := range words {
				sum[w] += x[i]
			}
		}
		of := &sums[a]
		for _, w := range slices.Sorted(maps.Keys(sum)) {
			of.Words, of.Shares = append(of.Words, w), append(of.Shares, float32(sum[w]))
		}
		r.square[a] = encode.Squared(of.Shares)
	}
	r.shared = func(dst []float64, text, authors []int32) {
		words, x := vector(text)
		for k, a := range authors {
			for i, w := range words {
				if at, there := slices.BinarySearch(sums[a].Words, w); there {
					dst[k] += x[i] * float64(sums[a].Shares[at])
				}
			}
		}
	}
	return r
}

// newWordMeans returns the ranker by vectors of words, before any method is trained on these: x is what encode.TextMeans makes of a text, tf-idf
// for which words with a similar vector are nearly the same word.
func newWordMeans(b *typed.Authorship, words *encode.Words) *textRanker {
	means := encode.NewTextMeans(words, 1)
	if err := means.Weigh(b.Network); err != nil {
		panic(err) // papers have texts
	}
	w := words.Dim
	sums, x := make([]float32, len(b.PapersOf)*w), make([]float32, w)
	of := func(a int32) []float32 { return sums[int(a)*w:][:w] }
	for p, text := range b.Texts() {
		means.Of(x, text)
		for _, a := range b.AuthorsOf[p] {
			kernel.Axpy(of(a), x, 1)
		}
	}
	r := newTextRanker(b, WordMeans)
	for a := range r.square {
		r.square[a] = encode.Squared(of(int32(a)))
	}
	r.shared = func(dst []float64, text, authors []int32) {
		x := make([]float32, w)
		means.Of(x, text)
		for i, a := range authors {
			dst[i] = float64(kernel.Dot(x, of(a)))
		}
	}
	return r
}
