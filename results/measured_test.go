package results_test

import (
	"testing"

	"github.com/asp2vec/asp2vec/results"
)

// atOnce are the methods without epochs.
var atOnce = map[string]bool{"prone": true, "ppr": true}

// onlyBeside are commits of which only files beside the code had been changed: .ci/fill, for another order of runs, and the file of records itself.
var onlyBeside = map[string]bool{"d4b91d09": true, "d2e6f498": true}

// The records that the README's table is made of can be read, say how they came about, and hold what the table shows.
func TestMeasuredRecords(t *testing.T) {
	records, problems, err := results.ReadStore("measured")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Error(p)
	}
	if len(records) == 0 {
		t.Error("no records")
	}
	for i, r := range records {
		auc, ok := r.Metrics["auc"]
		if !ok { // of a run that chooses options, scored by links held out from it
			auc, ok = r.Metrics["validation_auc"]
		}
		switch {
		case r.Error != "" || r.Interrupted:
			t.Errorf("record %d: failed or interrupted: expected whole runs", i)
		case !ok || auc <= 0 || auc >= 1 || max(auc, r.Metrics["auc_matched"]) <= 0.5: // a score that matched negatives have chosen may rank the others by chance
			t.Errorf("record %d: AUC %v", i, auc)
		case r.Code.Commit == "" || r.Code.Dirty && !onlyBeside[r.Code.Commit[:8]]:
			t.Errorf("record %d: of commit %q, dirty %v: expected a clean one", i, r.Code.Commit, r.Code.Dirty)
		case len(r.Command) == 0 || r.Command[0] != "asp2vec":
			t.Errorf("record %d: command %q: expected the program without its folder", i, r.Command)
		case r.Selection == "" || len(r.Options) == 0 || r.Dataset.SHA256 == "" || (len(r.Epochs) == 0) != atOnce[r.Method]:
			t.Errorf("record %d does not say how it came about", i)
		}
	}
}
