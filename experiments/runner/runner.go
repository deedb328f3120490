// Package runner does many runs: several at a time, over one store with other processes, or a shard of them; and tells beforehand how
// long they may take.
package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
)

// Runner does runs that a store does not have yet, several at a time if asked to. Each has a folder of its own, with its checkpoint, its vectors and, once
// it is done, its record. What ends the program loses no more than the steps since the last checkpoints.
//
// Several processes may share a store: a run that one of them is at, and whose folder it has locked, is left to it.
type Runner struct {
	Store    string         // folder of runs
	DataDir  string         // of registered data sets
	Data     *run.Catalog   // what was known of all data when runs were planned last, which sets it
	Threads  int            // of all runs together; at least one each
	Jobs     int            // runs at a time; 0 is 1
	MaxTime  time.Duration  // after which no run starts; 0 for no limit
	Memory   uint64         // bytes that runs may need together, as planned; 0 for no limit
	Retry    bool           // runs that failed before
	Every    time.Duration  // how often the state of a run is kept, as run.Checkpoints has it
	Command  []string       // for the records
	Measured []*store.Entry // to estimate times from, besides the store's

	// Alone says that no other process does these runs, so that no locks are needed, which network file systems may not have.
	Alone bool

	// Keep is handed the folder of a run, and what it has learnt, before its record is written, and Lacks says of a run in the store whether it must be
	// done again for the sake of Keep, which leaves its record. Both may be nil. They are called from several goroutines.
	Keep  func(ctx context.Context, dir string, data run.Data, j store.Job, out *run.Outcome, threads int) error
	Lacks func(j store.Job, there *store.Entry) bool

	Vectors int64 // bytes of vectors that runs on links leave in their folders, for scores to come; the oldest go first

	// Monitor is told what happens, one event at a time; it may be nil.
	Monitor func(Event)
}

// Report is what came of Run.
type Report struct {
	Runs   int       `json:"runs"`   // different ones that were asked for, of several to choose from one
	There  int       `json:"there"`  // in the store already, or done by another process meanwhile
	Done   int       `json:"done"`   // by this call
	Scored int       `json:"scored"` // by this call: they were there, but not scored as was asked for
	Failed []Failure `json:"failed"` // now or before
	Left   int       `json:"left"`   // not done: there was no time, or Run was stopped
}

// Failure is a run that failed.
type Failure struct {
	Job    store.Job `json:"-"`
	Name   string    `json:"run"`
	Error  string    `json:"error"`
	Before bool      `json:"before"` // it was not tried again
}

// Run does the runs that are missing, in two phases, each in the given order, equal ones once: first all that are to be done whatever others
// come to, then what was chosen by those. A run that fails is recorded, and does not stop the
// others; one that could not begin, for want of its data or of memory, is reported only. If ctx is cancelled, runs under way
// stop after their step and are not recorded, and the error is ctx's. Any other error is of the store, which must be readable and
// writable.
func (r *Runner) Run(ctx context.Context, jobs []store.Job) (Report, error) {
	plans, planned, err := r.plan(jobs)
	if err != nil {
		return Report{}, err
	}
	s := &session{Runner: r, plans: plans, began: time.Now(), planned: planned, running: map[int]time.Time{}}
	if slices.ContainsFunc(planned, Planned.Todo) {
		if err := CheckStore(r.Store); err != nil {
			return Report{}, err
		}
	}
	if r.Memory > 0 {
		s.memory = semaphore.NewWeighted(int64(r.Memory))
	}
	err = s.run(ctx)
	s.report.Left = s.report.Runs - s.report.There - s.report.Done - s.report.Scored - len(s.report.Failed)
	s.tell(noRun, Event{Event: EventEnd, Report: &s.report})
	if err == nil && ctx.Err() != nil && s.report.Left > 0 {
		err = fmt.Errorf("experiments: %d of %d runs were not done: %w", s.report.Left, s.report.Runs, ctx.Err())
	}
	return s.report, err
}

// run does both phases.
func (s *session) run(ctx context.Context) error {
	s.report.Runs = len(s.planned)
	var first, second []int
	for i, p := range s.planned {
		if p.Among != nil {
			second = append(second, i)
		} else if s.count(i) {
			first = append(first, i)
		}
	}
	s.lanes = min(max(1, s.Jobs), max(1, len(first)+len(second)))
	s.pending = slices.Concat(first, second) // to be told
	s.tell(noRun, Event{Event: EventPlan})
	if err := s.phase(ctx, first); err != nil {
		return err
	}
	if len(second) == 0 || s.over(ctx) {
		return nil
	}
	todo, err := s.choose(ctx)
	if err != nil {
		return err
	}
	return s.phase(ctx, todo)
}

// count reports a run that is not to be done, and says whether it is.
func (s *session) count(i int) bool {
	switch p := s.planned[i]; p.State {
	case StateDone:
		s.report.There++
		s.tidy(p)
		return false
	case StateFailed:
		s.tell(i, Event{Event: EventFailed, Note: NoteBefore, Error: p.Error})
		return false
	}
	return true
}

// folder returns the folder of a run.
func (r *Runner) folder(p Planned) string { return filepath.Join(r.Store, p.Folder) }

