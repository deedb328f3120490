package store

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
)

// Runs are the records of a store, by what determines their numbers.
type Runs struct {
	byKey   map[string]*entry
	byGroup map[string][]*entry // one for each seed, in the order of seeds
	failed  map[string]string   // why, by key, of runs that were never done
	older   map[string]string   // the method, by key, of runs that are there of an older definition of it only

	Conflicts []Conflict // runs that are there twice, with other numbers
	Foreign   int        // records of which this version cannot tell what determines them
}

// sameAUC is how far the AUC of one run may differ between kinds of processors, which round differently.
const sameAUC = 1e-3

// Conflict is two records of one run that do not agree: of other data, or of versions that compute something else. They have
// what identifies them, and their AUC, alone.
type Conflict struct{ Kept, Other results.Record }

// NewRuns indexes records. Interrupted runs are left out, and so are those of another definition of their method than this
// program has, of which Older tells; failed ones are known as Failure only. Of several records of one run the one that was
// finished last counts and, of those of one moment, the last one: so it is the same one wherever in a store they are.
func NewRuns(records []results.Record) *Runs { return newRuns(records, Present) }

// RunsOfAnyDefinition is NewRuns with records of other definitions too.
func RunsOfAnyDefinition(records []results.Record) *Runs {
	return newRuns(records, func(string, graphs.Options) bool { return true })
}

// newRuns is NewRuns with what says whether a record with a fingerprint counts.
func newRuns(records []results.Record, counts func(fingerprint string, o graphs.Options) bool) *Runs {
	s := summarizer{counts: counts}
	entries := make([]*entry, len(records))
	for i := range records {
		entries[i] = &entry{Summary: s.summary(records[i]), record: &records[i]}
	}
	return runsOf(entries)
}

// runsOf is NewRuns of entries.
func runsOf(entries []*entry) *Runs {
	r := &Runs{byKey: map[string]*entry{}, byGroup: map[string][]*entry{}, failed: map[string]string{}, older: map[string]string{}}
	for _, e := range entries {
		switch old := r.byKey[e.Key]; {
		case e.Key == "":
			r.Foreign++
		case e.Interrupted, e.Continued: // no run that a table asks for
		case !e.Present:
			if e.Error == "" {
				r.older[e.Key] = e.Method
			}
		case e.Error != "":
			r.failed[e.Key] = e.Error
		case old == nil:
			r.byKey[e.Key] = e
		default:
			kept, other := e, old
			if old.Finished > e.Finished {
				kept, other = old, e
			}
			if kept.SHA256 != other.SHA256 || math.Abs(kept.AUC-other.AUC) > sameAUC {
				r.Conflicts = append(r.Conflicts, Conflict{kept.brief(), other.brief()})
			}
			r.byKey[e.Key] = kept
		}
	}
	for key, e := range r.byKey {
		delete(r.older, key)
		r.byGroup[e.Group] = append(r.byGroup[e.Group], e)
	}
	for _, group := range r.byGroup {
		slices.SortFunc(group, func(a, b *entry) int { return cmp.Compare(a.Seed, b.Seed) })
	}
	return r
}

// Find returns the record of a job, and whether there is one.
func (r *Runs) Find(j Job) (results.Record, bool) {
	e := r.byKey[j.Key()]
	if e == nil {
		return results.Record{}, false
	}
	return e.load()
}

// Summary returns what there is of the record of a job, and whether there is one.
func (r *Runs) Summary(j Job) (Summary, bool) {
	if e := r.byKey[j.Key()]; e != nil {
		return e.Summary, true
	}
	return Summary{}, false
}

// IsOlder says whether a run is there of an older definition of its method only.
func (r *Runs) IsOlder(key string) bool { return r.older[key] != "" }

// Failure returns why a job failed, and whether it did each time that it was tried.
func (r *Runs) Failure(j Job) (reason string, failed bool) {
	_, reason, failed = r.State(j.Key())
	return reason, failed
}

// State says of the run of a key whether there is its record and, if not, whether it failed each time that it was tried, and why.
func (r *Runs) State(key string) (there bool, reason string, failed bool) {
	if r.byKey[key] != nil {
		return true, "", false
	}
	reason, failed = r.failed[key]
	return false, reason, failed
}

// Seeds returns the records of a job under every seed that there is, in the order of seeds.
func (r *Runs) Seeds(j Job) (all []results.Record) {
	for _, e := range r.byGroup[j.Group()] {
		if record, there := e.load(); there {
			all = append(all, record)
		}
	}
	return all
}

// All returns the records by key, in the order of keys.
func (r *Runs) All() iter.Seq2[string, results.Record] {
	return func(yield func(string, results.Record) bool) {
		for _, key := range slices.Sorted(maps.Keys(r.byKey)) {
			if record, there := r.byKey[key].load(); there && !yield(key, record) {
				return
			}
		}
	}
}

// Summaries returns what the index says of each run.
func (r *Runs) Summaries() iter.Seq[Summary] {
	return func(yield func(Summary) bool) {
		for _, e := range r.byKey {
			if !yield(e.Summary) {
				return
			}
		}
	}
}

// CountOlder returns how many runs are there of an older definition of their method only.
func (r *Runs) CountOlder() int { return len(r.older) }

// Older counts, by method, the runs that are there of an older definition of their method only.
func (r *Runs) Older() map[string]int {
	n := map[string]int{}
	for _, method := range r.older {
		n[method]++
	}
	return n
}
