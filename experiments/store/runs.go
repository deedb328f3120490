package store

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
)

// Runs are the records of a store, by what determines their numbers.
type Runs struct {
	byKey   map[string]*Entry
	byGroup map[string][]*Entry // one for each seed, in the order of seeds
	failed  map[string]string   // why, by key, of runs that were never done

	contests map[string]contest // see there

	Conflicts []Conflict // runs that are there twice, with other numbers
	Foreign   int        // records of which this version cannot tell what determines them
	Other     int        // runs that are there of other code than the program has only
}

// sameAUC is how far the AUC of one run may differ between kinds of processors, which round differently.
const sameAUC = 1e-3

// Conflict is two records of one run that do not agree: of other data, or of versions that compute something else.
type Conflict struct{ Kept, Other results.Record }

// NewRuns indexes records. Interrupted runs are left out, and so are those of other code than this program has; failed ones are known as Failure only. Of several records of one run the one that was
// finished last counts and, of those of one moment, the last one: so it is the same one wherever in a store they are.
func NewRuns(records []results.Record) *Runs {
	return packed(records).Runs()
}

// RunsOfAnyDefinition is NewRuns with records of other definitions too.
func RunsOfAnyDefinition(records []results.Record) *Runs {
	return runsOf(packed(records).Entries, true)
}

// packed returns a store of some records.
func packed(records []results.Record) *Store {
	return &Store{Entries: seq.Map(records, func(r results.Record) *Entry { return entryOf(results.Stored{Record: r}) })}
}

// runsOf is NewRuns of entries, or RunsOfAnyDefinition.
func runsOf(entries []*Entry, ofAny bool) *Runs {
	r := &Runs{byKey: map[string]*Entry{}, byGroup: map[string][]*Entry{}, failed: map[string]string{}, contests: map[string]contest{}}
	other := map[string]bool{}
	for _, e := range entries {
		switch old := r.byKey[e.Key]; {
		case e.Key == "":
			r.Foreign++
		case e.Interrupted, e.Parent != nil: // no run that a table asks for
		case !e.Present && !ofAny:
			other[e.Key] = e.Error == ""
		case e.Error != "":
			r.failed[e.Key] = e.Error
		case old == nil:
			r.byKey[e.Key] = e
		default:
			kept, other := e, old
			if old.Finished.After(e.Finished) {
				kept, other = old, e
			}
			sameData := kept.Dataset.SHA256 == other.Dataset.SHA256
			r.byKey[e.Key] = kept
			if sameData {
				r.byKey[e.Key] = kept.with(other) // one training, scored in several ways
			}
			if !sameData || kept.ScoreName() == other.ScoreName() && math.Abs(kept.Metrics["auc"]-other.Metrics["auc"]) > sameAUC {
				r.Conflicts = append(r.Conflicts, Conflict{kept.Record, other.Record})
			}
		}
	}
	for key, there := range other {
		if there && r.byKey[key] == nil {
			r.Other++
		}
	}
	for _, e := range r.byKey {
		r.byGroup[e.Group] = append(r.byGroup[e.Group], e)
	}
	for _, group := range r.byGroup {
		slices.SortFunc(group, func(a, b *Entry) int { return cmp.Compare(a.Seed, b.Seed) })
	}
	return r
}

// Find returns the record of a job with the metrics of its score, and whether there is one that has those.
func (r *Runs) Find(j Job) (results.Record, bool) {
	e := r.byKey[j.Key()]
	if e == nil {
		return results.Record{}, false
	}
	return e.By(j.Options.Scorer())
}

// Entry returns the entry of the run of a key, and whether there is one.
func (r *Runs) Entry(key string) (*Entry, bool) {
	e := r.byKey[key]
	return e, e != nil
}

// Failure returns why the run of a key failed, and whether it did each time that it was tried.
func (r *Runs) Failure(key string) (reason string, failed bool) {
	if r.byKey[key] != nil {
		return "", false
	}
	reason, failed = r.failed[key]
	return reason, failed
}

// Seeds returns the records of a job under every seed that there is, with the metrics of its score, in the order of seeds.
func (r *Runs) Seeds(j Job) (all []results.Record) {
	for _, e := range r.byGroup[j.Group()] {
		if record, has := e.By(j.Options.Scorer()); has {
			all = append(all, record)
		}
	}
	return all
}

// All returns the records by key, in the order of keys.
func (r *Runs) All() iter.Seq2[string, results.Record] {
	return func(yield func(string, results.Record) bool) {
		for _, key := range slices.Sorted(maps.Keys(r.byKey)) {
			if !yield(key, r.byKey[key].Record) {
				return
			}
		}
	}
}
