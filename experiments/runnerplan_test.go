package experiments

import (
	"os"
	"path/filepath"
	"testing"
)

// A run that others have made needless is left out, also where they were done only after it was planned.
func TestRunnerNeedless(t *testing.T) {
	r := dataFolder(t)
	r.Jobs = 1
	jobs := tinyJobs(3)
	r.Settled = func(runs *Runs, j Job) bool {
		_, first := runs.Find(jobs[0])
		return first && j.Key() == jobs[1].Key()
	}
	if got := runAll(t, r, jobs); got.Runs != 3 || got.Done != 2 || got.There != 1 || len(records(t, r.Store)) != 2 {
		t.Errorf("report %+v, %d records", got, len(records(t, r.Store)))
	}
	if planned, err := r.Plan(jobs); err != nil || len(planned) != 2 {
		t.Errorf("plan %+v, %v", planned, err)
	}
}

// A run of other data than there are now under the name is done anew, once; without the data its record counts.
func TestRunnerOtherData(t *testing.T) {
	r := dataFolder(t)
	jobs := tinyJobs(1)
	second := tinyJobs(2)[1] // which the first makes needless, unless that is of other data
	r.Settled = func(runs *Runs, j Job) bool {
		_, ok := runs.Find(jobs[0])
		return ok && j.Options.Seed <= 2
	}
	runAll(t, r, jobs)
	if planned, err := r.Plan([]Job{jobs[0], second}); err != nil || len(planned) != 1 {
		t.Errorf("plan %+v, %v", planned, err)
	}
	folder := filepath.Join(r.DataDir, "cora", "split")
	changed := *data(t, false).Split
	changed.Train = changed.Train[1:]
	if err := changed.Write(folder, true); err != nil {
		t.Fatal(err)
	}
	if planned, err := r.Plan(jobs); err != nil || planned[0].State != StateStale || !planned[0].Todo() {
		t.Errorf("plan %+v, %v", planned, err)
	}
	if planned, err := r.Plan([]Job{jobs[0], second}); err != nil || len(planned) != 2 || planned[1].State != StateMissing {
		t.Errorf("settled by a record of other data: plan %+v, %v", planned, err)
	}
	if got := runAll(t, r, jobs); got.Done != 1 || got.There != 0 {
		t.Errorf("report %+v", got)
	}
	if got := runAll(t, r, jobs); got.Done != 0 || got.There != 1 {
		t.Errorf("once more: report %+v", got)
	}
	all := records(t, r.Store)
	if len(all) != 2 || all[1].Dataset.SHA256 != changed.Checksum() || all[0].Dataset.SHA256 == all[1].Dataset.SHA256 {
		t.Errorf("records %+v", all)
	}
	if found, _ := NewRuns(all).Find(jobs[0]); found.Dataset.SHA256 != changed.Checksum() {
		t.Error("the record of the old data counts")
	}
	if err := os.RemoveAll(filepath.Join(r.DataDir, "cora")); err != nil {
		t.Fatal(err)
	}
	if got := runAll(t, r, jobs); got.There != 1 {
		t.Errorf("without the data: report %+v", got)
	}
}
