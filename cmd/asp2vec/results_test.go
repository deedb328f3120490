package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// measured returns the path of the committed records; enter leaves the folder that it is relative to.
func measured(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs("../../results/measured/runs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestResultsShow(t *testing.T) {
	store := measured(t)
	enter(t)
	film := []string{"results", "show", "table3", "--store", store, "--datasets", "filmtrust,PPI", "--protocol", "paper"}
	r := must(t, film...)
	for _, want := range []string{"table3-paper", ".7431 ± .0033", ".7426 (+.0005)", ".8865 ± .0004", "Softmax, perturbed"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in\n%s", want, r.out)
		}
	}
	if r.err != "" || strings.Contains(r.out, "Cora") || strings.Contains(r.out, "validated") {
		t.Errorf("%+v", r)
	}
	// The same from a folder of stores, and as the folder of results.
	for _, args := range [][]string{{"--store", filepath.Dir(store)}, {"--results", filepath.Dir(store)}} {
		if again := must(t, slices.Concat(film[:3], film[5:], args)...); again.out != r.out {
			t.Errorf("%v: %s", args, again.out)
		}
	}
	for _, format := range render.Formats() {
		if r := must(t, append(film, "--format", format)...); !strings.Contains(r.out, "Filmtrust") {
			t.Errorf("%s: %s", format, r.out)
		}
	}
	if r := must(t, append(film, "--seeds", "1", "--format", "csv")...); !strings.Contains(r.out, "Filmtrust,Gumbel-Softmax,0.740876,,1,0.7426,") {
		t.Errorf("one seed: %s", r.out)
	}
	if tables := decode[[]render.Table](t, must(t, append(film, "--json")...).out); len(tables) != 1 || tables[0].Rows[0].Values[1].N != 3 {
		t.Errorf("%+v", tables)
	}
	// All of them in one file of one heading.
	lines, err := csv.NewReader(strings.NewReader(must(t, "results", "show", "all", "--store", store, "--datasets", "cora", "--format", "csv").out)).ReadAll()
	if err != nil || len(lines) < 70 {
		t.Errorf("%d lines, %v", len(lines), err)
	}
	if r := must(t, "results", "show", "--store", store); !strings.Contains(r.out, "table10") || !strings.Contains(r.out, "Softmax and Gumbel-Softmax") {
		t.Errorf("overview: %s", r.out)
	}
	// What needs no runs needs no store.
	if r := must(t, "results", "show", "table5", "table8"); !strings.Contains(r.out, "asp2vec-het") || !strings.Contains(r.out, "CiaoDVD") || !strings.Contains(r.err, "no store yet") {
		t.Errorf("%+v", r)
	}
}

func TestResultsShowRuns(t *testing.T) {
	store := measured(t)
	enter(t)
	records, _, err := results.ReadStore(store)
	if err != nil {
		t.Fatal(err)
	}
	of := 0
	for _, r := range records {
		if r.Dataset.Name == "ca-HepTh" && r.Protocol == "paper" {
			of++
		}
	}
	r := must(t, "results", "show", "runs", "--store", store, "--datasets", "ca-hepth", "--protocol", "paper")
	for _, want := range []string{"asp2vec", "ca-HepTh", "0.9008", "0.9262", "c60daf9b", fmt.Sprintf("%s of %s records.", count(of), count(len(records)))} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in\n%s", want, r.out)
		}
	}
	failed, stopped := records[0], records[1]
	failed.Error, stopped.Interrupted = "out of luck", true
	for _, r := range []results.Record{failed, stopped, records[3]} {
		if err := r.Append("results/runs.jsonl"); err != nil {
			t.Fatal(err)
		}
	}
	r = must(t, "results", "show", "runs")
	for _, want := range []string{"failed: out of luck", "interrupted", "3 of 3 records."} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in\n%s", want, r.out)
		}
	}
	if r := must(t, "results", "show", "runs", "--methods", "dgi"); !strings.Contains(r.out, "0 of 3 records.") {
		t.Errorf("%s", r.out)
	}
}

