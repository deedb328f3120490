package main

import (
	"slices"
	"sort"

	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// readBibliography returns that of a folder, or a generated one of DBLP's size.
func readBibliography(dir string) (*hetnet.Bibliography, error) {
	if dir != "" {
		b, _, err := hetnet.Read(dir)
		return b, err
	}
	o := hetnet.DefaultPlanted()
	o.Authors, o.Papers, o.Topics, o.Vocabulary, o.Tokens, o.CoAuthors = 25000, 20000, 50, 10000, 6, 4
	p, err := o.Generate()
	if err != nil {
		return nil, err
	}
	return p.Bibliography, nil
}

// longest is how many words an abstract has at most.
const longest = 140

// abstracts returns a bibliography whose papers have generated texts of 60 to 140 words, 100 on average.
func abstracts(b *hetnet.Bibliography) *hetnet.Bibliography {
	long := *b
	long.Papers = slices.Clone(b.Papers)
	for i, text := range zipf(len(b.Papers), 200-longest, longest, len(b.Words)) {
		long.Papers[i].Tokens = text
	}
	return &long
}

// zipf returns texts of lo to hi of some words, of which word r has a frequency in proportion to 1/(r+10).
func zipf(n, lo, hi, words int) (texts [][]int32) {
	s := rng.New(1, "texts")
	sums, total := make([]float64, words), 0.0
	for r := range sums {
		total += 1 / float64(r+10)
		sums[r] = total
	}
	for range n {
		text := make([]int32, lo+s.Intn(hi-lo+1))
		for i := range text {
			text[i] = int32(sort.SearchFloat64s(sums, s.Float64()*total))
		}
		texts = append(texts, text)
	}
	return texts
}

// trainTexts returns the words of the training papers.
func trainTexts(b *hetnet.Bibliography) (texts [][]int32) {
	for _, p := range b.Train {
		texts = append(texts, b.Papers[p].Tokens)
	}
	return texts
}

// tokens counts the words of texts.
func tokens(texts [][]int32) (n int) {
	for _, text := range texts {
		n += len(text)
	}
	return n
}

// wordDim is how many numbers a word's vector has, as in the published code.
const wordDim = 128

// randomWords returns word vectors, which cost what trained ones do.
func randomWords(b *hetnet.Bibliography) *hetnet.Words {
	s := rng.New(1, "words")
	w := &hetnet.Words{Dim: wordDim, Vectors: make([]float32, len(b.Words)*wordDim)}
	for i := range w.Vectors {
		w.Vectors[i] = float32(0.3 * s.Normal())
	}
	return w
}
