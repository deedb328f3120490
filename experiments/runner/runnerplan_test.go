package runner

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/experiments/store"
)

// A run that others have made needless is left out, also where they were done only after it was planned.
func TestRunnerNeedless(t *testing.T) {
	r := dataFolder(t)
	r.Jobs = 1
	jobs := choiceJobs()
	if got := runAll(t, r, jobs); got.Runs != 4 || got.Done != 3 || got.There != 1 || len(records(t, r.Store)) != 3 {
		t.Errorf("report %+v, %d records", got, len(records(t, r.Store)))
	}
	if planned, err := r.Plan(jobs); err != nil || len(planned) != 3 {
		t.Errorf("plan %+v, %v", planned, err)
	}
}

// A run of other data than there are now under the name is done anew, once; without the data its record counts.
func TestRunnerOtherData(t *testing.T) {
	r := dataFolder(t)
	four := choiceJobs()
	runAll(t, r, four)
	jobs := four[:1]
	second := four[2] // which is needless, unless what decides about it is of other data
	if runs := store.NewRuns(records(t, r.Store)); !runs.NeedsNoRun(second) || hasRecord(runs, second) {
		second = four[3]
	}
	if err := os.Remove(r.Store); err != nil {
		t.Fatal(err)
	}
	runAll(t, r, four[:2])
	if planned, err := r.Plan([]store.Job{jobs[0], second}); err != nil || len(planned) != 1 {
		t.Errorf("plan %+v, %v", planned, err)
	}
	folder := filepath.Join(r.DataDir, "cora", "split")
	changed := *tiny.Split(t, false)
	changed.Train = changed.Train[1:]
	if err := changed.Write(folder, true); err != nil {
		t.Fatal(err)
	}
	if planned, err := r.Plan(jobs); err != nil || planned[0].State != StateStale || !planned[0].Todo() {
		t.Errorf("plan %+v, %v", planned, err)
	}
	if planned, err := r.Plan([]store.Job{jobs[0], second}); err != nil || len(planned) != 2 || planned[1].State != StateMissing {
		t.Errorf("no run is needed with a record of other data: plan %+v, %v", planned, err)
	}
	if got := runAll(t, r, jobs); got.Done != 1 || got.There != 0 {
		t.Errorf("report %+v", got)
	}
	if got := runAll(t, r, jobs); got.Done != 0 || got.There != 1 {
		t.Errorf("once more: report %+v", got)
	}
	all := records(t, r.Store)
	if len(all) != 3 || all[2].Dataset.SHA256 != changed.Checksum() || all[0].Dataset.SHA256 == all[2].Dataset.SHA256 {
		t.Errorf("records %+v", all)
	}
	if found, _ := store.NewRuns(all).Find(jobs[0]); found.Dataset.SHA256 != changed.Checksum() {
		t.Error("the record of the old data counts")
	}
	if err := os.RemoveAll(filepath.Join(r.DataDir, "cora")); err != nil {
		t.Fatal(err)
	}
	if got := runAll(t, r, jobs); got.There != 1 {
		t.Errorf("without the data: report %+v", got)
	}
}

func hasRecord(runs *store.Runs, j store.Job) bool { _, there := runs.Find(j); return there }
