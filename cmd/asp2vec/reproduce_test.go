package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// tinyData makes a data folder with the karate club in Filmtrust's place: its links go from the lower to the higher number, so
// that walks are short and runs take no time.
func tinyData(t *testing.T) {
	t.Helper()
	enter(t)
	must(t, "data", "generate", "karate", "--out", "karate.tsv")
	must(t, "split", "--network", "karate.tsv", "--directed", "--remove", "0.3", "--rule", "ce1", "--out", "data/filmtrust/split")
	t.Setenv("ASP2VEC_DATA", "data")
}

var table3 = []string{"reproduce", "table3", "--datasets", "filmtrust", "--seeds", "1", "--protocol", "paper"}

// with returns arguments and more, which take the place of those of the same flags.
func with(args []string, more ...string) (all []string) {
	for i := 0; i < len(args); i++ {
		if i+1 < len(args) && strings.HasPrefix(args[i], "--") && !strings.HasPrefix(args[i+1], "--") && slices.Contains(more, args[i]) {
			i++
			continue
		}
		all = append(all, args[i])
	}
	return append(all, more...)
}

// plannedRuns returns how many runs table3 has, and how many of them are to be done.
func plannedRuns(t *testing.T, args ...string) (runs, missing int) {
	t.Helper()
	d := answer[struct {
		Runs    []struct{ State string }
		Missing int
	}](t, with(table3, append(args, "--dry-run")...)...)
	return len(d.Runs), d.Missing
}

func stored(t *testing.T) int {
	t.Helper()
	records, problems, err := results.ReadStore("results")
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	return len(records)
}

func TestReproduce(t *testing.T) {
	tinyData(t)
	if r := must(t, with(table3, "--dry-run")...); !strings.Contains(r.out, "table3  Filmtrust") || strings.Contains(r.out, "selection=softmax") {
		t.Errorf("dry run:\n%s", r.out)
	}
	dry := must(t, with(table3, "--dry-run", "--full")...)
	n, missing := plannedRuns(t)
	if exists("results") || n < 2 || missing != n || !strings.Contains(dry.out, fmt.Sprintf("%d runs, %d to do", n, n)) || !strings.Contains(dry.out, "selection=softmax") {
		t.Errorf("dry run:\n%s", dry.out)
	}
	first := must(t, table3...)
	says(t, first.out, "Softmax", "Gumbel-Softmax", ".7426", ".6421") // the paper's
	says(t, first.err, fmt.Sprintf("run 2 of %d done: Filmtrust asp2vec paper seed=1 auc=0.", n))
	records, _, err := results.ReadStore("results")
	if err != nil || len(records) != n || records[0].Protocol != "paper" || strings.Join(records[0].Command[:3], " ") != "asp2vec reproduce table3" {
		t.Fatalf("%d records, %v: %+v", len(records), err, records)
	}
	// Again: nothing is run, the same is shown.
	again := must(t, table3...)
	if stored(t) != n || again.out != first.out || strings.Contains(again.err, "begins") {
		t.Errorf("%d records\n%s\n%s", stored(t), again.out, again.err)
	}
	if runs, missing := plannedRuns(t); runs != n || missing != 0 {
		t.Errorf("dry run: %d of %d runs are missing", missing, runs)
	}
	if r := must(t, with(table3, "--seeds", "2", "--max-time", "1ns")...); stored(t) != n || !strings.Contains(r.err, fmt.Sprintf("runs_left=%d", n)) {
		t.Errorf("no time:\n%s\n%s", r.out, r.err)
	}
	bar := invokeWith(context.Background(), shell.Program{Terminal: true, Width: 100}, with(table3, "--results", "bar")...)
	if bar.code != 0 || !strings.Contains(bar.err, "\r") || !strings.Contains(bar.err, fmt.Sprintf("0 of %d runs", n)) || bar.out != first.out {
		t.Errorf("on a terminal: %+v", bar)
	}
}

