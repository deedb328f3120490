package papers

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// CandidateOptions say how candidates are drawn.
type CandidateOptions struct {
	Total    int    // candidates of a test paper together with its own authors, >= 2; published: 100
	Distinct bool   // draw without replacement; published: no
	Seed     uint64 // of the stream "candidates"
}

// Candidates draws, for each test paper in their order, authors who are not its own to tell them from:
// Total less its own authors, but at least one, each of all other authors equally likely. With Distinct no author comes
// twice, and there are fewer where there are not as many others. It changes nothing in the bibliography. It returns an error
// if an option is out of range or a paper has all authors.
//
// Source: Park et al., CIKM 2019 (TaPEm), as in its authors' code.
func (b *Bibliography) Candidates(o CandidateOptions) ([][]int32, error) {
	if o.Total < 2 {
		return nil, fmt.Errorf("papers: %d candidates of a paper with its authors: expected at least 2", o.Total)
	}
	key, n := rng.NewKey(o.Seed, "candidates"), b.Vertices(Author)
	lists := make([][]int32, len(b.Test))
	for i, p := range b.Test {
		if len(p.Authors) >= n {
			return nil, fmt.Errorf("papers: test paper %q has all %d authors: expected others as candidates", p.Name, n)
		}
		stream, count := key.Stream(uint64(p.place)), max(1, o.Total-len(p.Authors))
		if o.Distinct {
			lists[i] = drawDistinct(&stream, n, p.Authors, count)
			continue
		}
		for len(lists[i]) < count {
			if a := int32(stream.Intn(n)); !slices.Contains(p.Authors, a) {
				lists[i] = append(lists[i], a)
			}
		}
	}
	return lists, nil
}

// drawDistinct draws count of n numbers, or as many as there are, that are not among own, by the first steps of a shuffle.
func drawDistinct(stream *rng.Stream, n int, own []int32, count int) []int32 {
	others := make([]int32, 0, n)
	for a := range int32(n) {
		if !slices.Contains(own, a) {
			others = append(others, a)
		}
	}
	count = min(count, len(others))
	for i := range count {
		j := i + stream.Intn(len(others)-i)
		others[i], others[j] = others[j], others[i]
	}
	return slices.Clone(others[:count])
}
