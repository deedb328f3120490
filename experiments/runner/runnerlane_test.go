package runner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/results"
)

// halvingJobs returns the runs of an asynchronous search among nine dimensions with budgets of 1, 3 and 9 epochs.
func halvingJobs() (jobs []store.Job) {
	choice := &store.Choice{Halving: &store.Halving{Budget: "epochs", Factor: 3, Seed: 1, Asynchronous: true}}
	for _, epochs := range []string{"1", "3", "9"} {
		choice.Halving.Rungs = append(choice.Halving.Rungs, []byte(epochs))
	}
	dims := grid.Option{Name: "dim"}
	for dim := 2; dim < 11; dim++ {
		dims.Values = append(dims.Values, fmt.Append(nil, dim))
	}
	choice.Grid = grid.Grid{dims}
	j := tinyJobs(1)[0]
	j.Choice = choice
	for number := range choice.Halving.Rungs {
		all := j.Rung(number, true, 0).Jobs
		for _, i := range choice.Halving.Order(len(all)) {
			jobs = append(jobs, all[i])
		}
	}
	return jobs
}

// A run of an asynchronous search begins as soon as it is known to be needed, while others of the rung before are still to come, and the
// runs are the same however many are done at a time.
func TestRunnerOfAsynchronousSearch(t *testing.T) {
	jobs := halvingJobs()
	var want []string
	for _, at := range []int{1, 3} {
		r := dataFolder(t)
		r.Jobs = at
		left, early := 9, 0 // of the first rung
		r.Monitor = func(e Event) {
			switch {
			case e.Event == EventDone && e.Run <= 9:
				left--
			case e.Event == EventStart && e.Run > 9 && left > 0:
				early++
			}
		}
		report := runAll(t, r, jobs)
		var keys []string
		for _, record := range records(t, r.Store) {
			keys = append(keys, keyOf(t, record))
		}
		if slices.Sort(keys); want == nil {
			want = keys
		}
		if !slices.Equal(keys, want) || len(keys) < 9+3+1 || len(keys) == len(jobs) {
			t.Errorf("%d at a time: %d runs of %d, want the %d that one at a time comes to", at, len(keys), len(jobs), len(want))
		}
		if early == 0 || report.Left != 0 || len(report.Failed) != 0 {
			t.Errorf("%d at a time: %d runs began early, %+v", at, early, report)
		}
	}
}

func keyOf(t *testing.T, r results.Record) string {
	t.Helper()
	j, err := store.JobOf(r)
	if err != nil {
		t.Fatal(err)
	}
	return j.Key()
}

// A run that others may make needless begins when they have ended, however many may run at a time; it is left out if they have.
func TestRunnerAwaitsDeciders(t *testing.T) {
	jobs := choiceJobs()
	setUp := func() *Runner {
		r := dataFolder(t)
		r.Jobs = 4
		return r
	}
	order := func(r *Runner) *[]string {
		var events []string
		r.Monitor = func(e Event) {
			if e.Event != EventEpoch && e.Run > 2 {
				events = append(events, fmt.Sprint(e.Event, " ", e.Run))
			} else if e.Event == EventDone || e.Event == EventThere || e.Event == EventFailed {
				events = append(events, "decided")
			}
		}
		return &events
	}
	check := func(name string, got Report, events, want []string) {
		t.Helper()
		if slices.Sort(events[2:]); !slices.Equal(events, want) || got.Left != 0 {
			t.Errorf("%s: events %q, report %+v", name, events, got)
		}
	}

	r := setUp()
	planned, err := r.Plan(jobs)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range planned {
		if p.Conditional != (i >= 2) {
			t.Errorf("run %d: conditional: %v", i, p.Conditional)
		}
	}
	events := order(r)
	got := runAll(t, r, jobs)
	check("here", got, *events, []string{"decided", "decided", "done 4", "needless 3", "start 4"})

	r = setUp()
	r.DataDir = filepath.Join(r.DataDir, "none") // all fail, and nothing waits for ever
	if got := runAll(t, r, jobs); len(got.Failed) != 4 {
		t.Errorf("failing: %+v", got)
	}

	// The same if another process has one of the deciders.
	r = setUp()
	r.Jobs = 1
	held, err := lockRun(r.lockFolder(), jobs[0].Key())
	if err != nil || held == nil {
		t.Fatal(held, err)
	}
	events = order(r)
	note, waits := r.Monitor, 0
	r.Monitor = func(e Event) {
		if note(e); e.Event != EventWait {
			return
		}
		if waits++; len(*events) != 1 || e.Run != 1 {
			t.Errorf("it waits for run %d after %q", e.Run, *events)
		}
		record := alone(t, jobs[0].Options)
		if err := record.Append(r.Store); err != nil {
			t.Error(err)
		}
		held.Release()
	}
	got = runAll(t, r, jobs)
	check("elsewhere", got, *events, []string{"decided", "decided", "done 4", "needless 3", "start 4"})
	if waits != 1 || got.Done != 2 || got.There != 2 {
		t.Errorf("told %d times, report %+v", waits, got)
	}

	// Who is stopped while waiting stops.
	r = setUp()
	r.Jobs = 1
	if held, err = lockRun(r.lockFolder(), jobs[0].Key()); err != nil || held == nil {
		t.Fatal(held, err)
	}
	defer held.Release()
	ctx, cancel := context.WithCancel(context.Background())
	r.Monitor = func(e Event) {
		if e.Event == EventWait {
			cancel()
		}
	}
	if got, err := r.Run(ctx, jobs); !errors.Is(err, context.Canceled) || got.Done != 1 || got.Left != 3 {
		t.Errorf("stopped: %+v, %v", got, err)
	}
}
