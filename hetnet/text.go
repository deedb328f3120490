package hetnet

import (
	"context"
	"fmt"
	"strings"
	"unicode"
)

// Tokens returns the words of a text that the model knows, in the order of the text, and those that it does not know. Words
// are what white space separates: as they stand, else in lower case, else each of their parts of letters and digits in lower
// case.
func (s *Saved) Tokens(text string) (tokens []int32, unknown []string) {
	for word := range strings.FieldsSeq(text) {
		lower := strings.ToLower(word)
		parts := Tokens(lower)
		for _, whole := range []string{lower, word} {
			if _, ok := s.words[whole]; ok {
				parts = []string{whole}
			}
		}
		for _, part := range parts {
			if token, ok := s.words[part]; ok {
				tokens = append(tokens, token)
			} else {
				unknown = append(unknown, part)
			}
		}
	}
	return tokens, unknown
}

// Tokens returns the words of a text: the runs of letters, marks and digits, in lower case. Everything else separates words, and
// none is left out.
func Tokens(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
}

// TokensOf returns the words of a paper of a bibliography that the model knows, and those that it does not know.
func (s *Saved) TokensOf(b *Bibliography, p int32) (tokens []int32, unknown []string) {
	for _, t := range b.Papers[p].Tokens {
		if token, ok := s.words[b.Words[t]]; ok {
			tokens = append(tokens, token)
		} else {
			unknown = append(unknown, b.Words[t])
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
func (s *Saved) For(b *Bibliography) (Ranker, error) {
	r := renumbered{s.Ranker, placesOf(b.Words, s.words), placesOf(b.Authors, s.authors)}
	for _, p := range b.Test {
		for _, list := range [][]int32{b.Papers[p].Authors, b.Papers[p].Candidates} {
			for _, a := range list {
				if r.authors[a] < 0 {
					return nil, fmt.Errorf("hetnet: author %q of %s is not known to the model, which knows %d others: want the bibliography that it was trained on",
						b.Authors[a], b.Name, len(s.Authors))
				}
			}
		}
	}
	return r, nil
}

// renumbered is a ranker of authors and words that have other numbers elsewhere.
type renumbered struct {
	r       Ranker
	words   []int32 // the ranker's number of each word, -1 for one that it does not know
	authors []int32
}

func (r renumbered) Scores(ctx context.Context, papers [][]int32, authors [][]int32, threads int) ([][]float32, error) {
	own := make([][]int32, len(papers))
	for i, p := range papers {
		for _, w := range p {
			if r.words[w] >= 0 {
				own[i] = append(own[i], r.words[w])
			}
		}
	}
	asked := make([][]int32, len(authors))
	for i, list := range authors {
		for _, a := range list {
			asked[i] = append(asked[i], r.authors[a])
		}
	}
	return r.r.Scores(ctx, own, asked, threads)
}
