package runner

import (
	"maps"
	"math"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/experiments/tables"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/papers"
)

// bibliographyFolder makes a data folder with a small planted bibliography in DBLP's place, and a runner over it.
func bibliographyFolder(t *testing.T) *Runner {
	t.Helper()
	dir := t.TempDir()
	if err := tiny.PapersTable(t).Write(filepath.Join(dir, "dblp")); err != nil {
		t.Fatal(err)
	}
	return &Runner{Store: filepath.Join(dir, "results", "runs.jsonl"), DataDir: dir, Threads: 2, Jobs: 2}
}

// Runs on papers and authors are kept apart by their options, resumed, compared and swept over like others.
func TestAuthorsInRunner(t *testing.T) {
	r := bibliographyFolder(t)
	path := filepath.Join(t.TempDir(), "s.yaml")
	writeFile(t, path, `
datasets: dblp
protocol: validated
method: camel
seeds: 2
options: {dim: [4, 6], word-dim: 8, batch: 200, epochs: 2, learning-rate: 0.02}
`)
	s, err := sweep.Read(path, sweep.ToRun)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := s.Jobs(sweep.MaxRuns)
	if err != nil {
		t.Fatal(err)
	}
	m2v := tiny.TypedOptions(t, hetnet.MethodM2V, run.Protocols["validated"])
	jobs = append(jobs, store.Job{Dataset: "DBLP", Protocol: "validated", Options: m2v})
	for _, p := range func() []Planned { list, _ := r.Plan(jobs); return list }() {
		if p.Unfit != "" || p.Memory <= 0 {
			t.Errorf("planned %+v", p)
		}
	}
	if got := runAll(t, r, jobs[:3]); got.Done != 3 || len(got.Failed) > 0 {
		t.Errorf("report %+v", got)
	}
	if got := runAll(t, r, jobs); got.There != 3 || got.Done != 2 || len(got.Failed) > 0 {
		t.Errorf("report %+v", got)
	}
	if got := runAll(t, r, jobs); got.There != 5 || got.Done != 0 {
		t.Errorf("report %+v", got)
	}
	all := records(t, r.Store)
	if len(all) != 5 {
		t.Errorf("%d records, expected 5", len(all))
	}
	runs := store.NewRuns(all)
	for _, j := range jobs {
		record, ok := runs.Find(j)
		if !ok || record.Dataset.Name != "DBLP" || len(record.Metrics) != 16 {
			t.Fatalf("%v: %+v, %v", j, record, ok)
		}
		if read := record.Epochs[0].Metrics; len(read) != 16 {
			t.Errorf("metrics of an epoch, read again: %v", read)
		}
	}
	read := papersFrom(t, r)
	direct, err := run.Run(t.Context(), run.Data{Name: "DBLP", Bibliography: read}, m2v, "custom", 2, run.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	if record, _ := runs.Find(jobs[4]); !maps.Equal(record.Metrics, direct.Record.Metrics) {
		t.Errorf("metrics %v, and %v by itself", record.Metrics, direct.Record.Metrics)
	}

	// Rows of a sweep are ranked by what chose the epochs.
	rows := tables.Rows(s, jobs[:4], runs)
	if len(rows) != 2 || rows[0].AUC.N != 2 || rows[0].Values[0] != "4" {
		t.Fatalf("rows %+v", rows)
	}
	for i, row := range rows {
		var mean float64
		for _, j := range jobs[2*i : 2*i+2] {
			record, _ := runs.Find(j)
			mean += record.Epochs[record.BestEpoch-1].Metrics["dev_recall@5"] / 2
		}
		if row.ChosenOn != "recall@5 of other papers" || math.Abs(row.Choice.Mean-mean) > 1e-12 || row.Best != (row.Choice.Mean > rows[1-i].Choice.Mean) {
			t.Errorf("%+v: expected %v on other papers", row, mean)
		}
	}
}

// papersFrom reads what a runner's runs learn from.
func papersFrom(t *testing.T, r *Runner) *papers.Bibliography {
	t.Helper()
	loaded, err := source.Source{Dataset: "DBLP", DataDir: r.DataDir}.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return loaded.Bibliography
}
