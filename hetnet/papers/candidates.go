package papers

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// Draw says how candidates are drawn for test papers that have none.
type Draw struct {
	Total int    // candidates of a paper together with its own authors, >= 2; published: 100
	Seed  uint64 // of the stream "candidates"
}

// candidates draws authors of n who are not a paper's own to tell them from: Total less its own authors, but at least one, each of all other
// authors equally likely, also one who is there already. Where there are no more than Total authors each comes at most once, since repeated ones
// would only count several times. It returns an error if the paper has all authors.
//
// Source: Park et al., CIKM 2019 (TaPEm), as in its authors' code.
func (d Draw) candidates(p *Paper, n int) (list []int32, err error) {
	if len(p.Own) >= n {
		return nil, fmt.Errorf("papers: test paper %q has all %d authors: expected others as candidates", p.Name, n)
	}
	stream, count := rng.NewKey(d.Seed, "candidates").Stream(uint64(p.place)), max(1, d.Total-len(p.Own))
	if n > d.Total {
		for len(list) < count {
			if a := int32(stream.Intn(n)); !slices.Contains(p.Own, a) {
				list = append(list, a)
			}
		}
		return list, nil
	}
	for a := range int32(n) {
		if !slices.Contains(p.Own, a) {
			list = append(list, a)
		}
	}
	count = min(count, len(list))
	for i := range count { // the first steps of a shuffle
		j := i + stream.Intn(len(list)-i)
		list[i], list[j] = list[j], list[i]
	}
	return list[:count], nil
}
