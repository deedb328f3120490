package papers

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/hetnet/typed"
)

// fewestTest is how many papers it takes for neither half to be empty.
const fewestTest = 3

// Task returns the task to name the authors of the n test papers. Sorted by their names (by value where all names are whole numbers), those
// at places 0 to ⌊n/2⌋ are to choose by and the rest is reported, so that the halves hold different venues where
// names follow venues. Each half is in the order of names. It returns an error for fewer than 3 test papers.
//
// Source: evaluate.py of Park et al., CIKM 2019 (github.com/pcy1302/TapEM).
func (b *Bibliography) Task() (*typed.Task, error) {
	n := len(b.Test)
	if n < fewestTest {
		return nil, fmt.Errorf("papers: %s has %d papers whose authors are to be identified: expected at least %d, for two halves", b.Name, n, fewestTest)
	}
	var order []typed.Question
	value, numbered := map[string]int64{}, true
	for _, p := range b.Test {
		order = append(order, p.Question)
		v, err := strconv.ParseInt(p.Name, 10, 64)
		value[p.Name], numbered = v, numbered && err == nil
	}
	slices.SortStableFunc(order, func(x, y typed.Question) int {
		byName := strings.Compare(x.Name, y.Name)
		if !numbered {
			return byName
		}
		return cmp.Or(cmp.Compare(value[x.Name], value[y.Name]), byName)
	})
	return &typed.Task{Validation: order[:n/2+1], Test: order[n/2+1:]}, nil
}
