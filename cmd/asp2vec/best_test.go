package main

import (
	"strings"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// What validation likes best is shown with options that train takes, of a store and of a sweep, and in JSON.
func TestResultsBest(t *testing.T) {
	enter(t)
	must(t, "data", "generate", "planted", "--vertices", "80", "--communities", "4", "--mean-degree", "10", "--out", "links.tsv")
	write(t, "s.yaml", "datasets: links.tsv\nprotocol: validated\noptions: {aspects: [2, 3], dim: 4, epochs: 2, warm-up-epochs: 1}\n")
	says(t, must(t, "sweep", "s.yaml").out, "best")
	if r := must(t, "results", "show", "s.yaml"); !strings.Contains(r.out, "aspects=3") || strings.Contains(r.out, "Nothing of this") {
		t.Errorf("%s", r.out)
	}
	type best struct{ Best []store.BestSetting }
	all := answer[best](t, "results", "best").Best
	if len(all) != 1 || all[0].Dataset != "links" || all[0].Compared != 2 || all[0].ChosenOn != "validation" || all[0].Test.N != 1 || all[0].Options["dim"] != "4" {
		t.Fatalf("%+v", all)
	}
	ranked := answer[best](t, "results", "best", "s.yaml", "--top", "5").Best
	if len(ranked) != 2 || ranked[0].Choice.Mean < ranked[1].Choice.Mean || ranked[0].Flags != all[0].Flags {
		t.Errorf("%+v", ranked)
	}
	write(t, "held.yaml", "datasets: links.tsv\noptions: {dim: [4, 8], aspects: 2, hold-out: .1, pairs-per-vertex: 50}\n")
	must(t, "sweep", "held.yaml", "--results", "held") // records have scores that need no training
	if held := answer[best](t, "results", "best", "held.yaml", "--results", "held").Best; len(held) != 1 || held[0].Compared != 2 {
		t.Errorf("%+v: expected one of two settings", held)
	}
	must(t, append([]string{"train", "--network", "links.tsv", "--out", "model", "--results", "results"}, strings.Fields(all[0].Flags)...)...)
	r := must(t, "results", "show", "runs", "--where", "aspects=3", "--sort", "validation")
	if !strings.Contains(r.out, " of 3 records.") || !strings.Contains(r.out, "aspects=3") || strings.Contains(r.out, "aspects=2") {
		t.Errorf("%s", r.out)
	}
	must(t, "figure", "s.yaml", "--out", "p", "--format", "svg,png", "--no-run")
	if svg := read(t, "p/figure-s.svg"); !strings.Contains(svg, "aspects") || strings.Contains(svg, "not run") || !exists("p/figure-s.png") {
		t.Error("no picture of AUC against aspects")
	}
}

// Runs of other code than the program's, and of one edit and another, are told apart.
func TestRunsOfOtherCode(t *testing.T) {
	karate(t)
	train(t, "--split", "split")
	r := call.First(results.ReadStore("results"))(t)[0]
	var lines []byte
	for _, definition := range []string{r.Definition, "aaaaaaaabbbbbbbb", "ccccccccdddddddd"} {
		r.Definition, r.Started = definition, r.Started.Add(time.Second)
		lines = append(lines, call.Of(r.Line())(t)...)
	}
	write(t, "runs.jsonl", string(lines))
	out := must(t, "results", "show", "runs", "--store", "runs.jsonl", "--format", "csv").out
	says(t, out, ",of other code aaaaaaaa\n", ",of other code cccccccc\n")
	if strings.Count(out, "other code") != 2 {
		t.Error(out)
	}
}
