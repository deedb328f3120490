package tables

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// tableOf reads a table from text.
func tableOf(t *testing.T, text string) (Spec, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mine.yaml")
	call.File(t, path, text)
	return Read(path, sweep.ToRun)
}

// A table of one's own: its runs are those that a sweep has of the same options, lists are settings of their own, and a selection goes
// before what the file says.
func TestOwnTable(t *testing.T) {
	s, err := tableOf(t, `
datasets: [cora, ppi]
seeds: 2
settings:
  - name: DW
    method: deepwalk
  - name: K={aspects}
    options: {aspects: {from: 2, to: 4, steps: 3}, learning-rate: 0.01}
  - {name: gain, best: [K=2, K=4], over: DW}
notes: [of mine]
`)
	if err != nil {
		t.Fatal(err)
	}
	jobs := s.Jobs(sweep.Scope{Protocols: []string{run.StandardProtocol}})
	if len(jobs) != 2*2*4 {
		t.Fatalf("%d runs, expected 4 settings of 2 data sets and 2 seeds", len(jobs))
	}
	_, swept := jobsOf(t, "datasets: cora\noptions: {aspects: 3, learning-rate: 0.01}\n")
	if !slices.ContainsFunc(jobs, func(j store.Job) bool { return j.Key() == swept[0].Key() }) {
		t.Errorf("no run is that of the sweep, %s", swept[0])
	}
	if only := s.Jobs(sweep.Scope{Protocols: []string{"paper"}, Datasets: []string{"ca-hepth"}, Seeds: 1}); len(only) != 4 || only[0].Dataset != "ca-HepTh" {
		t.Errorf("of a selection %v", only)
	}
	var records []results.Record
	for i, j := range jobs {
		records = append(records, record(t, j, .5+float64(i)/100))
	}
	tables := s.Table(store.NewRuns(records), sweep.Scope{Protocols: []string{run.StandardProtocol}})
	if len(tables) != 1 || tables[0].Name != "mine-standard" || !slices.Equal(tables[0].Columns, []string{"DW", "K=2", "K=3", "K=4", "gain, %"}) {
		t.Fatalf("tables %+v", tables)
	}
	if row := tables[0].Rows[0]; row.Label != "Cora" || row.Values[1].N != 2 || row.Values[1].Paper != nil {
		t.Errorf("row %+v", row)
	}
	for _, note := range tables[0].Notes {
		if strings.Contains(note, "paper") {
			t.Errorf("a table of one's own speaks of the paper: %s", note)
		}
	}
}

// With rows: settings there is a table for each data set, and any metric of records.
func TestOwnTableOfMetrics(t *testing.T) {
	s := call.Of(tableOf(t, "datasets: cora\nrows: settings\nmetrics: [AUC, degrees_auc]\nsettings: [{name: asp2vec}]\n"))(t)
	j := s.Jobs(sweep.Scope{Protocols: []string{"validated"}})[0]
	r := record(t, j, .8)
	r.Metrics["degrees_auc"] = .7
	tables := s.Table(store.NewRuns([]results.Record{r}), sweep.Scope{Protocols: []string{"validated"}})
	if len(tables) != 1 || len(tables[0].Rows) != 1 || tables[0].Rows[0].Values[1].Mean != .7 {
		t.Errorf("tables %+v", tables)
	}
}

func TestTableErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "empty: expected datasets or settings",
		"setings: [{name: a}]": `mine.yaml:1: key "setings": expected one of`,
		"settings: [{name: a, method: deepwalk, options: {tau: 1}}]":       "option tau: deepwalk does not read it",
		"settings: [{name: a, protocol: quick}]":                           "protocol \"quick\": expected one of",
		"sizes: [20, 31]\nsettings: [{name: \"{size}\", method: asp2vec}]": "size 31 in 5 vectors",
		"settings: [{name: a}, {name: g, best: [b], over: a}]":             `over "b"`,
		"rows: columns\nsettings: [{name: a}]":                             `rows "columns": expected one of datasets, settings`,
		"metrics: [AUC, F1]\nsettings: [{name: a}]":                        "2 metrics: expected one",
		"paper: three\nsettings: [{name: a}]":                              "three: expected a number",
	} {
		call.Refused(t, want)(tableOf(t, text))
	}
	call.Refused(t)(Read(filepath.Join(t.TempDir(), "nowhere.yaml"), sweep.ToRun))
}

// A setting of one protocol has no runs and no column under others.
func TestSettingOfAProtocol(t *testing.T) {
	s := call.Of(tableOf(t, "datasets: [cora]\nseeds: 1\nsettings:\n  - {name: a, method: deepwalk}\n  - {name: b, method: deepwalk, protocol: standard, choose: {rate-sum: [1, 2]}}\n"))(t)
	for protocol, want := range map[string]struct{ jobs, columns int }{"paper": {1, 1}, run.StandardProtocol: {5, 2}} {
		sel := sweep.Scope{Protocols: []string{protocol}}
		if n := len(s.Jobs(sel)); n != want.jobs {
			t.Errorf("%s: %d runs, expected %d", protocol, n, want.jobs)
		}
		if tables := s.Table(store.NewRuns(nil), sel); len(tables) != 1 || len(tables[0].Columns) != want.columns {
			t.Errorf("%s: %+v, expected %d columns", protocol, tables, want.columns)
		}
	}
}

// Below a table stands what it leaves out, and which of its numbers another record contradicts.
func TestTableTellsWhatItLeavesOut(t *testing.T) {
	golden.StillPaper(t)
	s := call.Of(tableOf(t, "datasets: [cora, ppi]\nseeds: 2\nprotocol: standard\nmethod: deepwalk\nsettings: [{name: DW}]\n"))(t)
	jobs := s.Jobs(sweep.Scope{})
	var records []results.Record
	add := func(i int, auc float64, change func(r *results.Record)) {
		r := record(t, jobs[i], auc)
		r.Finished = time.Unix(int64(len(records)), 0)
		change(&r)
		records = append(records, r)
	}
	same := func(*results.Record) {}
	add(2, .6, func(r *results.Record) { r.Dataset.SHA256 = "of others" })
	add(0, .9, same) // the last of a data set has its data
	add(0, .7, same)
	add(1, .6, func(r *results.Record) { r.Definition = "0123456789abcdef" })
	table := s.Table(store.NewRuns(records), sweep.Scope{})[0]
	notes := strings.Join(table.Notes, "\n")
	for _, want := range []string{"contradict each other: AUC 0.7000 (shown", "and 0.9000", "Left out: 1 run of other code than this program", "Left out: 1 run of other data with the same name."} {
		if !strings.Contains(notes, want) {
			t.Errorf("no %q in\n%s", want, notes)
		}
	}
	if n := seq.Count(seq.Flat(table.Rows, func(r render.Row) []render.Value { return r.Values }), func(v render.Value) bool { return v.N > 0 }); n != 1 {
		t.Errorf("%d cells have numbers: expected 1", n)
	}
}
