package hetnet

import (
	"context"
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/papers"
)

// Tokens returns the words of a text that the model knows, in the order of the text, and those that it does not know. Words
// are what white space separates: as they stand, else in lower case, else each of their parts of letters and digits in lower
// case.
func (s *Saved) Tokens(text string) (tokens []int32, unknown []string) {
	var words []string
	for word := range strings.FieldsSeq(text) {
		lower := strings.ToLower(word)
		parts := papers.Tokens(lower)
		for _, whole := range []string{lower, word} {
			if _, ok := s.words[whole]; ok {
				parts = []string{whole}
			}
		}
		words = append(words, parts...)
	}
	return s.Known(words)
}

// Known returns those of some words that the model knows, and those that it does not know.
func (s *Saved) Known(words []string) (tokens []int32, unknown []string) {
	for _, word := range words {
		if token, ok := s.words[word]; ok {
			tokens = append(tokens, token)
		} else {
			unknown = append(unknown, word)
		}
	}
	return tokens, unknown
}

// Author returns the place of an author's name, and whether the model knows it.
func (s *Saved) Author(name string) (int32, bool) {
	a, ok := s.authors[name]
	return a, ok
}

// For returns the model as a ranker of the papers and authors of a bibliography, whose names and words may be in another order
// than the model's. Words that the model does not know are left out. An author of the test papers or among their candidates
// whom it does not know is an error: the bibliography is another one.
func (s *Saved) For(b *papers.Bibliography) (papers.Ranker, error) {
	r := renumbered{s.Ranker, encode.Places(b.Words, s.words), encode.Places(b.Names[papers.Author], s.authors)}
	for _, p := range b.Test {
		for _, list := range [][]int32{p.Authors, p.Candidates} {
			for _, a := range list {
				if r.authors[a] < 0 {
					return nil, fmt.Errorf("hetnet: author %q of %s is not known to the model, which knows %d others: expected the bibliography that it was trained on",
						b.Names[papers.Author][a], b.Name, len(s.Authors))
				}
			}
		}
	}
	return r, nil
}

// renumbered is a ranker of authors and words that have other numbers elsewhere.
type renumbered struct {
	r       papers.Ranker
	words   []int32 // the ranker's number of each word, -1 for one that it does not know
	authors []int32
}

func (r renumbered) Scores(ctx context.Context, papers [][]int32, authors [][]int32, threads int) ([][]float32, error) {
	return r.r.Scores(ctx, placed(papers, r.words), placed(authors, r.authors), threads)
}

// placed returns the places of the numbers in some lists, without those that have none.
func placed(lists [][]int32, at []int32) [][]int32 {
	out := make([][]int32, len(lists))
	for i, list := range lists {
		for _, x := range list {
			if at[x] >= 0 {
				out[i] = append(out[i], at[x])
			}
		}
	}
	return out
}