// With --json each line is an event, and the last one holds the tables.
func TestReproduceEvents(t *testing.T) {
	tinyData(t)
	n, _ := plannedRuns(t)
	r := must(t, with(table3, "--json", "--jobs", "2")...)
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	counts := map[string]int{}
	for _, line := range lines {
		counts[decode[runner.Event](t, line).Event]++
	}
	if counts["plan"] != 1 || counts["start"] != n || counts["done"] != n || counts["end"] != 1 || counts["epoch"] < 4 {
		t.Errorf("events %v", counts)
	}
	last := decode[struct {
		Event  string
		Tables []render.Table
	}](t, lines[len(lines)-1])
	if last.Event != "tables" || len(last.Tables) != 1 || !strings.HasPrefix(last.Tables[0].Name, "table3") || last.Tables[0].Rows[0].Values[0].N != 1 {
		t.Errorf("last line %+v", last)
	}
}

func TestReproduceBadInput(t *testing.T) {
	tinyData(t)
	for name, c := range map[string]struct{ args, want []string }{
		"no table":       {[]string{"reproduce"}, []string{"nothing to reproduce", "table3"}},
		"unknown table":  {[]string{"reproduce", "tabel3"}, []string{`"tabel3"`, "table3"}},
		"unknown data":   {with(table3, "--datasets", "filmtrsut,cora"), []string{`"filmtrsut"`, "did you mean filmtrust?"}},
		"empty name":     {with(table3, "--datasets", "filmtrust,"), []string{"--datasets"}},
		"typed data":     {with(table3, "--datasets", "dblp"), []string{"none of the data sets DBLP"}},
		"no data":        {[]string{"reproduce", "table3", "--data", "nowhere"}, []string{"none of the data sets", "nowhere"}},
		"unknown method": {with(table3, "--methods", "asp2vc"), []string{`"asp2vc"`, "did you mean asp2vec?"}},
		"dims":           {with(table3, "--dims", "ten"), []string{"--dims", `"ten"`}},
		"protocol":       {with(table3, "--protocol", "valid"), []string{"--protocol", "standard, paper, validated or all"}},
		"max-time":       {with(table3, "--max-time", "0s"), []string{"--max-time"}},
		"no store":       {with(table3, "--results", "none"), []string{"--results"}},
	} {
		refused(t, name, c.args, c.want...)
	}
}

// What is missing, broken or failing is named, and does not keep the rest from being run.
func TestReproduceGoesOn(t *testing.T) {
	tinyData(t)
	write(t, "results/runs.jsonl", "{\"schema\":99,\"method\":\"asp2vec\"}\n{\"torn")
	r := must(t, with(table3, "--datasets", "filmtrust,ppi")...)
	says(t, r.err, "data set PPI is not here", "runs.jsonl:1", "runs.jsonl:2")
	n, _ := plannedRuns(t)
	if records, problems, err := results.ReadStore("results"); len(records) != n || len(problems) != 2 || err != nil {
		t.Errorf("the store holds %d records, %v, %v", len(records), problems, err)
	}
	little := invokeWith(context.Background(), shell.Program{Memory: func() results.Memory { return results.Memory{Bytes: 1 << 20} }}, with(table3, "--results", "other")...)
	little.exits(t, 1, fmt.Sprintf("%d of %d runs failed", n, n), "MiB of memory")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	stopped := invokeWith(ctx, shell.Program{}, with(table3, "--results", "third")...)
	if stopped.code != 1 || !strings.Contains(stopped.err, fmt.Sprintf("interrupted: %d of %d runs are left", n, n)) || exists("third") {
		t.Errorf("%+v", stopped)
	}
	if names, _ := filepath.Glob("*/.*"); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
	if os.Geteuid() != 0 {
		call.OK(t, os.Chmod("results", 0o555))
		if r := invoke(with(table3, "--seeds", "2")...); r.code != 2 || strings.Contains(r.err, "begins") {
			t.Errorf("read-only store: %+v", r)
		}
	}
}

// A figure's runs are those of the table where they are the same, yet leave what the figure shows.
func TestReproduceFigure(t *testing.T) {
	tinyData(t)
	must(t, table3...)
	before := stored(t)
	args := with(table3, "--seeds", "1")
	args[1] = "figure5"
	must(t, args...)
	if !exists("results/figures/figure-5.svg") || !exists("results/figures/figure-5.png") || stored(t) <= before {
		t.Errorf("no pictures, or no runs: %d before, %d now", before, stored(t))
	}
	now := stored(t)
	if r := must(t, args...); stored(t) != now || strings.Contains(r.err, "begins") {
		t.Errorf("it ran again:\n%s", r.err)
	}
}
