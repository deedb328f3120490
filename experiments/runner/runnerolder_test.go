package runner

import (
	"cmp"
	"slices"
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
	slices.SortFunc(all, func(a, b results.Record) int { return cmp.Compare(a.Seed, b.Seed) })
	return jobs, all
}

// A record of another definition is not taken for the run: that is done anew, once; one without any counts, as of before there were definitions.
func TestRunnerOtherCode(t *testing.T) {
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

	planned, err := r.Plan(jobs)
	if err != nil || planned[0].State != StateMissing || planned[1].State != StateDone {
		t.Errorf("plan %+v, %v", planned, err)
	}
	if got := runAll(t, r, jobs); got.Done != 1 || got.There != 2 {
		t.Errorf("report %+v", got)
	}
	if got := runAll(t, r, jobs); got.Done != 0 {
		t.Errorf("once more: report %+v", got)
	}
}
