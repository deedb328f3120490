package main

import (
	"strings"
	"testing"
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
	says(t, must(t, "check", "--method", "prone").out, "there is no graph to check")
	refused(t, "epochs", []string{"train", "--network", "net/edges.tsv.gz", "--method", "prone", "--epochs", "3"}, "prone has no such option")
}

// The list of methods has the scores and metrics of links too; a method has its options alone.
func TestMethods(t *testing.T) {
	out := must(t, "methods").out
	says(t, out, "asp2vec-het", "neighbourhood", "hits@")
	if one := must(t, "methods", "splitter", "dim=7").out; !strings.Contains(one, "dim 7") || strings.Contains(one, "neighbourhood") {
		t.Error(one)
	}
}
