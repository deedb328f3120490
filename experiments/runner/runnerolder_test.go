package runner

import (
	"maps"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/results"
)

// recordsOfSeeds does runs of so many seeds, and returns their jobs and records.
func recordsOfSeeds(t *testing.T, r *Runner, n int) (jobs []store.Job, all []results.Record) {
	t.Helper()
	jobs, r.Jobs = tinyJobs(n), 1
	runAll(t, r, jobs)
	all = records(t, r.Store)
	if len(all) != n {
		t.Fatalf("%d records, expected %d", len(all), n)
	}
	return jobs, all
}

// A record of another definition is not taken for the run: that is done anew, once, and told; one without any counts, as of before there were definitions.
func TestRunnerOlderDefinition(t *testing.T) {
	if run.Edited(tinyJobs(1)[0].Options) {
		t.Skip("after an edit, records without a definition do not count")
	}
	r := dataFolder(t)
	jobs, all := recordsOfSeeds(t, r, 3)
	if now := run.Definition(jobs[0].Options); all[0].Definition != now || now == "" {
		t.Fatalf("definition %q, expected %q", all[0].Definition, now)
	}
	all[0].Definition, all[1].Definition = "0123456789abcdef", ""
	tiny.Rewrite(t, r.Store, all)

	runs := store.NewRuns(all)
	if _, found := runs.Find(jobs[0]); found || len(runs.Seeds(jobs[0])) != 2 {
		t.Error("a record of another definition counts")
	}
	if older := runs.Older(); !maps.Equal(older, map[string]int{"asp2vec": 1}) || !runs.IsOlder(all0Key(t, all)) || len(runs.Conflicts) != 0 {
		t.Errorf("older %v, %d conflicts", older, len(runs.Conflicts))
	}
	if _, found := runs.Find(jobs[1]); !found {
		t.Error("a record without a definition does not count")
	}
	planned, err := r.Plan(jobs)
	if err != nil || planned[0].State != StateOlder || !planned[0].Todo() || planned[1].State != StateDone || len(OlderRuns(planned)) != 1 {
		t.Errorf("plan %+v, %v", planned, err)
	}
	var told map[string]int
	r.Monitor = func(e Event) {
		if e.Event == EventPlan {
			told = e.Older
		}
	}
	if got := runAll(t, r, jobs); got.Done != 1 || got.There != 2 || len(told) != 1 || told["asp2vec"] != 1 {
		t.Errorf("report %+v, told %v", got, told)
	}
	after := records(t, r.Store)
	if runs = store.NewRuns(after); len(after) != 4 || runs.CountOlder() != 0 || len(runs.Conflicts) != 0 || len(runs.Seeds(jobs[0])) != 3 {
		t.Errorf("%d records, %d older, %d conflicts", len(after), runs.CountOlder(), len(runs.Conflicts))
	}
	if got := runAll(t, r, jobs); got.Done != 0 || told != nil {
		t.Errorf("once more: report %+v, told %v", got, told)
	}
}

func all0Key(t *testing.T, all []results.Record) string {
	t.Helper()
	j, err := store.JobOf(all[0])
	if err != nil {
		t.Fatal(err)
	}
	return j.Key()
}
