package experiments

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// Job is one run of a table, a figure or a sweep: all that its numbers depend on.
type Job struct {
	Dataset  string         // name of a registered data set
	Protocol string         // a name of Protocols, as the record will have it; the options say the rest
	Options  graphs.Options // with the seed
}

// Key names what determines the numbers of a job: data set and options, not those that change no number. Jobs with one key
// are one run.
func (j Job) Key() string { return key(j.Dataset, j.Options) }

// Group is the key of a job whatever its seed.
func (j Job) Group() string {
	j.Options.Seed = 0
	return j.Key()
}

// JobOf returns the job whose run a record is of. Options that the record's version did not know have the values that it went
// by: their defaults, or what before says. It returns an error for a record whose options are not those of a method.
func JobOf(r results.Record) (Job, error) {
	o, err := methods.Options(r.Method, graphs.Default)
	if err != nil {
		return Job{}, fmt.Errorf("experiments: %w", err)
	}
	before(r, &o)
	if err := json.Unmarshal(r.Options, &o); err != nil {
		return Job{}, fmt.Errorf("experiments: options of a record of %s: %w", r.Method, err)
	}
	return Job{r.Dataset.Name, r.Protocol, o}, nil
}

// before sets the options that records had no word for, where runs then did something else than the defaults do now.
func before(r results.Record, o *graphs.Options) {
	if r.Dataset.Directed {
		graphs.Edit(o, func(f *graphs.FeatureOptions) { f.FeatureLinks = graphs.FeaturesBoth }) // elsewhere out and both are one
	}
}

func key(dataset string, o graphs.Options) string {
	o = o.Complete().Normal()
	o.Engine, o.WalksInMemory = graphs.EngineAuto, "auto"
	if o.Select == graphs.SelectLast {
		o.Patience = 0 // nothing is waited for
	}
	graphs.Edit(&o, func(f *graphs.FeatureOptions) {
		if f.Features != "" {
			f.FeatureLinks = graphs.FeaturesOut // no link stands for a feature
		}
	})
	graphs.Edit(&o, func(p *hetnet.PaperOptions) {
		if p.WordVectors != "" {
			p.WordDim, p.WordEpochs = 0, 0 // the file says it
		}
	})
	if o.Scoring == o.Method.Scorings[0] {
		o.Scoring = graphs.ScoringNative
	}
	text, err := json.Marshal(o)
	if err != nil {
		text = fmt.Appendf(nil, "%+v", o) // numbers that JSON cannot hold; such a run is refused
	}
	sum := sha256.Sum256(append([]byte(dataset+"\n"), text...))
	return hex.EncodeToString(sum[:12])
}

// Runs are the records of a store, by what determines their numbers.
type Runs struct {
	byKey   map[string]results.Record
	byGroup map[string][]results.Record // one for each seed, in the order of seeds
	failed  map[string]string           // why, by key, of runs that were never done
	older   map[string]bool             // by key, as Older

	Conflicts []Conflict // runs that are there twice, with other numbers
	Foreign   int        // records of which this version cannot tell what determines them
	Older     []Job      // runs that are there of an older definition of their method only, in the order of the store
}

// sameAUC is how far the AUC of one run may differ between kinds of processors, which round differently.
const sameAUC = 1e-3

// Conflict is two records of one run that do not agree: of other data, or of versions that compute something else.
type Conflict struct{ Kept, Other results.Record }

// NewRuns indexes records. Interrupted runs are left out, and so are those of another definition of their method than this
// program has, of which Older tells; failed ones are known as Failure only; of several records of one run the last one counts.
func NewRuns(records []results.Record) *Runs { return newRuns(records, present) }

// newRuns is NewRuns with what says whether a record with a fingerprint counts.
func newRuns(records []results.Record, counts func(fingerprint string, o graphs.Options) bool) *Runs {
	r := &Runs{byKey: map[string]results.Record{}, byGroup: map[string][]results.Record{}, failed: map[string]string{}, older: map[string]bool{}}
	var order, older []Job
	for _, record := range records {
		j, err := JobOf(record)
		if err != nil {
			r.Foreign++
			continue
		}
		if record.Interrupted || record.Parent != nil { // no run that a table asks for
			continue
		}
		k := j.Key()
		if !counts(record.Definition, j.Options) {
			if record.Error == "" {
				older = append(older, j)
			}
			continue
		}
		if record.Error != "" {
			r.failed[k] = record.Error
			continue
		}
		if old, there := r.byKey[k]; !there {
			order = append(order, j)
		} else if old.Dataset.SHA256 != record.Dataset.SHA256 || math.Abs(old.Metrics["auc"]-record.Metrics["auc"]) > sameAUC {
			r.Conflicts = append(r.Conflicts, Conflict{record, old})
		}
		r.byKey[k] = record
	}
	for _, j := range older {
		k := j.Key()
		if _, anew := r.byKey[k]; !anew && !r.older[k] {
			r.older[k], r.Older = true, append(r.Older, j)
		}
	}
	for _, j := range order {
		group := r.byGroup[j.Group()]
		at := len(group)
		for at > 0 && group[at-1].Seed > j.Options.Seed {
			at--
		}
		group = append(group, results.Record{})
		copy(group[at+1:], group[at:])
		group[at] = r.byKey[j.Key()]
		r.byGroup[j.Group()] = group
	}
	return r
}

// Find returns the record of a job, and whether there is one.
func (r *Runs) Find(j Job) (results.Record, bool) {
	record, ok := r.byKey[j.Key()]
	return record, ok
}

// Failure returns why a job failed, and whether it did each time that it was tried.
func (r *Runs) Failure(j Job) (reason string, failed bool) {
	if _, done := r.Find(j); done {
		return "", false
	}
	reason, failed = r.failed[j.Key()]
	return reason, failed
}

// Seeds returns the records of a job under every seed that there is, in the order of seeds.
func (r *Runs) Seeds(j Job) []results.Record { return r.byGroup[j.Group()] }
