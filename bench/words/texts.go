package main

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// texts are those of the training papers, again and again, each time without some of the frequent words.
type texts struct {
	of      [][]int32
	passes  int
	longest int
	keep    []float64 // chance of each word to stay; nil for all
	seed    uint64
}

// newTexts reads a text so many times, and keeps a word of frequency f with the chance (√(f/s) + 1) s/f.
//
// Source: word2vec's code (Mikolov et al., 2013) and gensim's.
func newTexts(b *hetnet.Bibliography, sample, passes string, seed uint64) (*texts, error) {
	n, err := number(passes, "passes")
	if err != nil || n != math.Trunc(n) || n < 1 {
		return nil, fmt.Errorf("passes %q: want a whole number, at least 1", passes)
	}
	s, err := number(sample, "samples")
	if err != nil {
		return nil, err
	}
	t := &texts{passes: int(n), seed: seed}
	counts, total := make([]float64, len(b.Words)), 0.0
	for _, p := range b.Train {
		tokens := b.Papers[p].Tokens
		for _, w := range tokens {
			counts[w]++
			total++
		}
		if len(tokens) > 1 {
			t.of, t.longest = append(t.of, tokens), max(t.longest, len(tokens))
		}
	}
	if s > 0 {
		t.keep = make([]float64, len(counts))
		for w, count := range counts {
			if f := count / total; f > 0 {
				t.keep[w] = min(1, (math.Sqrt(f/s)+1)*s/f)
			}
		}
	}
	return t, nil
}

func (t *texts) Walks() int     { return len(t.of) * t.passes }
func (t *texts) MaxLength() int { return t.longest }

// Walk returns a text without the words that are left out of it in this pass; its first two where fewer would stay.
func (t *texts) Walk(i int, buf []int32) []int32 {
	text := t.of[i%len(t.of)]
	if t.keep == nil {
		return text
	}
	random, some := rng.New(t.seed, "subsample", uint64(i)), buf[:0]
	for _, w := range text {
		if random.Float64() < t.keep[w] {
			some = append(some, w)
		}
	}
	if len(some) < 2 {
		return text[:2]
	}
	return some
}

// kept returns the expected share of the words that stay.
func (t *texts) kept(b *hetnet.Bibliography) float64 {
	if t.keep == nil {
		return 1
	}
	var kept, all float64
	for _, p := range b.Train {
		for _, w := range b.Papers[p].Tokens {
			kept += t.keep[w]
			all++
		}
	}
	return kept / all
}
