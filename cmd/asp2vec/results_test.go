package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/results/render"
)

// measured returns the path of the committed records; enter leaves the folder that it is relative to.
func measured(t *testing.T) string {
	t.Helper()
	return call.Of(filepath.Abs("../../results/measured/runs.jsonl"))(t)
}

func TestResultsShow(t *testing.T) {
	golden.StillPaper(t)
	store := measured(t)
	enter(t)
	film := []string{"results", "show", "table3", "--store", store, "--datasets", "filmtrust,PPI", "--protocol", "paper"}
	r := must(t, film...)
	says(t, r.out, "table3-paper", ".7431 ± .0033", ".7426 (+.0005)", ".8865 ± .0004", "Softmax, perturbed")
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
		says(t, must(t, append(film, "--format", format)...).out, "Filmtrust")
	}
	says(t, must(t, append(film, "--seeds", "1", "--format", "csv")...).out, "Filmtrust,Gumbel-Softmax,0.740876,,1,0.7426,")
	if tables := answer[[]render.Table](t, film...); len(tables) != 1 || tables[0].Rows[0].Values[1].N != 3 {
		t.Errorf("%+v", tables)
	}
	// All of them in one file of one heading.
	lines, err := csv.NewReader(strings.NewReader(must(t, "results", "show", "all", "--store", store, "--datasets", "cora", "--protocol", "all", "--format", "csv").out)).ReadAll()
	if err != nil || len(lines) < 70 {
		t.Errorf("%d lines, %v", len(lines), err)
	}
	says(t, must(t, "results", "show", "--store", store).out, "table10", "Softmax and Gumbel-Softmax")
	// What needs no runs needs no store.
	if r := must(t, "results", "show", "table5", "table8"); !strings.Contains(r.out, "asp2vec-het") || !strings.Contains(r.out, "CiaoDVD") || !strings.Contains(r.err, "no store yet") {
		t.Errorf("%+v", r)
	}
}

func TestResultsExport(t *testing.T) {
	golden.StillPaper(t)
	store := measured(t)
	enter(t)
	args := []string{"results", "export", "--out", "deep/tables", "--store", store, "--datasets", "cora,filmtrust"}
	type doc struct {
		Out   string
		Files []string
	}
	d := answer[doc](t, append(args, "--protocol", "all")...)
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
	says(t, read(t, "deep/tables/table1-paper.tex"), `.7431 $\pm$ .0033`, `\toprule`)
	if one := decode[render.Table](t, read(t, "deep/tables/table4-validated.json")); len(one.Rows) != 2 {
		t.Errorf("%+v", one)
	}
	before := read(t, "deep/tables/table9-paper.csv")
	if r := answer[doc](t, append(args, "--force", "--protocol", "paper")...); len(r.Files) != 40 || exists("deep/tables/table9-validated.csv") || read(t, "deep/tables/table9-paper.csv") != before {
		t.Errorf("%+v", r)
	}
	if r := must(t, "results", "export", "--out", "other", "--store", store, "--datasets", "ppi"); !strings.HasPrefix(r.out, fmt.Sprintf("%d tables in %d formats", 8, 5)) {
		t.Errorf("%s", r.out)
	}
}
