package main

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
)

// A method without epochs is told of as what it is: no epochs, no speed, the numbers that it has, and no graph to check.
func TestMethodWithoutEpochs(t *testing.T) {
	enter(t)
	must(t, "data", "generate", "planted", "--vertices", "60", "--communities", "3", "--out", "net")
	r := must(t, "train", "--network", "net/edges.tsv.gz", "--method", "prone", "--dim", "8", "--results", "", "--out", "run")
	if strings.Contains(r.out, "epoch") || strings.Contains(r.out, "speed") || strings.Contains(r.err, "epoch") {
		t.Errorf("train says %s%s", r.err, r.out)
	}
	if record := read(t, "run/record.json"); !strings.Contains(record, `"count": 480`) || strings.Contains(record, "learning-rate") {
		t.Errorf("record %s", record)
	}
	if out := must(t, "check", "--method", "prone").out; !strings.Contains(out, "there is no graph to check") {
		t.Errorf("check says %s", out)
	}
	refused(t, "epochs", []string{"train", "--network", "net/edges.tsv.gz", "--method", "prone", "--epochs", "3"}, "prone has no such option")
}

// What methods prints as YAML is a sweep of that run.
func TestMethodAsSweep(t *testing.T) {
	enter(t)
	args := []string{"methods", "splitter", "dim=7", "--format", "yaml"}
	text := must(t, args...).out
	write(t, "sweep.yaml", text)
	plan := must(t, "sweep", "sweep.yaml", "--dry-run", "--full").out
	if !strings.Contains(plan, "splitter") || strings.Contains(text, "features:") || !strings.Contains(text, "dim: 7\n") {
		t.Errorf("%s\n%s", text, plan)
	}
	o, err := methods.Options(graphs.MethodSplitter, graphs.Standard)
	if err != nil {
		t.Fatal(err)
	}
	want, got := map[string]any{}, decode[struct{ Options map[string]any }](t, must(t, append(args, "--json")...).out).Options
	o.Dim = 7
	recorded, err := json.Marshal(o.Complete())
	if err != nil || json.Unmarshal(recorded, &want) != nil {
		t.Fatal(err)
	}
	delete(want, "method")
	delete(want, "seed")
	if !maps.Equal(got, want) {
		t.Errorf("options %v, expected %v", got, want)
	}
}

// Parameters are counted on a network. How many features a file has is not for the paper's formula to know: no number, rather than 0.
func TestParameterCounts(t *testing.T) {
	karate(t)
	write(t, "features", "1 0 2\n2 1\n")
	type doc struct {
		Methods []parameterCount
	}
	count := func(args ...string) []parameterCount {
		t.Helper()
		return decode[doc](t, must(t, append([]string{"methods", "--network", "karate.tsv", "--json"}, args...)...).out).Methods
	}
	if got := count("dgi", "dim=4"); len(got) != 1 || got[0].Paper != 34*4+4*4+4+2 {
		t.Errorf("%+v", got)
	}
	if got := count("dgi", "dim=4", "features=features"); len(got) != 1 || got[0].Paper != 0 || got[0].Count == 0 {
		t.Errorf("with features: %+v", got)
	}
	if got := count(); len(got) != len(methods.OnLinks()) {
		t.Errorf("all methods: %+v", got)
	}
}
