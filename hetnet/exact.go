package hetnet

import (
	"math"
	"slices"
	"sync"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/typed"
)

// exactWords are the words of authors' papers, for what a text shares with them word by word:
//
//	cos(t_p, T_a),   T_a = Σ t_q over a's papers q
//
// t is a text's tf-idf vector of length 1, with (1 + log count) log(N/df) at its words. The cosine is 0 where there are no words.
type exactWords struct {
	idf           *graphs.Table // (V)
	counts        *graphs.Table // (A): how many words each author has
	words, weight *graphs.Table // of one author after the other: places, ascending, and T_a at them

	once   sync.Once
	first  []int     // (A+1): where each author's words begin
	square []float64 // |T_a|²
}

func newExactWords(vocabulary, authors int) *exactWords {
	return &exactWords{
		idf: graphs.NewTable("word_idf", vocabulary), counts: graphs.NewTable("author_word_counts", authors),
		words: graphs.NewTable("author_words", 0), weight: graphs.NewTable("author_word_weights", 0),
	}
}

// makeRoom makes room for so many words of all authors.
func (e *exactWords) makeRoom(words int) {
	*e.words, *e.weight = *graphs.NewTable(e.words.Name, words), *graphs.NewTable(e.weight.Name, words)
}

// count sets the words of authors, given those of each of their papers. It returns an error for a network without texts.
func (e *exactWords) count(b *typed.Authorship, texts []encode.Counted) error {
	idf, err := b.IDF()
	if err != nil {
		return err
	}
	for w, x := range idf {
		e.idf.X[w] = float32(x)
	}
	var words, weight []float32
	sum, seen := make([]float64, e.idf.Rows), make([]bool, e.idf.Rows)
	var own []int32
	for a, papers := range b.PapersOf {
		own = own[:0]
		for _, p := range papers {
			for i, x := range e.vector(texts[p]) {
				w := texts[p].Words[i]
				if x != 0 && !seen[w] {
					own, seen[w] = append(own, w), true
				}
				sum[w] += x
			}
		}
		slices.Sort(own)
		for _, w := range own {
			words, weight = append(words, float32(w)), append(weight, float32(sum[w]))
			sum[w], seen[w] = 0, false
		}
		e.counts.X[a] = float32(len(own))
	}
	e.makeRoom(len(words))
	copy(e.words.X, words)
	copy(e.weight.X, weight)
	return nil
}

// vector returns t of a text at its words.
func (e *exactWords) vector(text encode.Counted) []float64 {
	x, square := make([]float64, len(text.Words)), 0.
	for i, w := range text.Words {
		x[i] = float64(text.Shares[i]) * float64(e.idf.X[w])
		square += x[i] * x[i]
	}
	if square > 0 {
		for i := range x {
			x[i] /= math.Sqrt(square)
		}
	}
	return x
}

// of returns the places of an author's words, and T_a at them.
func (e *exactWords) of(a int32) (words, weight []float32) {
	e.once.Do(func() {
		e.first, e.square = []int{0}, make([]float64, e.counts.Rows)
		for a, n := range e.counts.X {
			lo := e.first[a]
			e.first = append(e.first, lo+int(n))
			e.square[a] = encode.Squared(e.weight.X[lo : lo+int(n)])
		}
	})
	lo, hi := e.first[a], e.first[a+1]
	return e.words.X[lo:hi], e.weight.X[lo:hi]
}

// squareOf returns |T_a|².
func (e *exactWords) squareOf(a int32) float64 {
	e.of(a)
	return e.square[a]
}

// product returns <t, T_a>, t (the words of text) being x.
func (e *exactWords) product(text encode.Counted, x []float64, a int32) (sum float64) {
	words, weight := e.of(a)
	for i, w := range text.Words {
		if at, there := slices.BinarySearch(words, float32(w)); there {
			sum += x[i] * float64(weight[at])
		}
	}
	return sum
}
