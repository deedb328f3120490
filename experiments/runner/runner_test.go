package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// dataFolder makes a data folder with a small planted network in Cora's place, and a runner over it.
func dataFolder(t *testing.T) *Runner {
	t.Helper()
	dir := tiny.DataFolder(t)
	return &Runner{Store: filepath.Join(dir, "results"), DataDir: dir, Threads: 2, Jobs: 2, Command: []string{"asp2vec", "test"}}
}

// alone does a run without a runner.
func alone(t *testing.T, o graphs.Options) results.Record {
	t.Helper()
	out := call.Of(run.Run(t.Context(), run.Data{Name: "Cora", Split: tiny.Split(t, false)}, o, "custom", 2, nil))(t)
	return out.Record
}

// tinyJobs returns n runs that take milliseconds.
func tinyJobs(n int) (jobs []store.Job) {
	for seed := range n {
		o := tiny.Options("validation")
		o.Seed, o.Dim, o.Epochs, o.WarmUpEpochs = uint64(seed+1), 4, 3, 2
		jobs = append(jobs, store.Job{Dataset: "Cora", Protocol: "custom", Options: o})
	}
	return jobs
}

// choiceJobs returns the runs of a choice of the dimension under two seeds: the first two decide about the others, and make one of them
// needless.
func choiceJobs() (jobs []store.Job) {
	choice := &store.Choice{Grid: grid.Grid{{Name: "dim", Values: []any{4, 6}}}}
	for _, j := range tinyJobs(2) {
		j.Choice = choice
		jobs = append(jobs, j.Candidates(j.Options.Seed)...)
	}
	return jobs
}

func runAll(t *testing.T, r *Runner, jobs []store.Job) Report {
	t.Helper()
	return call.Of(r.Run(context.Background(), jobs))(t)
}

func records(t *testing.T, store string) []results.Record {
	t.Helper()
	all, problems, err := results.ReadStore(store)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return all
}

// aucs returns the AUC of each run, and fails if one is there more than once.
func aucs(t *testing.T, all []results.Record) map[string]float64 {
	t.Helper()
	found := map[string]float64{}
	for _, record := range all {
		j := call.Of(store.JobOf(record))(t)
		if _, twice := found[j.Key()]; twice {
			t.Errorf("%v is there twice", j)
		}
		found[j.Key()] = record.Metrics["auc"]
	}
	return found
}

// leftBehind fails if the folders of runs hold more than their records.
func leftBehind(t *testing.T, store string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(store, "*", "*"))
	hidden, _ := filepath.Glob(filepath.Join(store, ".*"))
	names = slices.DeleteFunc(append(names, hidden...), func(name string) bool {
		return filepath.Base(name) == results.RecordFile || strings.Contains(name, ".tmp-") // of a process that was killed; it goes when it is old enough
	})
	if err != nil || len(names) > 0 {
		t.Errorf("left behind: %v, %v", names, err)
	}
}

// What is missing is run once and recorded with what it was; what is there is not repeated.
func TestRunner(t *testing.T) {
	r := dataFolder(t)
	jobs := tinyJobs(5)
	var events []Event
	r.Monitor = func(e Event) { events = append(events, e) }
	if got := runAll(t, r, append(jobs[:2:2], jobs[0])); got.Runs != 2 || got.Done != 2 || got.There+got.Left+len(got.Failed) != 0 {
		t.Errorf("report %+v", got)
	}
	begun, ended := 0, 0
	for _, e := range events {
		switch e.Event {
		case EventStart:
			begun++
		case EventDone:
			ended++
			if e.Metrics["auc"] == 0 || e.Seconds <= 0 || e.Dataset != "Cora" || e.Key == "" {
				t.Errorf("event %+v", e)
			}
		}
	}
	last := events[len(events)-1]
	if begun != 2 || ended != 2 || events[0].Event != EventPlan || last.Event != EventEnd || last.Report.Done != 2 || last.Running != 0 {
		t.Errorf("events %+v", events)
	}
	if got := runAll(t, r, jobs); got.There != 2 || got.Done != 3 {
		t.Errorf("report %+v", got)
	}
	all := records(t, r.Store)
	for _, record := range all {
		if record.Protocol != "custom" || !slices.Equal(record.Command, r.Command) || record.Host.Threads != 1 || record.Dataset.Name != "Cora" {
			t.Errorf("record %+v", record)
		}
	}
	if len(aucs(t, all)) != 5 {
		t.Errorf("%d runs, expected 5", len(all))
	}
	direct := alone(t, jobs[3].Options).Metrics["auc"]
	if got := aucs(t, all)[jobs[3].Key()]; got != direct {
		t.Errorf("AUC %v, and %v by itself", got, direct)
	}
	leftBehind(t, r.Store)
}

// What a run has learnt can be kept, also of one whose record is there.
func TestRunnerKeeps(t *testing.T) {
	r := dataFolder(t)
	jobs := tinyJobs(2)
	runAll(t, r, jobs[:1])
	r.Jobs = 1
	kept := map[string]bool{}
	full := true
	r.Lacks = func(j store.Job, _ *store.Entry) bool { return !kept[j.Key()] }
	r.Keep = func(_ context.Context, _ string, data run.Data, j store.Job, out *run.Outcome, _ int) error {
		if full && j.Options.Seed == 2 {
			return errors.New("no room")
		}
		kept[j.Key()] = len(out.Result.Embedding.Final) == len(data.Split.Names)*j.Options.Dim
		return nil
	}
	if got := runAll(t, r, jobs); got.Done != 1 || len(got.Failed) != 1 || got.Failed[0].Error != "no room" || len(records(t, r.Store)) != 1 || !kept[jobs[0].Key()] {
		t.Errorf("report %+v, kept %v", got, kept)
	}
	full = false
	if got := runAll(t, r, jobs); got.Done != 1 || got.There != 1 || len(aucs(t, records(t, r.Store))) != 2 {
		t.Errorf("report %+v", got)
	}
}

