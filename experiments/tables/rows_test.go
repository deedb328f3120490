package tables

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/recordtest"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// The best row is the one that the validation set prefers, whatever the test links say.
func TestSweepRows(t *testing.T) {
	s, jobs := jobsOf(t, "datasets: [cora, ppi]\nprotocol: [validated, paper]\nseeds: 2\noptions: {epsilon: [.1, .5, .9]}\n")
	var records []results.Record
	for _, j := range jobs {
		choice := map[float64]float64{.1: .7, .5: .8, .9: .9}[j.Options.Epsilon] + float64(j.Options.Seed)/100
		if j.Dataset == "PPI" && j.Options.Epsilon == .9 && j.Options.Seed == 2 {
			continue // not every seed: not ranked
		}
		records = append(records, recordOf(t, j, 1-choice, choice))
	}
	rows := Rows(s, jobs, store.NewRuns(records))
	if len(rows) != 12 {
		t.Fatalf("%d rows, expected 12", len(rows))
	}
	best := map[string]string{"Cora": "0.9", "PPI": "0.5"}
	for _, r := range rows {
		if want := r.Values[1] == best[r.Dataset]; r.Best != want {
			t.Errorf("%+v: best %v, expected %v", r, r.Best, want)
		}
		if on := map[string]string{"validated": "validation", "paper": "test"}[r.Values[0]]; r.ChosenOn != on {
			t.Errorf("%+v: chosen on %q, expected %q", r, r.ChosenOn, on)
		}
	}
	// By hand: .2-.01 and .2-.02 have the mean .185 and the standard deviation .01/√2.
	if r := rows[1]; math.Abs(r.AUC.Mean-.185) > 1e-12 || math.Abs(r.AUC.SD-.01/math.Sqrt2) > 1e-12 || r.AUC.N != 2 || math.Abs(r.Choice.Mean-.815) > 1e-12 || r.Seeds != 2 {
		t.Errorf("%+v", r)
	}
	if r := rows[8]; r.AUC.N != 1 || r.AUC.SD != 0 || r.Seeds != 2 {
		t.Errorf("with a seed missing: %+v", r)
	}
	for _, r := range Rows(s, jobs, store.NewRuns(nil)) {
		if r.Best || r.AUC.N != 0 || r.Choice.N != 0 {
			t.Errorf("without records: %+v", r)
		}
	}
	// Test links never rank where the protocol is not the paper's, and the last epoch is chosen by none.
	for _, choose := range []string{"last", "test"} {
		s, jobs = jobsOf(t, "datasets: cora\nprotocol: validated\noptions: {epsilon: [.1, .5], select: "+choose+"}\n")
		rows = Rows(s, jobs, store.NewRuns([]results.Record{recordOf(t, jobs[0], .7, .7), recordOf(t, jobs[1], .8, .8)}))
		if rows[0].Best || rows[1].Best || rows[1].AUC.Mean != .8 {
			t.Errorf("select %s: %+v", choose, rows)
		}
	}
}

// recordOf returns the record of a job, with an AUC on the test links and one on the validation set.
func recordOf(t *testing.T, j store.Job, test, choice float64) results.Record {
	t.Helper()
	return recordtest.Of(t, j.Dataset, j.Protocol, j.Options, test, choice)
}

// jobsOf reads a sweep from text, and expands it.
func jobsOf(t *testing.T, text string) (*sweep.File, []store.Job) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.yaml")
	call.File(t, path, text)
	s := call.Of(sweep.Read(path, sweep.ToRun))(t)
	jobs := call.Of(s.Jobs(sweep.MaxRuns))(t)
	return s, jobs
}
