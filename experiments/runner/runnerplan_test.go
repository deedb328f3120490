package runner

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/experiments/store"
)

// A run of other data than there are now under the name is done anew, once; without the data its record counts.
func TestRunnerOtherData(t *testing.T) {
	r := dataFolder(t)
	four := choiceJobs()
	runAll(t, r, four[:2])
	jobs := four[:1]
	folder := filepath.Join(r.DataDir, "cora", "split")
	changed := *tiny.Split(t, false)
	changed.Train = changed.Train[1:]
	if err := changed.Write(folder, true); err != nil {
		t.Fatal(err)
	}
	if planned, err := r.Plan(jobs); err != nil || planned[0].State != StateStale || !planned[0].Todo() {
		t.Errorf("plan %+v, %v", planned, err)
	}
	if planned, err := r.Plan(four); err != nil || len(planned) != 3 || len(planned[2].Among) != 2 {
		t.Errorf("records of other data choose: plan %+v, %v", planned, err)
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
