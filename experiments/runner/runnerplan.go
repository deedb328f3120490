package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// States of a run in a store.
const (
	StateMissing = "missing"
	StateStale   = "of other data" // than there are now, and is to be done anew
	StateOlder   = "older"         // of another definition of its method, and is to be done anew
	StateDone    = "there"
	StateFailed  = "failed" // and is not to be tried again
	StateRetry   = "again"  // failed, and is to be tried again
)

// Planned is a run that was asked for.
type Planned struct {
	Job   store.Job
	Key   string
	State string
	Error string // of one that failed
	// Estimate is of one that is to be done, and Memory about what it will need, in bytes.
	Estimate
	Memory int64
	Unfit  string // why it cannot be done here, if it cannot
	// Conditional says that other runs of the plan come first, and may make this one needless.
	Conditional bool
	// Rivals is how many runs of the plan, with this one, the same others decide among; Kept of them will be done. 0 without.
	Rivals, Kept int

	data     *dataset
	size     Size
	deciders []int // those others, by number in the plan
}

// Todo says whether the run is to be done.
func (p Planned) Todo() bool {
	return p.absent() || p.State == StateStale || p.State == StateRetry
}

// absent says whether the store had no record of the run that counts.
func (p Planned) absent() bool { return p.State == StateMissing || p.State == StateOlder }

// stale says whether a record is of other data than there are now under the name. Of a registered data set that each seed parts anew, and
// of one that is not there, it is not known, and the record counts.
func (p Planned) stale(s store.Summary) bool {
	sum, parted := p.data.checksum()
	if parted {
		return sum != s.Network
	}
	return sum != "" && sum != s.SHA256
}

// Plan returns the runs that were asked for, each once, in their order, with what the store says of them. It does no run, and
// writes nothing. It reads their data. It returns an error for a store that cannot be read.
func (r *Runner) Plan(jobs []store.Job) ([]Planned, error) {
	_, planned, _, err := r.plan(jobs)
	return planned, err
}

// estimatedFrom is how many records of a store, the last ones, estimates are made from at most.
const estimatedFrom = 2000

