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

// RunListed is a run as lists of runs show it.
type RunListed struct {
	*Entry
	Settings   string  // options that differ from its protocol's
	Score      float64 // on test links or papers; NaN where there is none
	Validation float64 // score on what chose its epoch or was held out; NaN where nothing did
	ChosenOn   string  // what that is; "" for nothing
}

// SortKeys are what a list of runs can be sorted by. Of scores the highest come first, of the rest the lowest, oldest or first in the alphabet; auc is
// the score on test links.
var SortKeys = slices.Sorted(maps.Keys(orders))

// orders are those of a list of runs, by their keys.
var orders = map[string]func(a, b RunListed) int{
	"auc": func(a, b RunListed) int { return cmp.Compare(b.Score, a.Score) }, // NaN last
	"validation": func(a, b RunListed) int {
		return cmp.Or(boolsFirst(a.ChosenOn != "", b.ChosenOn != ""), cmp.Compare(b.Validation, a.Validation))
	},
	"dataset":  func(a, b RunListed) int { return CompareNetworks(a.Dataset.Name, b.Dataset.Name) },
	"date":     func(a, b RunListed) int { return a.Finished.Compare(b.Finished) },
	"method":   func(a, b RunListed) int { return CompareMethods(a.Method, b.Method) },
	"protocol": func(a, b RunListed) int { return strings.Compare(a.Protocol, b.Protocol) },
	"seconds":  func(a, b RunListed) int { return cmp.Compare(a.Seconds(), b.Seconds()) },
	"seed":     func(a, b RunListed) int { return cmp.Compare(a.Seed, b.Seed) },
}

// Seconds is how long a run trained and was scored.
func (l RunListed) Seconds() float64 { return l.TrainSeconds + l.EvalSeconds }

// List returns the runs of a store that pass and that a filter fits, by one of SortKeys, the other way round with a minus before it; in the
// order of the store for "". Up to most of them: the first ones, or the last ones where they are not sorted; 0 for all. Beside them it returns
// how many there are. It returns an error for an unknown sortBy.
func (s *Store) List(f Filter, pass func(*Entry) bool, sortBy string, most int) (list []RunListed, count int, err error) {
	key, back := strings.CutPrefix(sortBy, "-")
	if sortBy != "" && !slices.Contains(SortKeys, key) {
		return nil, 0, fmt.Errorf("experiments: %w", unknown.Name{What: "sort", Name: sortBy, Known: SortKeys})
	}
	entries := seq.Filter(s.Entries, func(e *Entry) bool { return pass(e) && f.fits(e.Record) })
	count = len(entries)
	if most > 0 && count > most && sortBy == "" {
		entries = entries[count-most:]
	}
	list = seq.Map(entries, listed)
	if sortBy != "" {
		slices.SortStableFunc(list, func(a, b RunListed) int {
			if back {
				a, b = b, a
			}
			return orders[key](a, b)
		})
	}
	if most > 0 && count > most && sortBy != "" {
		list = list[:most]
	}
	for i := range list { // which takes long
		if j, err := JobOf(list[i].Record); err == nil {
			list[i].Settings = j.Settings()
		}
	}
	return list, count, nil
}

// listed returns a run without its settings.
func listed(e *Entry) RunListed {
	l := RunListed{Entry: e, Score: math.NaN(), Validation: math.NaN()}
	if score, there := TestScore(e.Metrics); there {
		l.Score = score
	}
	if score, on := ChosenBy(e.Record); on != "" {
		l.Validation, l.ChosenOn = score, on
	}
	return l
}

func boolsFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}
