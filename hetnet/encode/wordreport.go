package encode

import (
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/results"
	"gonum.org/v1/gonum/mat"
)

// What a report of words looks at, and when vectors have collapsed.
const (
	oftenEnough = 5    // occurrences of a word that is counted
	mostCosine  = 0.5  // mean above which words all point the same way
	leastRank   = 0.05 // share of the directions there are below which most are not used
)

// Report says what the vectors of a network's words are like, of those with five occurrences or more in its texts;
// where not even two have as many, of all that occur. With X (n,D) the vectors of these words, and s its singular values,
//
//	mean cosine    = mean over pairs of two words of <x_i,x_j> / (|x_i| |x_j|)
//	effective rank = exp(-Σ p log p),  p = s² / Σ s²
//
// The vectors have collapsed where the mean cosine is above ½ or the effective rank below a twentieth of min(n,D): they have
// hardly moved apart, or lie along a few lines. gensim's five passes over DBLP's 110,000 words of titles give .98 and 1.2 of 128.
//
// Source: Roy and Vetterli, EUSIPCO 2007, for the rank. Differs: squares of the singular values, which are shares of the
// vectors' energy, where they take the values themselves.
func (w *Words) Report(n *typed.Network) results.Words {
	counts := make([]int, len(n.Words))
	for _, c := range n.Contents {
		for _, tokens := range c.Texts {
			for _, token := range tokens {
				counts[token]++
			}
		}
	}
	words := w.counted(counts, oftenEnough)
	if len(words) < 2 {
		words = w.counted(counts, 1)
	}
	r := results.Words{Counted: len(words), Dim: w.Dim}
	if len(words) == 0 {
		r.Collapsed = true
		return r
	}
	units := make([]float32, 0, len(words)*w.Dim)
	for _, word := range words {
		units = append(units, unit(w.Vector(word))...)
	}
	r.MeanCosine, r.EffectiveRank = meanCosine(units, w.Dim), w.effectiveRank(words)
	r.Collapsed = r.MeanCosine > mostCosine || r.EffectiveRank < leastRank*float64(min(len(words), w.Dim))
	return r
}

func (w *Words) Vector(word int32) []float32 { return w.Vectors[int(word)*w.Dim:][:w.Dim] }

// counted returns the words of so many occurrences that have a vector.
func (w *Words) counted(counts []int, least int) (words []int32) {
	for word, n := range counts {
		if x := w.Vector(int32(word)); n >= least && slices.ContainsFunc(x, func(x float32) bool { return x != 0 }) {
			words = append(words, int32(word))
		}
	}
	return words
}

func unit(x []float32) []float32 {
	u := slices.Clone(x)
	ToUnit(u)
	return u
}

// meanCosine is (|Σ u|² - n) / n(n-1) for unit vectors u; 0 for a single one.
func meanCosine(units []float32, d int) float64 {
	n := len(units) / d
	if n < 2 {
		return 0
	}
	sum := make([]float64, d)
	for i, u := range units {
		sum[i%d] += float64(u)
	}
	var square float64
	for _, s := range sum {
		square += s * s
	}
	return (square - float64(n)) / float64(n) / float64(n-1)
}

// effectiveRank is that of the vectors of words; see Report.
func (w *Words) effectiveRank(words []int32) float64 {
	gram := mat.NewSymDense(w.Dim, nil) // XᵀX, whose eigenvalues are s²
	row := mat.NewVecDense(w.Dim, nil)
	for _, word := range words {
		for i, v := range w.Vector(word) {
			row.SetVec(i, float64(v))
		}
		gram.SymRankOne(gram, 1, row)
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, false) {
		return math.NaN() // vectors that are not finite
	}
	shares := eigen.Values(nil)
	var sum, entropy float64
	for i := range shares {
		shares[i] = max(shares[i], 0) // but for rounding
		sum += shares[i]
	}
	for _, s := range shares {
		if s > 0 {
			entropy -= s / sum * math.Log(s/sum)
		}
	}
	return math.Exp(entropy)
}
