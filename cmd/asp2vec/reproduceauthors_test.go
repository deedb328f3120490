package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// Tables of links and of authors each take the data sets that they are of.
func TestReproduceAuthors(t *testing.T) {
	tinyData(t)
	library(t)
	if err := os.CopyFS("data/dblp", os.DirFS("papers")); err != nil {
		t.Fatal(err)
	}
	type plan struct {
		Runs []struct {
			Dataset, Method, Problem string
			Seed                     uint64
		}
	}
	runs := func(args ...string) (all []string) {
		for _, r := range decode[plan](t, must(t, append(append([]string{"reproduce"}, args...), "--dry-run", "--json", "--protocol", "paper")...).out).Runs {
			if r.Problem != "" || r.Dataset == "DBLP" != slices.Contains([]string{"m2v++", "camel", "tapem", "asp2vec-het"}, r.Method) {
				t.Errorf("%v: %+v", args, r)
			}
			all = append(all, r.Dataset)
		}
		slices.Sort(all)
		return all
	}
	if got := runs("table5", "--seeds", "2"); len(got) != 16 || got[0] != "DBLP" {
		t.Errorf("table5: %v", got)
	}
	if got := runs("table6"); len(got) != 15 { // five seeds
		t.Errorf("table6: %v", got)
	}
	if got := runs("table3", "table6", "figure5", "--seeds", "1"); slices.Index(got, "Filmtrust") != 3 {
		t.Errorf("of both kinds: %v", got)
	}
	if got := runs("figure5", "table6", "--datasets", "dblp", "--seeds", "1"); len(got) != 3 {
		t.Errorf("of dblp: %v", got)
	}
	if r := invoke("reproduce", "table3", "--datasets", "dblp"); r.code != 2 || !strings.Contains(r.err, "--datasets dblp: table3 has no such rows") {
		t.Errorf("%+v", r)
	}

	// One row, run and shown; the second time it is there.
	args := []string{"reproduce", "table5", "--methods", "m2v++", "--dims", "5", "--seeds", "1", "--protocol", "validated"}
	first := must(t, args...)
	for _, want := range []string{"titles of papers. The paper uses abstracts", "dim=5/M2V++", "Recall@10", "One seed per cell"} {
		if !strings.Contains(first.out, want) {
			t.Errorf("no %q in\n%s", want, first.out)
		}
	}
	records, _, err := results.ReadStore("results")
	if err != nil || len(records) != 1 || records[0].Dataset.Name != "DBLP" || len(records[0].Metrics) != 16 {
		t.Fatalf("%d records, %v; the first has %v", len(records), err, records[0].Metrics)
	}
	type event struct {
		Event  string
		Tables []render.Table
	}
	lines := strings.Split(strings.TrimSpace(must(t, append(args, "--json")...).out), "\n")
	last := decode[event](t, lines[len(lines)-1])
	rows := last.Tables[0].Rows
	if i := slices.IndexFunc(rows, func(r render.Row) bool { return r.Label == "dim=5/M2V++" }); i < 0 || rows[i].Values[1].N != 1 || rows[i].Values[1].Mean != records[0].Metrics["recall@10"] {
		t.Errorf("%+v, expected %v", rows, records[0].Metrics)
	}
	if slices.ContainsFunc(lines, func(line string) bool { return decode[runner.Event](t, line).Event == "start" }) {
		t.Error("a run that was there was repeated")
	}
	if shown := must(t, "results", "show", "table5", "--dims", "5", "--datasets", "dblp", "--methods", "m2v++").out; !strings.Contains(shown, auc(records[0].Metrics["auc"]).String()[1:]) {
		t.Errorf("%s", shown)
	}
}
