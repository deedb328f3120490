package main

import (
	"math"
	"strings"
	"testing"
)

// Runs that differ in their seed are one row of the table, whose numbers are the mean and the deviation of those of each alone.
func TestEvaluateLabelsTable(t *testing.T) {
	enter(t)
	must(t, "data", "generate", "planted", "--vertices", "100", "--communities", "4", "--memberships", "1", "--mean-degree", "6", "--out", "links.tsv")
	for _, seed := range []string{"1", "2"} {
		must(t, "train", "--network", "links.tsv", "--out", "deep-"+seed, "--method", "deepwalk", "--dim", "4", "--pairs-per-vertex", "30", "--seed", seed)
	}
	must(t, "train", "--network", "links.tsv", "--out", "asp", "--dim", "2", "--aspects", "2", "--pairs-per-vertex", "30")
	common := []string{"--labels", "links.memberships.tsv", "--shares", "0.3,0.6", "--splits", "2"}
	command := func(more ...string) []string {
		return append(append([]string{"evaluate", "labels"}, more...), common...)
	}
	d := decode[evaluationTable[labelsEvaluation]](t, must(t, command("deep-1", "asp", "deep-2", "deep-1/embedding.vec", "--json")...).out)
	if len(d.Models) != 4 || len(d.Tables) != 2 || len(d.Tables[0].Rows) != 4 {
		t.Fatalf("%+v", d)
	}
	var each []labelsEvaluation
	for _, model := range []string{"deep-1", "deep-2"} {
		each = append(each, decode[labelsEvaluation](t, must(t, command("--model", model, "--json")...).out))
	}
	for i, table := range d.Tables {
		row := table.Rows[0]
		for j, v := range row.Values {
			a, b := each[0].Vectors[0].Shares[j].F1.Micro, each[1].Vectors[0].Shares[j].F1.Micro
			if i == 1 {
				a, b = each[0].Vectors[0].Shares[j].F1.Macro, each[1].Vectors[0].Shares[j].F1.Macro
			}
			if row.Label != "deepwalk, final (4)" || v.N != 2 || math.Abs(v.Mean-(a+b)/2) > 1e-12 || math.Abs(v.SD-math.Abs(a-b)/math.Sqrt2) > 1e-12 {
				t.Errorf("%s, %s: %+v of %v and %v", table.Name, row.Label, v, a, b)
			}
		}
		if got := table.Rows[2].Label; got != "deep-1/embedding.vec, final (4)" || table.Rows[3].Label != "frequent labels" {
			t.Errorf("row %q", got)
		}
	}
	if out := must(t, command("deep-1", "asp", "--format", "markdown")...).out; !strings.Contains(out, "| asp2vec, final (2) |") || !strings.Contains(out, "Macro F1") {
		t.Error(out)
	}
	clusters := func(more ...string) []string {
		return append(append([]string{"evaluate", "clustering"}, more...), "--labels", "links.memberships.tsv", "--runs", "2")
	}
	k := decode[evaluationTable[clusteringEvaluation]](t, must(t, clusters("deep-1", "asp", "deep-2", "--json")...).out)
	var nmi []float64
	for _, model := range []string{"deep-1", "deep-2"} {
		nmi = append(nmi, decode[clusteringEvaluation](t, must(t, clusters(model, "--json")...).out).Vectors[0].NMI)
	}
	if len(k.Tables) != 1 || len(k.Tables[0].Rows) != 2 || len(k.Models) != 3 {
		t.Fatalf("%+v", k)
	}
	if row := k.Tables[0].Rows[0]; row.Label != "deepwalk, final (4)" || row.Values[0].N != 2 || math.Abs(row.Values[0].Mean-(nmi[0]+nmi[1])/2) > 1e-12 {
		t.Errorf("%+v of %v", row, nmi)
	}
	if out := must(t, clusters("deep-1", "asp", "--format", "markdown")...).out; !strings.Contains(out, "| asp2vec, final (2) |") || !strings.Contains(out, "of the tightest") {
		t.Error(out)
	}
}