// plan is Plan with the store as it was read and what the times are estimated by.
func (r *Runner) plan(jobs []store.Job) (there *store.Store, planned []Planned, estimator *Estimator, err error) {
	if r.Alone != "" { // the records of the task alone
		there, err = store.ReadParts(r.Store, r.Alone)
	} else {
		there, err = store.ReadStore(r.Store)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	named := seq.Set(jobs, func(j store.Job) string { return j.Options.Method.Name })
	latest := there.Latest(estimatedFrom, func(s store.Summary) bool { return named[s.Method] })
	estimator = NewEstimator(append(r.Measured[:len(r.Measured):len(r.Measured)], latest...))
	now := state{store: there, runs: there.Runs()}
	threads := max(1, r.Threads/max(1, r.Jobs))
	sources := map[string]*dataset{}
	jobs, keys := store.Merged(jobs)
	for i, j := range jobs {
		p := Planned{Job: j, Key: keys[i], State: StateMissing, data: sources[j.Dataset]}
		if p.data == nil {
			p.data = &dataset{name: j.Dataset, dir: r.DataDir, own: j.Own}
			sources[j.Dataset] = p.data
		}
		sum, there := now.runs.Summary(j)
		failure, failed := now.runs.Failure(j)
		if !there && !failed && needsNoRun(now, p) {
			continue
		}
		if there && p.stale(sum) {
			p.State = StateStale
		} else if there && !r.lacks(j) {
			p.State = StateDone
		} else if failed {
			p.State, p.Error = StateFailed, failure
			if r.Retry {
				p.State = StateRetry
			}
		} else if now.runs.IsOlder(p.Key) {
			p.State = StateOlder
		}
		if p.Todo() {
			r.measure(&p, estimator, threads)
		}
		planned = append(planned, p)
	}
	shareFirst(planned)
	linkDeciders(planned)
	return there, planned, estimator, nil
}

// shareFirst takes off the estimates what runs share with those before them.
func shareFirst(planned []Planned) {
	trained := map[[2]string]bool{}
	for i := range planned {
		p := &planned[i]
		if !p.Todo() || p.Unfit != "" || p.First == 0 {
			continue
		}
		stage := [2]string{p.Job.Dataset, graphs.FirstStage(p.Job.Options)}
		if trained[stage] {
			p.Seconds, p.First = p.Seconds-p.First, 0
		}
		trained[stage] = true
	}
}

func (r *Runner) lacks(j store.Job) bool { return r.Lacks != nil && r.Lacks(j) }

// needsNoRun says whether records of the data that there are now make a run needless that is not there.
func needsNoRun(now state, p Planned) bool {
	return p.Job.Choice != nil && now.runs.NeedsNoRun(p.Job) && now.fresh(p).NeedsNoRun(p.Job)
}

// linkDeciders fills in which of the runs decide about which.
func linkDeciders(planned []Planned) {
	number, keys := map[string]int{}, map[store.Job]string{}
	for i, p := range planned {
		number[p.Key] = i
	}
	type contest struct {
		decider int // the first
		seed    uint64
	}
	rivals := map[contest][]int{}
	for i := range planned {
		p := &planned[i]
		for _, j := range store.Deciders(p.Job) {
			key, known := keys[j]
			if !known {
				key = j.Key()
				keys[j] = key
			}
			if d, asked := number[key]; asked && planned[d].Todo() {
				p.deciders, p.Conditional = append(p.deciders, d), p.Todo()
			}
		}
		if p.Conditional {
			at := contest{p.deciders[0], p.Job.Options.Seed}
			rivals[at] = append(rivals[at], i)
		}
	}
	for _, list := range rivals {
		for _, i := range list {
			planned[i].Rivals, planned[i].Kept = len(list), planned[i].Job.Kept(len(list))
		}
	}
}

// share is the part of a run that will be done, as far as one knows.
func (p Planned) share() float64 { return float64(max(1, p.Kept)) / float64(max(1, p.Rivals)) }

// Expected returns how many runs of a plan will be done, as far as one knows: one of those that others decide among.
func Expected(planned []Planned) int {
	n := 0.0
	for _, p := range planned {
		if p.Todo() {
			n += p.share()
		}
	}
	return int(math.Round(n))
}

// dataset is one, which is read when it is first asked for.
type dataset struct {
	name, dir string
	own       *source.OwnData
	once      sync.Once
	loaded    source.Loaded
	err       error
	sumOnce   sync.Once
	sum       string
}

func (s *dataset) load() (source.Loaded, error) {
	s.once.Do(func() {
		from := source.Source{Dataset: s.name, DataDir: s.dir}
		if s.own != nil {
			from = s.own.Source()
		}
		if s.loaded, s.err = from.Load(context.Background()); s.own != nil {
			s.loaded.Name = s.name
			if s.err == nil && s.own.Network != "" {
				s.loaded.Parted = s.loaded.Network.Checksum()
			}
		}
	})
	return s.loaded, s.err
}

// checksum returns that of the data as records have it; "" if they cannot be read, or are of a registered data set that is parted by each
// seed anew. Of a network of the user's that is parted so it is that of the network.
func (s *dataset) checksum() (sum string, parted bool) {
	s.sumOnce.Do(func() {
		l, err := s.load()
		switch {
		case err != nil:
		case l.Split != nil || l.Bibliography != nil || l.Typed != nil:
			s.sum = run.Data{Name: s.name, Split: l.Split, Bibliography: l.Bibliography, Typed: l.Typed, Task: l.Task}.Describe().SHA256
		case s.own != nil:
			s.sum = l.Parted
		}
	})
	return s.sum, s.own != nil && s.own.Network != "" && s.sum != ""
}

// measure fills in what a run will need.
func (r *Runner) measure(p *Planned, estimator *Estimator, threads int) {
	loaded, err := p.data.load()
	if err != nil {
		p.Unfit = err.Error()
		p.measureAbsent(estimator, threads)
		return
	}
	size, data := sizeOf(loaded)
	data.Name = p.Job.Dataset
	p.size = size
	p.Estimate = estimator.Estimate(p.Job, size, threads)
	planOf := func(o graphs.Options) run.Plan { return run.NewPlan(data, o) }
	if p.Memory = planOf(p.Job.Options).Memory; r.Memory > 0 && uint64(p.Memory) > r.Memory {
		p.Unfit = fmt.Sprintf("experiments: about %d MiB of memory needed, and there are %d: want %s", p.Memory>>20, r.Memory>>20, run.WhatFits(p.Job.Options, r.Memory, planOf))
	}
}

// measureAbsent fills in what a run on a data set that is not here would need, by the sizes that are known of it.
func (p *Planned) measureAbsent(estimator *Estimator, threads int) {
	d, err := network.Lookup(p.Job.Dataset)
	vertices := cmp.Or(d.Vertices, d.PaperVertices) // of the largest component, or before its choice
	if err != nil || d.Typed || vertices == 0 || d.Links == 0 {
		return
	}
	p.size = Size{vertices, d.Links, d.Directed}
	p.Estimate = estimator.Estimate(p.Job, p.size, threads)
	train := int(source.DatasetRemove * float64(d.Links))
	p.Memory = run.PlanOfSizes(vertices, train, 2*d.Links, p.Job.Options).Memory
}

// OlderRuns returns the runs of a plan that are there of an older definition of their method, and are to be done anew.
func OlderRuns(planned []Planned) (jobs []store.Job) {
	return seq.Map(seq.Filter(planned, func(p Planned) bool { return p.State == StateOlder }), func(p Planned) store.Job { return p.Job })
}

// Together is how long the runs of a plan take with several at a time. jobs is at least 1.
func Together(planned []Planned, jobs int) (seconds float64) {
	for _, p := range planned {
		seconds += p.Seconds * p.share()
	}
	return seconds / float64(max(1, min(jobs, len(planned))))
}

// state is what a store holds at a moment.
type state struct {
	store *store.Store
	runs  *store.Runs
}

// fresh returns the records of a run's data set that are not of other data than there are now.
func (s state) fresh(p Planned) *store.Runs {
	return s.store.RunsThat(func(sum store.Summary) bool { return sum.Dataset == p.Job.Dataset && !p.stale(sum) })
}

// checkStore returns an error for a store that cannot be appended to.
func (r *Runner) checkStore() error {
	if r.Part != nil {
		return CheckStore(filepath.Join(results.PartsFolder(r.Store), "part"))
	}
	return CheckStore(r.Store)
}

// CheckStore returns an error for a store that cannot be appended to.
func CheckStore(path string) error {
	if err := atomicfile.CheckWritable(path); err != nil {
		return fmt.Errorf("experiments: store: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("experiments: store: %w", err)
	}
	return f.Close()
}
