// Package hetnet is about networks of papers and authors: their data, walks along meta-paths, models that encode the text of
// a paper and learn a vector, or several, for each author, and the task of author identification.
package hetnet

import (
	"fmt"
	"math"
	"slices"
)

// Bibliography is a network of papers, authors and venues. Its authors are those of the training papers: nothing could be
// learnt about others.
type Bibliography struct {
	Name    string
	Papers  []Paper // in the order of the source
	Authors []string
	Venues  []string
	Words   []string // the vocabulary; tokens are places in it

	Train []int32 // papers to learn from, in order
	Test  []int32 // papers whose authors are to be named, each with an author among Authors and candidates

	seen *seenAs // nil for papers and authors
}

// Paper is one paper. Numbers are places in the lists of its bibliography.
type Paper struct {
	Name       string
	Venue      int32   // -1 where there is none
	Authors    []int32 // distinct; of a test paper those that are in training papers
	Cites      []int32 // training papers, distinct, not itself
	Tokens     []int32 // in the order of the text
	Candidates []int32 // of a test paper: authors that are not its own to tell it from, with repetitions as in the source
}

// Check returns an error unless every number is a place in its list, each paper is a training paper or a test paper and
// stands once in its list, in the order of Papers, and papers are as the type's comments have them. What Read and Planted
// return passes.
func (b *Bibliography) Check() error {
	if len(b.Train) == 0 {
		return fmt.Errorf("hetnet: bibliography %q has no training papers: want at least one", b.Name)
	}
	if most := max(len(b.Papers), len(b.Authors)+len(b.Venues)+len(b.Train), len(b.Words)); most > math.MaxInt32 {
		return fmt.Errorf("hetnet: bibliography %q has %d papers, %d authors, %d venues and %d words: want numbers within int32", b.Name,
			len(b.Papers), len(b.Authors), len(b.Venues), len(b.Words))
	}
	train := make([]bool, len(b.Papers))
	for li, list := range [][]int32{b.Train, b.Test} {
		for i, p := range list {
			if p < 0 || int(p) >= len(b.Papers) || i > 0 && p <= list[i-1] || train[p] {
				return fmt.Errorf("hetnet: bibliography %q: paper %d: want each paper once in one of the lists, in order, and below %d",
					b.Name, p, len(b.Papers))
			}
			train[p] = li == 0
		}
	}
	if len(b.Train)+len(b.Test) != len(b.Papers) {
		return fmt.Errorf("hetnet: bibliography %q: %d training and %d test papers: want %d papers in all", b.Name, len(b.Train), len(b.Test), len(b.Papers))
	}
	for p := range b.Papers {
		if err := b.checkPaper(int32(p), train); err != nil {
			return fmt.Errorf("hetnet: bibliography %q: paper %q %w", b.Name, b.Papers[p].Name, err)
		}
	}
	return nil
}

func (b *Bibliography) checkPaper(p int32, train []bool) error {
	paper := &b.Papers[p]
	if paper.Venue < -1 || int(paper.Venue) >= len(b.Venues) {
		return fmt.Errorf("has venue %d: want -1 to %d", paper.Venue, len(b.Venues)-1)
	}
	for _, list := range []struct {
		what     string
		numbers  []int32
		below    int
		distinct bool
	}{
		{"author", paper.Authors, len(b.Authors), true}, {"reference", paper.Cites, len(b.Papers), true},
		{"token", paper.Tokens, len(b.Words), false}, {"candidate", paper.Candidates, len(b.Authors), false},
	} {
		for i, x := range list.numbers {
			if x < 0 || int(x) >= list.below {
				return fmt.Errorf("has %s %d: want 0 to %d", list.what, x, list.below-1)
			}
			if list.distinct && slices.Contains(list.numbers[:i], x) {
				return fmt.Errorf("has %s %d twice: want it once", list.what, x)
			}
		}
	}
	for _, q := range paper.Cites {
		if q == p || !train[q] {
			return fmt.Errorf("cites paper %q: want another paper, of the training papers", b.Papers[q].Name)
		}
	}
	if train[p] {
		return nil
	}
	for _, a := range paper.Authors {
		if slices.Contains(paper.Candidates, a) {
			return fmt.Errorf("has its author %q among its candidates: want authors of other papers", b.Authors[a])
		}
	}
	if len(paper.Authors) == 0 || len(paper.Candidates) == 0 {
		return fmt.Errorf("has %d authors and %d candidates: want at least one of both for a test paper", len(paper.Authors), len(paper.Candidates))
	}
	return nil
}
