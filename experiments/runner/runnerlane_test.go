package runner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// What was chosen begins when all that chooses has ended, however many may run at a time, here or in another process.
func TestRunnerChoosesFirst(t *testing.T) {
	jobs := choiceJobs() // two under seed 1, which choose, and two under seed 2
	setUp := func(at int) (*Runner, *[]string) {
		r := dataFolder(t)
		r.Jobs = at
		var events []string
		r.Monitor = func(e Event) {
			if e.Event == EventStart || e.Event == EventDone || e.Event == EventFailed {
				events = append(events, fmt.Sprint(e.Event, " ", e.Run))
			}
		}
		return r, &events
	}
	check := func(name string, got Report, events []string) {
		t.Helper()
		if last := events[len(events)-2:]; !slices.Equal(last, []string{"start 3", "done 3"}) || got.Runs != 3 || got.Left != 0 || len(got.Failed) != 0 {
			t.Errorf("%s: events %q, report %+v", name, events, got)
		}
	}
	r, events := setUp(4)
	planned, err := r.Plan(jobs)
	if err != nil || len(planned) != 3 || planned[0].Among != nil || planned[1].Among != nil || len(planned[2].Among) != 2 {
		t.Fatalf("planned %+v, %v", planned, err)
	}
	check("here", runAll(t, r, jobs), *events)
	if got := runAll(t, r, jobs); got.Runs != 3 || got.There != 3 || len(records(t, r.Store)) != 3 {
		t.Errorf("once more: %+v", got)
	}

	r, _ = setUp(4)
	r.DataDir = filepath.Join(r.DataDir, "none") // all fail, and nothing waits for ever
	if got := runAll(t, r, jobs); len(got.Failed) != 3 || got.Left != 0 {
		t.Errorf("failing: %+v", got)
	}

	// The same if another process has one of those that choose.
	r, events = setUp(1)
	held, err := store.TakeRun(folderOf(t, r, jobs[0]))
	if err != nil || held == nil {
		t.Fatal(held, err)
	}
	note, waits := r.Monitor, 0
	r.Monitor = func(e Event) {
		if note(e); e.Event == EventDone && e.Run == 1 && !slices.Equal(*events, []string{"start 2", "done 2", "done 1"}) {
			t.Errorf("the other process's run ended after %q", *events)
		}
		if e.Event != EventNote {
			return
		}
		if waits++; e.Run != 1 {
			t.Errorf("it waits for run %d", e.Run)
		}
		record := alone(t, jobs[0].Options)
		if err := record.Write(folderOf(t, r, jobs[0])); err != nil {
			t.Error(err)
		}
		store.LeaveRun(held)
	}
	got := runAll(t, r, jobs)
	check("elsewhere", got, *events)
	if waits != 1 || got.Done != 2 || got.There != 1 {
		t.Errorf("told %d times, report %+v", waits, got)
	}

	// Who is stopped while waiting stops.
	r, _ = setUp(1)
	if held, err = store.TakeRun(folderOf(t, r, jobs[0])); err != nil || held == nil {
		t.Fatal(held, err)
	}
	defer store.LeaveRun(held)
	ctx, cancel := context.WithCancel(context.Background())
	r.Monitor = func(e Event) {
		if e.Event == EventDone { // of the other run; what is left is held
			cancel()
		}
	}
	if got, err := r.Run(ctx, jobs); !errors.Is(err, context.Canceled) || got.Done != 1 || got.Left != 2 {
		t.Errorf("stopped: %+v, %v", got, err)
	}
}

// folderOf returns the folder of a run.
func folderOf(t *testing.T, r *Runner, j store.Job) string {
	t.Helper()
	planned := call.Of(r.Plan([]store.Job{j}))(t)
	return r.folder(planned[0])
}
