package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// A run of other data than there are now under the name is done anew, once. Without the data, records count
// of which the registry has the checksum.
func TestRunnerOtherData(t *testing.T) {
	r := dataFolder(t)
	four := choiceJobs()
	runAll(t, r, four[:2])
	jobs := four[:1]
	folder := filepath.Join(r.DataDir, "cora", "split")
	changed := *tiny.Split(t, false)
	changed.Train = changed.Train[1:]
	call.OK(t, changed.Write(folder, true))
	if planned, err := r.Plan(jobs); err != nil || planned[0].State != StateMissing || !planned[0].Todo() {
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
	if n := seq.Count(all, func(x results.Record) bool { return x.Dataset.SHA256 == changed.Checksum() }); len(all) != 3 || n != 1 {
		t.Errorf("%d records, %d of the data of now", len(all), n)
	}
	published, _ := store.NewRuns(all).Find(jobs[0])
	if published.Dataset.SHA256 != changed.Checksum() {
		t.Error("the record of the old data counts")
	}
	call.OK(t, os.RemoveAll(filepath.Join(r.DataDir, "cora")))
	if got := runAll(t, r, jobs); len(got.Failed) != 1 || !strings.Contains(got.Failed[0].Error, "data set Cora is not here") {
		t.Errorf("without the data: report %+v", got)
	}
	registered := call.Of(network.Lookup("Cora"))(t)
	published.Dataset.SHA256 = registered.SHA256
	call.OK(t, published.Write(filepath.Join(r.Store, "0123456789abcdef01234567")))
	if got := runAll(t, r, jobs); got.There != 1 {
		t.Errorf("a record of the registered data: report %+v", got)
	}
	call.OK(t, tiny.Split(t, false).Write(folder, true))
	if got := runAll(t, r, four[:2]); got.There != 2 {
		t.Errorf("the data of before again: report %+v", got)
	}
}
