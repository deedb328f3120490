package main

import (
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/tables"
	"github.com/asp2vec/asp2vec/results"
)

// smallSweep makes a data folder in which Cora is a synthetic network, and a sweep of eight runs that take milliseconds.
func smallSweep(t *testing.T) {
	t.Helper()
	enter(t)
	must(t, "data", "generate", "planted", "--vertices", "60", "--communities", "4", "--out", "planted")
	write(t, "data/cora/edges.tsv.gz", read(t, "planted/edges.tsv.gz"))
	t.Setenv("ASP2VEC_DATA", "data")
	write(t, "s.yaml", `
datasets: cora
protocol: [validated, paper]
seeds: 2
options:
  epsilon: [0.1, 0.9]
  dim: 4
  aspects: 2
  walks: 2
  walk-length: 10
  epochs: 3
`)
}

// sweepDoc is what sweep prints with --json.
type sweepDoc struct {
	Varied []string
	Rows   []tables.Row
	Notes  []string
}

func TestSweep(t *testing.T) {
	smallSweep(t)
	type listed struct {
		Missing int
		Runs    []struct {
			State string
			Seed  uint64
		}
	}
	if l := answer[listed](t, "sweep", "s.yaml", "--dry-run"); l.Missing != 8 || len(l.Runs) != 8 || l.Runs[3].Seed != 2 {
		t.Errorf("%+v", l)
	}
	if exists("results") {
		t.Error("--dry-run writes")
	}
	events := strings.Split(strings.TrimSpace(must(t, "sweep", "s.yaml", "--json").out), "\n")
	doc := decode[sweepDoc](t, events[len(events)-1])
	if len(doc.Rows) != 4 || strings.Join(doc.Varied, " ") != "protocol epsilon" || len(doc.Notes) < 2 { // one more, if rows are as good
		t.Fatalf("%+v", doc)
	}
	best := 0
	for _, r := range doc.Rows {
		if r.AUC.N != 2 || r.Choice.N != 2 || r.AUC.Mean < 0.3 {
			t.Errorf("%+v", r)
		}
		if r.Best {
			best++
		}
	}
	if best != 2 {
		t.Errorf("%d best rows, expected one for each protocol", best)
	}
	records, _, err := results.ReadStore("results")
	if err != nil || len(records) != 8 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	for _, r := range records {
		if r.Dataset.Name != "Cora" || strings.Join(r.Command, " ") != "asp2vec sweep s.yaml --json" || r.Error != "" {
			t.Errorf("%+v", r)
		}
	}

	// Nothing is run again, and what is missing is shown as missing.
	text := must(t, "sweep", "s.yaml").out
	if n := stored(t); n != 8 {
		t.Errorf("%d records after the second time", n)
	}
	says(t, text, "best", "The test links played no part", "too high", "0.9")
	must(t, "results", "clean")
	must(t, "results", "pack")
	lines := strings.SplitAfter(read(t, "results/runs.jsonl"), "\n")
	write(t, "results/runs.jsonl", strings.Join(lines[1:], "")+"{torn")
	if l := answer[listed](t, "sweep", "s.yaml", "--dry-run"); l.Missing != 1 {
		t.Errorf("%+v", l)
	}
	r := must(t, "sweep", "s.yaml")
	says(t, r.err, "no record")
	if records, _, _ := results.ReadStore("results"); len(records) != 8 {
		t.Errorf("%d records after one was lost", len(records))
	}
	says(t, r.out, "Left out: what cannot be read as a record in the store, 1 file or line")
	if before, _, _ := strings.Cut(r.out, "Left out:"); before != text {
		t.Errorf("run again it says\n%s, not\n%s", r.out, text)
	}
}

func TestSweepMistakes(t *testing.T) {
	smallSweep(t)
	write(t, "names.yaml", "datasets: cora\noptions:\n  epsilom: 0.1\n")
	write(t, "many.yaml", "datasets: cora\nseeds: 1000\noptions:\n  tau: {from: 0.1, to: 1, steps: 1000}\n")
	write(t, "range.yaml", "datasets: cora\noptions:\n  epsilon: [0.5, 1.5]\n")
	for want, args := range map[string][]string{
		`names.yaml:3: option "epsilom": did you mean epsilon?`:                         {"names.yaml"},
		"expands to 1000000 runs: expected at most 10000, or a higher --limit":          {"many.yaml"},
		"expands to 8 runs: expected at most 7":                                         {"s.yaml", "--limit", "7"},
		"run asp2vec under protocol standard with epsilon=1.5: epsilon = 1.5: expected": {"range.yaml"},
		"2 files: expected one":             {"s.yaml", "s.yaml"},
		"no such file":                      {"absent"},
		"--results none: expected a folder": {"s.yaml", "--results", "none"},
	} {
		refused(t, want, append([]string{"sweep"}, args...), want)
	}
}
