package store

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/unknown"
)

// SortKeys are what a list of runs can be sorted by. Of scores the highest come first, of the rest the lowest, oldest or first in the alphabet; auc is
// the score on test links.
var SortKeys = slices.Sorted(maps.Keys(orders))

// orders are those of a list of runs, by their keys. NaN comes last.
var orders = map[string]func(a, b *Entry) int{
	"auc":        func(a, b *Entry) int { return cmp.Compare(testScore(b), testScore(a)) },
	"validation": func(a, b *Entry) int { return cmp.Compare(choiceScore(b), choiceScore(a)) },
	"dataset":    func(a, b *Entry) int { return CompareNetworks(a.Dataset.Name, b.Dataset.Name) },
	"date":       func(a, b *Entry) int { return a.Finished.Compare(b.Finished) },
	"method":     func(a, b *Entry) int { return CompareMethods(a.Method, b.Method) },
	"protocol":   func(a, b *Entry) int { return strings.Compare(a.Protocol, b.Protocol) },
	"seconds":    func(a, b *Entry) int { return cmp.Compare(a.Seconds(), b.Seconds()) },
	"seed":       func(a, b *Entry) int { return cmp.Compare(a.Seed, b.Seed) },
}

// testScore is the score on test links or papers; NaN where there is none.
func testScore(e *Entry) float64 {
	if score, there := TestScore(e.Metrics); there {
		return score
	}
	return math.NaN()
}

// choiceScore is that on what chose its epoch or was held out; NaN where nothing did.
func choiceScore(e *Entry) float64 {
	if score, on := ChosenBy(e.Record); on != "" {
		return score
	}
	return math.NaN()
}

// Seconds is how long a run trained and was scored.
func (e *Entry) Seconds() float64 { return e.TrainSeconds + e.EvalSeconds }

// List returns the runs of a store that pass and that a filter fits, by one of SortKeys, the other way round with a minus before it; in the
// order of the store for "". Up to most of them: the first ones, or the last ones where they are not sorted; 0 for all. Beside them it returns
// how many there are. It returns an error for an unknown sortBy.
func (s *Store) List(f Filter, pass func(*Entry) bool, sortBy string, most int) (list []*Entry, count int, err error) {
	key, back := strings.CutPrefix(sortBy, "-")
	if sortBy != "" && !slices.Contains(SortKeys, key) {
		return nil, 0, fmt.Errorf("experiments: %w", unknown.Name{What: "sort", Name: sortBy, Known: SortKeys})
	}
	list = seq.Filter(s.Entries, func(e *Entry) bool { return pass(e) && f.fits(e.Record) })
	count = len(list)
	left := 0
	if most > 0 {
		left = max(0, count-most)
	}
	if sortBy == "" {
		return list[left:], count, nil
	}
	slices.SortStableFunc(list, func(a, b *Entry) int {
		if back {
			a, b = b, a
		}
		return orders[key](a, b)
	})
	return list[:count-left], count, nil
}
