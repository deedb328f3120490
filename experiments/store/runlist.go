package store

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// RunListed is a run as lists of runs show it.
type RunListed struct {
	Summary
	Done       time.Time
	Settings   string  // options that differ from its protocol's
	Score      float64 // on test links or pairs, where ScoreOf is not ""
	ScoreOf    string  // the ScoreTitle of that; "" for none
	Validation float64 // score on what chose its epoch or was held out; NaN where nothing did
	ChosenOn   string  // what that is; "" for nothing
}

// SortKeys are what a list of runs can be sorted by. Of scores the highest come first, of the rest the lowest, oldest or first in the alphabet; auc is
// the score on test links, which of recommendations is the Recall@20.
var SortKeys = slices.Sorted(maps.Keys(orders))

// orders are those of a list of runs, by their keys.
var orders = map[string]func(a, b RunListed) int{
	"auc": func(a, b RunListed) int {
		return cmp.Or(boolsFirst(a.ScoreOf != "", b.ScoreOf != ""), cmp.Compare(b.Score, a.Score))
	},
	"validation": func(a, b RunListed) int {
		return cmp.Or(boolsFirst(a.ChosenOn != "", b.ChosenOn != ""), cmp.Compare(b.Validation, a.Validation))
	},
	"dataset":  func(a, b RunListed) int { return CompareNetworks(a.Dataset, b.Dataset) },
	"date":     func(a, b RunListed) int { return cmp.Compare(a.Finished, b.Finished) },
	"method":   func(a, b RunListed) int { return CompareMethods(a.Method, b.Method) },
	"protocol": func(a, b RunListed) int { return strings.Compare(a.Protocol, b.Protocol) },
	"seconds":  func(a, b RunListed) int { return cmp.Compare(a.Seconds, b.Seconds) },
	"seed":     func(a, b RunListed) int { return cmp.Compare(a.Seed, b.Seed) },
}

// List returns the runs of a store that pass and that a filter fits, by one of SortKeys, the other way round with a minus before it; in the
// order of the store for "". Up to most of them: the first ones, or the last ones where they are not sorted; 0 for all. Beside them it returns
// how many there are. It returns an error for an unknown sortBy, and for a record that cannot be read.
func (s *Store) List(f Filter, pass func(Summary) bool, sortBy string, most int) (list []RunListed, count int, err error) {
	key, back := strings.CutPrefix(sortBy, "-")
	if sortBy != "" && !slices.Contains(SortKeys, key) {
		return nil, 0, fmt.Errorf("experiments: %w", unknown.Name{What: "sort", Name: sortBy, Known: SortKeys})
	}
	s.mu.Lock()
	entries := slices.DeleteFunc(slices.Clone(s.entries), func(e *entry) bool { return !pass(e.Summary) })
	s.mu.Unlock()
	entries = slices.DeleteFunc(entries, func(e *entry) bool { return !f.fitsEntry(e) })
	shown := make([]RunListed, len(entries))
	for i, e := range entries {
		if key == "validation" || key == "auc" && typedMethod(e.Method) {
			shown[i] = e.listed()
		} else {
			shown[i] = e.unread()
		}
	}
	order := seq.Upto(len(entries))
	if sortBy != "" {
		slices.SortStableFunc(order, func(a, b int) int {
			if back {
				a, b = b, a
			}
			return orders[key](shown[a], shown[b])
		})
	}
	count = len(order)
	if most > 0 && count > most && sortBy == "" {
		order = order[count-most:]
	} else if most > 0 && count > most {
		order = order[:most]
	}
	return seq.Map(order, func(i int) RunListed { return entries[i].listed() }), count, nil
}

// unread is a run as its summary has it, whose score is taken for an AUC.
func (e *entry) unread() RunListed {
	l := RunListed{Summary: e.Summary, Done: time.UnixMilli(e.Finished).UTC(), Validation: math.NaN(), Score: e.AUC}
	if e.Scored {
		l.ScoreOf = ScoreTitle("auc")
	}
	return l
}

// listed reads what the summary has not got.
func (e *entry) listed() RunListed {
	l := e.unread()
	record, there := e.load()
	if !there {
		return l
	}
	if j, err := JobOf(record); err == nil {
		l.Settings = j.Settings()
	}
	if score, there := TestScore(record.Metrics); there {
		name, _ := ScoreOf(record.Metrics)
		l.Score, l.ScoreOf = score, ScoreTitle(name)
	}
	if score, on := ChosenBy(record); on != "" {
		l.Validation, l.ChosenOn = score, on
	}
	return l
}

// typedMethod says whether the score of a method's runs may be another one than the AUC.
func typedMethod(name string) bool {
	m, err := methods.Find(name)
	return err == nil && m.Typed
}

// fitsEntry is fits of a record of a store, which is read only where its summary does not tell.
func (f Filter) fitsEntry(e *entry) bool {
	short := results.Record{Method: e.Method, Protocol: e.Protocol, Seed: e.Seed, Dataset: results.Dataset{Name: e.Dataset}, Code: results.Code{Commit: e.Commit}}
	more := false
	for name, values := range f.want {
		if !slices.Contains(recordNames, name) || name == "definition" {
			more = true
		} else if !slices.ContainsFunc(values, func(v string) bool { return fits(short, name, v) }) {
			return false
		}
	}
	if !more {
		return true
	}
	record, there := e.load()
	return there && f.fits(record)
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
