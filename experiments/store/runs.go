package store

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
)

// ID tells a run apart: all that its vectors depend on but for the code.
type ID struct {
	Key  string // of its Job
	Data run.Checksums
}

// Name names the run in 24 hexadecimal digits.
func (id ID) Name() string {
	return run.Hash(strings.Join([]string{id.Key, id.Data.Data, id.Data.Features, id.Data.Words}, "\n"))
}

// Runs are the runs of a store, each known by all that determines its numbers.
type Runs struct {
	byID    map[ID]*Entry
	byGroup map[ID][]*Entry // one for each seed, in the order of seeds
	failed  map[ID]string   // why, of runs that were never done

	data     *run.Catalog       // of the runs that are asked for
	contests map[string]contest // see there
	others   map[string]leftOut // by key, why records are none of the runs that are asked for

	Foreign int // records of which this version cannot tell what determines them
	Other   int // runs that are there of other code than the program has only
	Unread  int // files and lines that are no record
}

// sameAUC is how far the AUC of one run may differ between kinds of processors, which round differently.
const sameAUC = 1e-3

// Conflict is two records of one run that do not agree.
type Conflict struct{ Kept, Other results.Record }

// NewRuns indexes records. Interrupted runs are left out, and so are those of other code than this program
// has; failed ones are known as Failure only. Of several records of one run the one that was finished last
// counts and, of those of one moment, the last one: so it is the same one wherever in a store they are. Runs
// that are asked for are of the data of the last record with their name.
func NewRuns(records []results.Record) *Runs {
	return runsOf(packed(records), false)
}

// RunsOfAnyDefinition is NewRuns with records of other definitions too.
func RunsOfAnyDefinition(records []results.Record) *Runs {
	return runsOf(packed(records), true)
}

// packed returns entries of records without folders.
func packed(records []results.Record) []*Entry {
	return seq.Map(records, func(r results.Record) *Entry { return entryOf(results.Stored{Record: r}) })
}

// runsOf is NewRuns of entries, or RunsOfAnyDefinition.
func runsOf(entries []*Entry, ofAny bool) *Runs {
	r := &Runs{byID: map[ID]*Entry{}, byGroup: map[ID][]*Entry{}, failed: map[ID]string{}, contests: map[string]contest{}, others: map[string]leftOut{}}
	other := map[ID]bool{}
	for _, e := range entries {
		switch old := r.byID[e.Run]; {
		case e.Key == "":
			r.Foreign++
		case e.Interrupted, e.Parent != nil: // no run that a table asks for
		case !e.Present && !ofAny:
			other[e.Run] = e.Error == ""
		case e.Error != "":
			r.failed[e.Run] = e.Error
		case old == nil:
			r.byID[e.Run] = e
		default:
			kept, other := e, old
			if old.Finished.After(e.Finished) {
				kept, other = old, e
			}
			conflict := kept.ScoreName() == other.ScoreName() && math.Abs(kept.Metrics["auc"]-other.Metrics["auc"]) > sameAUC
			merged := kept.with(other) // one training, scored in several ways
			if conflict {
				merged.Conflict = &Conflict{kept.Record, other.Record}
			}
			r.byID[e.Run] = merged
		}
	}
	for id, there := range other {
		if there && r.byID[id] == nil {
			r.Other++
			left := r.others[id.Key]
			left.code++
			r.others[id.Key] = left
		}
	}
	for _, e := range r.byID {
		group := ID{e.Group, e.Run.Data}
		r.byGroup[group] = append(r.byGroup[group], e)
		left := r.others[e.Key]
		left.data++
		r.others[e.Key] = left
	}
	for _, group := range r.byGroup {
		slices.SortFunc(group, func(a, b *Entry) int { return cmp.Compare(a.Seed, b.Seed) })
	}
	return r
}

// checksums returns those of the data of a job, or an error for data that cannot be read.
func (r *Runs) checksums(j Job) (run.Checksums, error) {
	if j.of != nil {
		return *j.of, nil
	}
	if r.data != nil {
		return r.data.Of(j.Dataset, j.Own).Checksums(j.Options)
	}
	var last *Entry
	for _, e := range r.byID {
		if e.Dataset.Name == j.Dataset && (last == nil || e.Finished.After(last.Finished)) {
			last = e
		}
	}
	if last == nil {
		return run.Checksums{}, nil
	}
	return last.Run.Data, nil
}

// ID returns what tells the run of a job apart, on the data as they are now. It returns an error for data
// that cannot be read.
func (r *Runs) ID(j Job) (ID, error) {
	sums, err := r.checksums(j)
	return ID{j.Key(), sums}, err
}

// Group returns what the runs of a job under all seeds have in common.
func (r *Runs) Group(j Job) ID {
	sums, _ := r.checksums(j) // of none, where the data cannot be read
	return ID{j.Group(), sums}
}

// Entry returns the entry of the run of a job, and whether there is one.
func (r *Runs) Entry(j Job) (*Entry, bool) {
	id, err := r.ID(j)
	e := r.byID[id]
	return e, err == nil && e != nil
}

// Find returns the record of a job with the metrics of its score, and whether there is one that has those.
func (r *Runs) Find(j Job) (results.Record, bool) {
	e, there := r.Entry(j)
	if !there {
		return results.Record{}, false
	}
	return e.By(j.Options.Scorer())
}

// Failure returns why the run of a job failed, and whether it did each time that it was tried.
func (r *Runs) Failure(j Job) (reason string, failed bool) {
	id, err := r.ID(j)
	if err != nil || r.byID[id] != nil {
		return "", false
	}
	reason, failed = r.failed[id]
	return reason, failed
}

// Seeds returns the records of a job under every seed that there is, with the metrics of its score, in the order of seeds.
func (r *Runs) Seeds(j Job) (all []results.Record) {
	for _, e := range r.byGroup[r.Group(j)] {
		if record, has := e.By(j.Options.Scorer()); has {
			all = append(all, record)
		}
	}
	return all
}

// All returns the records by what tells their runs apart, in one order.
func (r *Runs) All() iter.Seq2[ID, results.Record] {
	return func(yield func(ID, results.Record) bool) {
		for _, id := range slices.SortedFunc(maps.Keys(r.byID), ID.compare) {
			if !yield(id, r.byID[id].Record) {
				return
			}
		}
	}
}

func (id ID) compare(other ID) int {
	return cmp.Or(strings.Compare(id.Key, other.Key), strings.Compare(id.Data.Data, other.Data.Data),
		strings.Compare(id.Data.Features, other.Data.Features), strings.Compare(id.Data.Words, other.Data.Words))
}

// Conflicts returns the runs of which two records do not agree.
func (r *Runs) Conflicts() (all []Conflict) {
	for id := range r.All() {
		if c := r.byID[id].Conflict; c != nil {
			all = append(all, *c)
		}
	}
	return all
}
