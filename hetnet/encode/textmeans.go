package encode

import (
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/kernel"
)

// Counted is a text as the distinct words that it has, ascending, and 1 + log of how often it has each.
type Counted struct {
	Words  []int32
	Shares []float32
}

// Count counts the words of a text.
func Count(tokens []int32) (t Counted) {
	sorted := slices.Sorted(slices.Values(tokens))
	for lo, hi := 0, 0; lo < len(sorted); lo = hi {
		for hi = lo; hi < len(sorted) && sorted[hi] == sorted[lo]; hi++ {
		}
		t.Words = append(t.Words, sorted[lo])
		t.Shares = append(t.Shares, float32(1+math.Log(float64(hi-lo))))
	}
	return t
}

// TextMeans makes vectors of texts of those of their words, which nothing is trained for:
//
//	x = the unit vector of Σ_w (1 + log count) t_w v_w/|v_w|   over the words w of a text
//
// A text without a word that has a vector and a weight is a vector of zeros.
//
// Source: Arora et al., "A simple but tough-to-beat baseline for sentence embeddings", ICLR 2017. Differs: t_w is tf-idf's log(N/df), and
// no common direction is taken away.
type TextMeans struct {
	words   *Words        // of length 1
	weights *engine.Table // t (V)
}

// NewTextMeans returns what makes vectors of texts, all of whose words weigh nothing before Weigh. words is (V,W).
func NewTextMeans(words *Words, threads int) *TextMeans {
	return &TextMeans{words.Units(threads), engine.NewTable("word_weights", len(words.Vectors)/words.Dim)}
}

// Weigh sets t to log(N/df), df being how many of a network's N texts have the word.
func (m *TextMeans) Weigh(n *typed.Network) error {
	idf, err := n.IDF()
	if err != nil {
		return err
	}
	for w := range m.weights.X {
		m.weights.X[w] = float32(idf[w])
	}
	return nil
}

// Dim returns W.
func (m *TextMeans) Dim() int { return m.words.Dim }

// Of sets dst (W) to the vector of a text. It may be called by several goroutines.
func (m *TextMeans) Of(dst []float32, tokens []int32) {
	clear(dst)
	text := Count(tokens)
	for i, w := range text.Words {
		kernel.Axpy(dst, m.words.Vector(w), text.Shares[i]*m.weights.X[w])
	}
	ToUnit(dst)
}

// ofAll sets dst (B,W) to the vectors of texts.
func (m *TextMeans) ofAll(dst []float32, texts [][]int32, threads int) {
	w := m.words.Dim
	EachRow(threads, len(texts), func(i int) { m.Of(dst[i*w:][:w], texts[i]) })
}

// ToUnit gives a vector the length 1, unless it is of zeros.
func ToUnit(x []float32) {
	if square := Squared(x); square > 0 {
		length := math.Sqrt(square)
		for i, c := range x {
			x[i] = float32(float64(c) / length)
		}
	}
}