// What is wrong with a store is told on standard error; the rest of it is shown, and the store is left as it was.
func TestResultsOfABadStore(t *testing.T) {
	store := measured(t)
	enter(t)
	whole := read(t, store)
	lines := strings.SplitAfter(whole, "\n")
	other := strings.Replace(lines[0], `"auc":0.74`, `"auc":0.73`, 1)
	foreign := strings.Replace(lines[1], `"epsilon":0.5`, `"epsilon":"half"`, 1)
	newer := strings.Replace(lines[2], `{"schema":1`, `{"schema":99`, 1)
	if other == lines[0] || foreign == lines[1] || newer == lines[2] {
		t.Fatal("the records are not as this test takes them to be")
	}
	text := other + whole + foreign + newer + "no json\n" + lines[3][:200]
	write(t, "bad.jsonl", text)
	show := []string{"results", "show", "table10", "--datasets", "filmtrust", "--store"}
	r := must(t, append(show, "bad.jsonl")...)
	good := strings.Count(whole, "\n") // after one line of another run, and before one of options that nobody knows
	for _, want := range []string{
		"schema 99", fmt.Sprintf("bad.jsonl:%d", good+3), fmt.Sprintf("bad.jsonl:%d", good+4), "contradict each other", "other=0.73", "options that this version does not know",
	} {
		if !strings.Contains(r.err, want) {
			t.Errorf("no %q in\n%s", want, r.err)
		}
	}
	if good := must(t, append(show, store)...); good.out != r.out || good.err != "" {
		t.Errorf("shows\n%s\nwant\n%s", r.out, good.out)
	}
	if read(t, "bad.jsonl") != text {
		t.Error("the store was changed")
	}
	write(t, "torn.jsonl", strings.Repeat("torn\n", 15))
	if r := must(t, append(show, "torn.jsonl")...); strings.Count(r.err, "is left out") != 10 || !strings.Contains(r.err, "lines=5") {
		t.Errorf("many lines: %s", r.err)
	}
}

func TestResultsExport(t *testing.T) {
	store := measured(t)
	enter(t)
	args := []string{"results", "export", "--out", "deep/tables", "--store", store, "--datasets", "cora,filmtrust", "--json"}
	type doc struct {
		Out   string
		Files []string
	}
	d := decode[doc](t, must(t, args...).out)
	if len(d.Files) != 90 { // 5 tables of three protocols and 3 others, in 5 formats
		t.Errorf("%d files", len(d.Files))
	}
	entries, err := os.ReadDir("deep/tables")
	if err != nil || len(entries) != len(d.Files) {
		t.Errorf("%d files in the folder, %v", len(entries), err)
	}
	for _, name := range d.Files {
		if read(t, filepath.Join(d.Out, name)) == "" {
			t.Errorf("%s is empty", name)
		}
	}
	if text := read(t, "deep/tables/table1-paper.tex"); !strings.Contains(text, `.7431 $\pm$ .0033`) || !strings.Contains(text, `\toprule`) {
		t.Errorf("%s", text)
	}
	if one := decode[render.Table](t, read(t, "deep/tables/table4-validated.json")); len(one.Rows) != 2 {
		t.Errorf("%+v", one)
	}
	before := read(t, "deep/tables/table9-paper.csv")
	if r := must(t, append(args, "--force", "--protocol", "paper")...); len(decode[doc](t, r.out).Files) != 40 || exists("deep/tables/table9-validated.csv") || read(t, "deep/tables/table9-paper.csv") != before {
		t.Errorf("%+v", r)
	}
	if r := must(t, "results", "export", "--out", "other", "--store", store, "--datasets", "ppi"); !strings.HasPrefix(r.out, fmt.Sprintf("%d tables in %d formats", 18, 5)) {
		t.Errorf("%s", r.out)
	}
}
