package hetnet

import (
	"context"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
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
	tie     []float64   // below any difference that tells something
	square  []float64   // |A_a|²
	written []int       // n_a

	overlap     bool
	gamma, beta float64
}

// The values of γ and β that development papers choose from.
var (
	tfidfGammas  = []float64{0, 0.25, 0.5, 0.75, 1}
	tfidfBetas   = []float64{0.001, 0.01, 0.03, 0.1}
	overlapBetas = []float64{0.1, 0.3, 1, 2, 3}
)

const smallestShare = 1e-6 // of a score, by which ties are broken

// TFIDF returns the ranker of the bibliography's training papers, by vectors or by overlap and with those γ and β that have the
// highest Recall@5 of the development papers. Uses up to threads goroutines, whose number does not change the result. It returns ctx's
// error when that is cancelled.
func (t *Task) TFIDF(ctx context.Context, threads int) (*TFIDF, error) {
	_, authors, err := t.candidates(t.Dev)
	if err != nil {
		return nil, err
	}
	r := NewTFIDF(t.b, 1, 0)
	best, most := *r, -1.0
	for _, r.overlap = range []bool{false, true} {
		shared := make([][]float64, len(t.Dev)) // of each candidate, whatever γ and β
		par.Blocks(threads, len(t.Dev), func(_, i int) {
			if ctx.Err() != nil {
				return
			}
			var v typed.TextVector
			r.set(&v, t.b.Papers[t.Dev[i]].Tokens)
			for _, a := range authors[i] {
				shared[i] = append(shared[i], r.shared(&v, a))
			}
		})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		gammas, betas := tfidfGammas, tfidfBetas
		if r.overlap {
			gammas, betas = []float64{0}, overlapBetas
		}
		for _, r.gamma = range gammas {
			for _, r.beta = range betas {
				recall, err := t.devRecall(shared, authors, r.score)
				if err != nil {
					return nil, err
				}
				if recall > most {
					most, best = recall, *r
				}
			}
		}
	}
	return &best, nil
}

// devRecall returns Recall@5 of the development papers, by what each shares with its candidates.
func (t *Task) devRecall(shared [][]float64, authors [][]int32, score func(shared float64, author int32) float64) (float64, error) {
	rankings := make([]eval.AuthorRanking, len(t.Dev))
	for i, p := range t.Dev {
		scores := make([]float32, len(authors[i]))
		for j, a := range authors[i] {
			scores[j] = float32(score(shared[i][j], a))
		}
		own := len(t.b.Papers[p].Authors)
		rankings[i] = eval.AuthorRanking{True: scores[:own], False: scores[own:]}
	}
	s, err := eval.Identification(rankings, []int{5})
	if err != nil {
		return 0, err
	}
	return s.At[0].Recall, nil
}

// NewTFIDF returns the ranker of a bibliography's training papers for some γ and β. Both are finite and at least 0.
func NewTFIDF(b *Bibliography, gamma, beta float64) *TFIDF {
	author, _ := b.types()
	texts, err := b.Network().NewTextVectors(nil, author)
	if err != nil {
		panic(err) // authors are linked to papers, which have texts
	}
	t := &TFIDF{texts: texts, gamma: gamma, beta: beta, written: make([]int, len(b.Authors))}
	for _, p := range b.Train {
		for _, a := range b.Papers[p].Authors {
			t.written[a]++
		}
	}
	ties := rng.New(0, "tf-idf")
	var v typed.TextVector
	for a := range int32(len(b.Authors)) {
		texts.Vertex(&v, author, a)
		papers, square := make([]float64, len(v.Words)), 0.0
		for i, x := range v.X {
			papers[i] = math.Log1p(float64(v.Count[i]))
			square += x * x
		}
		t.words, t.weights, t.papers = append(t.words, slices.Clone(v.Words)), append(t.weights, slices.Clone(v.X)), append(t.papers, papers)
		t.tie, t.square = append(t.tie, smallestShare*ties.Float64()), append(t.square, square)
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
	if err := checkScores(papers, authors, len(t.words)); err != nil {
		return nil, err
	}
	scores := make([][]float32, len(papers))
	par.Blocks(threads, len(papers), func(_, p int) {
		if ctx.Err() != nil {
			return
		}
		var v typed.TextVector
		t.set(&v, papers[p])
		scores[p] = make([]float32, len(authors[p]))
		for i, a := range authors[p] {
			scores[p][i] = float32(t.score(t.shared(&v, a), a))
		}
	})
	return scores, ctx.Err()
}

// shared returns <x_p, A_a> of a text and an author.
func (t *TFIDF) shared(v *typed.TextVector, author int32) (sum float64) {
	for i, w := range v.Words {
		if at, there := slices.BinarySearch(t.words[author], w); there {
			weight := t.weights[author][at]
			if t.overlap {
				weight = t.papers[author][at]
			}
			sum += v.X[i] * weight
		}
	}
	return sum
}

func (t *TFIDF) score(shared float64, author int32) float64 {
	score := t.beta*math.Log1p(float64(t.written[author])) + t.tie[author]
	if shared > 0 {
		score += shared / math.Pow(t.square[author], t.gamma/2)
	}
	return score
}
