package main

import (
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/demo"
	"github.com/asp2vec/asp2vec/results"
)

func TestHetDemoReport(t *testing.T) {
	metrics := func(x float64) results.Metrics {
		return results.Metrics{"recall@5": x, "recall@10": 2 * x, "auc": 3 * x}
	}
	r := &demo.HetDemoResult{
		HetDemoOptions: demo.DefaultHetDemo(1), Authors: 599, Train: 1600, Reported: 199, Random: metrics(.05), Topics: metrics(.31),
		Runs: []demo.HetDemoMethod{
			{Name: "camel", Dim: 40, Aspects: 1, Metrics: metrics(.29), Epoch: 3, Seconds: 1.5},
			{Name: "asp2vec-het", Dim: 8, Aspects: 5, Metrics: metrics(.3), Epoch: 7, Seconds: 2.5},
		},
	}
	var b printout
	if hetDemoReport(&b, r); b.err != nil {
		t.Fatal(b.err)
	}
	lines := strings.Split(b.String(), "\n")
	for _, want := range []string{
		"a random order 0.0500 0.1000 0.1500", "Camel 1 of 40 dimensions 0.2900 0.5800 0.8700 3 1.5 s", "asp2vec-het 5 of 8 dimensions 0.3000 0.6000 0.9000 7 2.5 s",
		"by the true topics 0.3100 0.6200 0.9300",
	} {
		found := false
		for _, line := range lines {
			found = found || strings.Join(strings.Fields(line), " ") == want
		}
		if !found {
			t.Errorf("no line %q in\n%s", want, b.String())
		}
	}
	if !strings.Contains(b.String(), "asp2vec predict --model run") {
		t.Errorf("nothing on identify in\n%s", b.String())
	}
}
