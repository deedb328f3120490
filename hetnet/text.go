package hetnet

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
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

// Evaluate returns what the model comes to on questions about a network, as typed.Evaluate does. It returns the errors of that, and one
// for an author whom the model does not know.
func (s *Saved) Evaluate(ctx context.Context, b *typed.Authorship, asked []typed.Question, threads int) (map[string]float64, error) {
	known, err := s.questions(b, asked)
	if err != nil {
		return nil, err
	}
	return typed.Evaluate(ctx, s.Ranker, known, threads)
}

// questions returns questions about a network in the numbers of the model, whose names and words may be in another order. Words that
// the model does not know are left out. An author whom it does not know is an error: the network is another one.
func (s *Saved) questions(b *typed.Authorship, questions []typed.Question) ([]typed.Question, error) {
	words, authors := encode.Places(b.Words, s.words), encode.Places(b.Names[b.Author], s.authors)
	unknown := int32(-1)
	placed := func(list, at []int32) (out []int32) {
		for _, x := range list {
			if at[x] >= 0 {
				out = append(out, at[x])
			} else {
				unknown = x
			}
		}
		return out
	}
	all := slices.Clone(questions)
	for i := range all {
		q := &all[i]
		q.Text, unknown = placed(q.Text, words), -1
		if q.Own, q.Among = placed(q.Own, authors), placed(q.Among, authors); unknown >= 0 {
			return nil, fmt.Errorf("hetnet: author %q of %s is not known to the model, which knows %d others: expected the bibliography that it was trained on",
				b.Names[b.Author][unknown], b.Name, len(s.Authors))
		}
	}
	return all, nil
}
