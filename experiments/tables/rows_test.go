package tables

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/internal/recordtest"
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
		t.Fatalf("%d rows, want 12", len(rows))
	}
	best := map[string]string{"Cora": "0.9", "PPI": "0.5"}
	for _, r := range rows {
		if want := r.Values[1] == best[r.Dataset]; r.Best != want {
			t.Errorf("%+v: best %v, want %v", r, r.Best, want)
		}
		if on := map[string]string{"validated": "validation", "paper": "test"}[r.Values[0]]; r.ChosenOn != on {
			t.Errorf("%+v: chosen on %q, want %q", r, r.ChosenOn, on)
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

// Of nine combinations a third goes on from each rung, by validation; of what is left the other seeds are run, and under protocol standard, where
// links were held out, the run on all training links.
func TestHalving(t *testing.T) {
	for protocol, budget := range map[string]string{"validated": "epochs", "standard": "pairs-per-vertex"} {
		s, jobs := jobsOf(t, fmt.Sprintf("datasets: cora\nprotocol: %s\nseeds: 2\noptions: {epsilon: {from: 0.1, to: 0.9, steps: 9}}\nsearch: {halving: {budget: %s, from: 2, to: 18}}\n", protocol, budget))
		score := func(j store.Job) float64 { // the larger epsilon the better, and a little the longer
			return .5 + j.Options.Epsilon/10 + float64(j.Options.Epochs)/1e6 + float64(j.Options.PairsPerVertex)/1e6
		}
		var records []results.Record
		for round := 0; ; round++ {
			runs := store.NewRuns(records)
			var left []store.Job
			for _, j := range jobs {
				if !runs.NeedsNoRun(j) {
					left = append(left, j)
				}
			}
			if len(left) == 0 {
				break
			}
			open := map[string]bool{}
			for _, j := range left {
				open[j.Key()] = true
			}
			for _, j := range left { // those that wait for none
				if slices.ContainsFunc(store.Deciders(j), func(d store.Job) bool { return open[d.Key()] }) {
					continue
				}
				r := recordOf(t, j, 1-score(j), score(j))
				if j.Options.HoldOut > 0 {
					r.Metrics = results.Metrics{run.ValidationAUC: score(j)}
				}
				records = append(records, r)
			}
			if round > 10 {
				t.Fatalf("%s: %d runs are left for ever", protocol, len(left))
			}
		}
		// 9 and 3 and 1 score; then both seeds of what was found, of which one is that of the last rung under validation.
		want := map[string]int{"validated": 9 + 3 + 1 + 1, "standard": 9 + 3 + 1 + 2}[protocol]
		if len(records) != want {
			t.Errorf("%s: %d runs, want %d", protocol, len(records), want)
		}
		rows := Rows(s, jobs, store.NewRuns(records))
		if len(rows) != 9 || !rows[0].Best || rows[1].Best || rows[0].Values[0] != "0.9" || rows[0].Values[1] != "18" || rows[1].Values[1] != "6" || rows[3].Values[1] != "2" {
			t.Fatalf("%s: rows %+v", protocol, rows)
		}
		if r := rows[0]; r.AUC.N != 2 || math.Abs(r.AUC.Mean-.41) > 1e-4 || math.Abs(r.Choice.Mean-.59) > 1e-4 || rows[1].Shown().N != 0 {
			t.Errorf("%s: found %+v, next %+v", protocol, r, rows[1])
		}
		best := store.NewRuns(records).Best(1, func(store.Job) bool { return true })
		if len(best) == 0 || best[0].Options["epsilon"] != "0.9" || best[0].Test.N != 2 || !strings.Contains(best[0].Flags, "--epsilon 0.9") || strings.Contains(best[0].Flags, "hold-out") {
			t.Errorf("%s: best %+v", protocol, best)
		}
		planned, err := (&runner.Runner{Store: filepath.Join(t.TempDir(), "runs.jsonl")}).Plan(jobs)
		if n := runner.Expected(planned); err != nil || n != want {
			t.Errorf("%s: %d runs are expected, want %d, %v", protocol, n, want, err)
		}
	}
}

// An asynchronous search comes to the same runs and result whatever the order in which runs end and however many are under way, and a run
// begins before the rung before its own has ended.
func TestAsynchronousHalving(t *testing.T) {
	s, jobs := jobsOf(t, "datasets: cora\nprotocol: validated\noptions: {epsilon: {from: 0.1, to: 0.9, steps: 12}}\nsearch: {halving: {budget: epochs, from: 2, to: 18, asynchronous: true}}\n")
	score := func(j store.Job) float64 { return .5 + j.Options.Epsilon/10 + float64(j.Options.Epochs)/1e6 }
	var first []string
	for seed := range uint64(3) {
		random := rand.New(rand.NewPCG(seed, 1))
		var records []results.Record
		var under []store.Job // way
		early := 0
		for {
			runs := store.NewRuns(records)
			reached := runs.Reached(jobs[0])
			open, begun := map[string]bool{}, map[string]bool{}
			var left []store.Job
			for _, j := range jobs {
				if !runs.NeedsNoRun(j) {
					left, open[j.Key()] = append(left, j), true
				}
			}
			for _, j := range under {
				begun[j.Key()] = true
			}
			for _, j := range left {
				waits := slices.ContainsFunc(store.Deciders(j), func(d store.Job) bool { return open[d.Key()] })
				if now := slices.Contains(reached, j.Key()); len(under) < 4 && !begun[j.Key()] && (now || !waits) {
					if under = append(under, j); now && waits {
						early++
					}
				}
			}
			if len(under) == 0 {
				break
			}
			i := random.IntN(len(under))
			records = append(records, recordOf(t, under[i], 1-score(under[i]), score(under[i])))
			under = slices.Delete(under, i, i+1)
		}
		var keys []string
		for _, r := range records {
			keys = append(keys, string(r.Options))
		}
		slices.Sort(keys)
		if first == nil {
			first = keys
		}
		if !slices.Equal(keys, first) {
			t.Errorf("seed %d: runs %q, want %q", seed, keys, first)
		}
		if n := len(keys); early == 0 || n < 12+4+1 || n > 12+4+1+6 {
			t.Errorf("seed %d: %d runs, %d of them early", seed, n, early)
		}
		if rows := Rows(s, jobs, store.NewRuns(records)); !rows[0].Best || rows[0].Values[0] != "0.9" {
			t.Errorf("seed %d: rows %+v", seed, rows)
		}
	}
}

// A setting of a sweep that is chosen has one row, of what was chosen; runs that others make needless are not done.
func TestSweepChooses(t *testing.T) {
	s, jobs := jobsOf(t, "datasets: cora\nprotocol: validated\nseeds: [1, 2]\nsettings:\n  - {name: fixed}\n  - {name: \"K={aspects}\", options: {aspects: [2, 3]}, choose: {epsilon: [.1, .5, .9]}}\n")
	if len(jobs) != 2+2*2*3 {
		t.Fatalf("%d jobs", len(jobs))
	}
	var records []results.Record
	for _, j := range jobs {
		if j.Choice == nil || j.Options.Seed == 1 || j.Options.Epsilon == .9 {
			records = append(records, recordOf(t, j, .6, map[float64]float64{.1: .7, .5: .8, .9: .9}[j.Options.Epsilon]))
		}
	}
	runs := store.NewRuns(records)
	for _, j := range jobs {
		if !runs.NeedsNoRun(j) {
			t.Errorf("%v still needs a run", j)
		}
	}
	rows := Rows(s, jobs, runs)
	if got := s.Varied(); !slices.Equal(got, []string{"setting", "epsilon"}) || len(rows) != 3 {
		t.Fatalf("varied %v, rows %+v", got, rows)
	}
	if r := rows[1]; !slices.Equal(r.Values, []string{"K=2", "0.9"}) || r.AUC.N != 2 || r.Choice.Mean != .9 || !r.Best || !slices.Equal(rows[0].Values, []string{"fixed", ""}) {
		t.Errorf("rows %+v", rows)
	}
	if rows := Rows(s, jobs, store.NewRuns(nil)); !slices.Equal(rows[1].Values, []string{"K=2", ""}) || rows[1].AUC.N != 0 {
		t.Errorf("before anything was run: %+v", rows[1])
	}
	// A run that is also asked for by itself is done whatever others come to.
	plain := jobs[4]
	plain.Choice = nil
	both, _ := store.Merged([]store.Job{jobs[4], plain})
	if len(both) != 1 || both[0].Choice != nil {
		t.Errorf("merged %+v", both)
	}
}

// jobsOf reads a sweep from text, and expands it.
func jobsOf(t *testing.T, text string) (*sweep.File, []store.Job) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := sweep.Read(path, sweep.ToRun)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := s.Jobs(sweep.MaxRuns)
	if err != nil {
		t.Fatal(err)
	}
	return s, jobs
}
