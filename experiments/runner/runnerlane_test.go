package runner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

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
		held.release()
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
	defer held.release()
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