// session is one call of Run.
type session struct {
	*Runner
	plans  *planner
	began  time.Time
	lanes  int
	memory *semaphore.Weighted // that runs may need together; nil for no limit

	mu        sync.Mutex // guards what follows
	planned   []Planned
	pending   []int             // of the phase, not begun
	elsewhere []int             // held by another process when their turn came
	running   map[int]time.Time // and when they will have ended, about
	report    Report
}

// perform does a run that this process holds, and records it or, where its record is there, the scores that this lacks.
func (s *session) perform(ctx context.Context, i, threads int, there *store.Entry) error {
	p := s.planned[i]
	if p.Unfit != "" {
		s.fail(i, p.Unfit)
		return nil
	}
	if s.memory != nil {
		if s.memory.Acquire(ctx, p.Memory) != nil || s.over(ctx) {
			return nil
		}
		defer s.memory.Release(p.Memory)
	}
	s.tell(i, Event{Event: EventStart})
	defer s.stop(i)
	points := &run.Checkpoints{Dir: s.folder(p), Every: s.Every}
	points.Anew = true // one that it cannot go on from is taken away
	out, err := s.train(ctx, i, threads, points)
	switch {
	case out == nil || errors.Is(err, run.ErrModel): // of the data, or of the program as it was edited
		if ctx.Err() == nil {
			s.fail(i, err.Error())
		}
		return nil
	case out.Record.Interrupted || err != nil && ctx.Err() != nil:
		return nil // as if it had not begun, but for its checkpoints
	}
	out.Record.Command = s.Command
	if err == nil {
		s.keepVectors(i, out)
	}
	if err := s.write(s.folder(p), out.Record, there); err != nil {
		return err
	}
	if err := points.Remove(); err != nil {
		return err
	}
	if err != nil {
		s.fail(i, err.Error())
		return nil
	}
	s.tell(i, Event{Event: EventDone, Metrics: out.Record.Metrics, Seconds: out.Record.Finished.Sub(out.Record.Started).Seconds()}, &s.report.Done)
	return nil
}

func (s *session) fail(i int, reason string) { s.tell(i, Event{Event: EventFailed, Error: reason}) }

// write puts a record into the folder of its run or, where there is one already, its scores that this lacks.
func (s *session) write(dir string, record results.Record, there *store.Entry) error {
	switch {
	case there == nil || there.Dir != dir:
		return record.Write(dir)
	case record.Error != "":
		return nil // it has no scores
	}
	return addScores(there, seq.Filter(store.ScoresOf(record), func(x results.Scored) bool {
		_, has := there.By(x.Score)
		return !has
	}))
}

// tidy takes away what a process has left that was killed after it wrote the record of a run.
func (s *session) tidy(p Planned) {
	dir := s.folder(p)
	if _, err := os.Lstat(filepath.Join(dir, store.LockFile)); err != nil {
		return
	}
	if held, err := store.TakeRun(dir); err == nil && held != nil {
		_ = (&run.Checkpoints{Dir: dir}).Remove() // what stays does no harm
		store.LeaveRun(held)
	}
}

// coefficients returns those that the run of the first seed has of the score fitted, if the job asks for it
// and that run is there, of the same split: they are what the run would find itself by further trainings.
func (s *session) coefficients(p Planned, data run.Data) (all map[string]*eval.Coefficients) {
	j := p.Job
	at := slices.IndexFunc(j.AllScores(), run.NeedsHeld)
	if at < 0 || j.Options.Seed == store.FirstSeed || j.Options.HoldOut > 0 {
		return nil
	}
	sums, err := p.data.Checksums(j.Options)
	j.Options.Seed = store.FirstSeed
	first, unread := store.ReadRun(filepath.Join(s.Store, run.Folder(j.Dataset, sums.Data, j.Options)))
	if err != nil || unread != nil || first == nil || !first.Present || first.Dataset.SHA256 != data.Describe().SHA256 {
		return nil
	}
	if _, has := first.By(j.AllScores()[at]); has {
		return run.CoefficientsOf(first.Record, j.AllScores()[at])
	}
	return nil
}

// train is Run on the job's data. The outcome is nil where those cannot be had, where Keep fails, and of a
// run that panics.
func (s *session) train(ctx context.Context, i, threads int, points *run.Checkpoints) (out *run.Outcome, err error) {
	defer func() {
		if fault := recover(); fault != nil { // a fault of one method must not take the other runs with it
			out, err = nil, fmt.Errorf("experiments: internal error: %v", fault)
		}
	}()
	j := s.planned[i].Job
	loaded, err := s.planned[i].data.Load()
	if err != nil {
		return nil, err
	}
	data, err := run.DataOf(ctx, loaded, false, j.Options)
	if err != nil {
		return nil, err
	}
	data.Words, data.Checkpoints, data.Memory, data.Scores = &s.planned[i].data.Words, points, s.Memory, j.AllScores()
	data.Coefficients = s.coefficients(s.planned[i], data)
	if out, err = run.Run(ctx, data, j.Options, j.Protocol, threads, s.watch(i)); err != nil || out.Record.Interrupted {
		return out, err
	}
	if s.Keep == nil {
		return out, nil
	}
	if err := s.Keep(ctx, s.folder(s.planned[i]), data, j, out, threads); err != nil {
		return nil, err
	}
	return out, nil
}