func TestPlanRunsNothing(t *testing.T) {
	r := dataFolder(t)
	jobs := tinyJobs(3)
	planned, err := r.Plan(jobs)
	if err != nil || len(planned) != 3 {
		t.Fatal(planned, err)
	}
	for _, p := range planned {
		if p.State != StateMissing || p.Seconds != 0 || p.Memory <= 0 || p.Unfit != "" {
			t.Errorf("planned %+v", p)
		}
	}
	if _, err := os.Stat(r.Store); !errors.Is(err, os.ErrNotExist) {
		t.Error("it made the store's folder")
	}
	runAll(t, r, jobs[:1])
	if planned, _ = r.Plan(jobs); planned[0].State != StateDone || planned[0].Seconds != 0 || !(planned[1].Seconds > 0) {
		t.Errorf("planned %+v", planned)
	}
	planned, err = r.Plan([]store.Job{{Dataset: "Wiki-vote", Protocol: "custom", Options: jobs[0].Options}})
	if err != nil || !strings.Contains(planned[0].Unfit, "not here") {
		t.Errorf("without data: %+v, %v", planned, err)
	}
}

// A run that fails is recorded and stops no other; it is tried again only where that is asked for.
func TestRunnerGoesOnAfterFailures(t *testing.T) {
	golden.StillPaper(t)
	r := dataFolder(t)
	jobs := tinyJobs(3)
	jobs[0].Options.Dim = 0
	elsewhere := jobs[2]
	elsewhere.Dataset = "Wiki-vote"
	jobs = append(jobs, elsewhere)
	check := func(name string, before bool, done, recorded int) {
		t.Helper()
		got := runAll(t, r, jobs)
		slices.SortFunc(got.Failed, func(a, b Failure) int { return strings.Compare(a.Job.Dataset, b.Job.Dataset) })
		if got.Done != done || len(got.Failed) != 2 || !strings.Contains(got.Failed[0].Error, "dim = 0") || got.Failed[0].Before != before ||
			!strings.Contains(got.Failed[1].Error, "not here") || got.Failed[1].Before || got.Left != 0 {
			t.Errorf("%s: report %+v", name, got)
		}
		if all := records(t, r.Store); len(all) != recorded {
			t.Errorf("%s: %d records, expected %d", name, len(all), recorded)
		}
	}
	check("first", false, 2, 3)
	check("again", true, 0, 3)
	r.Retry = true
	check("retry", false, 0, 3)
	jobs[0].Options.Dim = 4 // the same with a good option is another run
	if got := runAll(t, r, jobs); got.Done != 1 {
		t.Errorf("mended: %+v", got)
	}
}

func TestRunnerStops(t *testing.T) {
	r := dataFolder(t)
	r.Jobs = 1
	jobs := tinyJobs(3)
	for i := range jobs {
		jobs[i].Options.Epochs, jobs[i].Options.Patience = 500, 500
	}
	ctx, cancel := context.WithCancel(context.Background())
	r.Monitor = func(e Event) {
		if e.Event == EventEpoch && e.Epoch == 2 {
			cancel()
		}
	}
	got, err := r.Run(ctx, jobs)
	if !errors.Is(err, context.Canceled) || got.Left != 3 || got.Done+len(got.Failed) != 0 {
		t.Errorf("report %+v, %v", got, err)
	}
	if left := records(t, r.Store); len(left) > 0 {
		t.Errorf("an interrupted run left %v", left)
	}
	// Memory for one of them at a time, though two could run: that is slower, and nothing else.
	r.Monitor, r.Jobs, r.Memory = nil, 2, 100<<20
	jobs = tinyJobs(3)
	running := 0
	r.Monitor = func(e Event) { running = max(running, e.Running) }
	if got := runAll(t, r, jobs); got.Done != 3 || running != 1 {
		t.Errorf("%+v, %d at once", got, running)
	}
	r.Memory = 1 << 20
	if got := runAll(t, r, tinyJobs(4)); len(got.Failed) != 1 || !strings.Contains(got.Failed[0].Error, "memory") || len(records(t, r.Store)) != 3 {
		t.Errorf("too large: %+v", got)
	}
}

// A store that cannot be written is found out before anything runs.
func TestRunnerNeedsAStore(t *testing.T) {
	r := dataFolder(t)
	r.Monitor = func(e Event) { t.Errorf("event %+v", e) }
	call.File(t, filepath.Join(r.DataDir, "file"), "")
	for _, store := range []string{filepath.Join(r.DataDir, "file"), filepath.Join(r.DataDir, "file", "results")} {
		r.Store = store
		call.Refused(t)(r.Run(context.Background(), tinyJobs(1)))
	}
	if os.Geteuid() == 0 {
		t.Skip("root may write everything")
	}
	r.Store = filepath.Join(r.DataDir, "results")
	call.OK(t, os.Mkdir(r.Store, 0o555))
	if _, err := r.Run(context.Background(), tinyJobs(1)); !errors.Is(err, os.ErrPermission) {
		t.Errorf("read-only store: %v", err)
	}
}
