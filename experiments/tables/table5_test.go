package tables

import (
	"math"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/results"
)

// Cells are means over seeds of the metric of their column, and a run without it is told of.
func TestAuthorTableCells(t *testing.T) {
	s := sweep.Scope{Protocols: []string{"validated"}, Methods: []string{"camel"}, Dims: []int{200}}
	spec, _ := findSpec("table5")
	var records []results.Record
	for i, j := range spec.Jobs(s) {
		r := record(t, j, 0.9)
		r.Metrics = results.Metrics{"auc": 0.9, "recall@5": 0.5 + 0.1*float64(i), "recall@10": 0.7, "f1@5": 0.3, "f1@10": 0.2, "recall@1": 1}
		if i == 1 {
			r.Metrics["f1@10"] = math.NaN()
			delete(r.Metrics, "auc")
		}
		records = append(records, r)
	}
	table := spec.Table(store.NewRuns(records), s)[0]
	row := table.Rows[0]
	if row.Label != "dim=200/Camel" || len(row.Values) != 5 || len(table.Rows) != 1 {
		t.Fatalf("%+v", table)
	}
	recall, f1, auc := row.Values[0], row.Values[3], row.Values[4]
	if math.Abs(recall.Mean-0.6) > 1e-12 || math.Abs(recall.SD-0.1) > 1e-12 || recall.N != 3 || recall.Printed != "0.5774" || recall.Outside {
		t.Errorf("Recall@5: %+v", recall)
	}
	if f1.N != 2 || auc.N != 2 || auc.Mean != 0.9 || *auc.Paper != 0.9021 {
		t.Errorf("F1@10 %+v, AUC %+v", f1, auc)
	}
	if notes := strings.Join(table.Notes, "\n"); !strings.Contains(notes, "Left out: 2 scores") {
		t.Errorf("notes %s", notes)
	}
}

// Table 6 says how far the aspects of each row lie apart, and marks rows whose aspects are alike.
func TestAspectsApart(t *testing.T) {
	s := sweep.Scope{Protocols: []string{"standard"}, Seeds: 2}
	spec, _ := findSpec("table6")
	spreads := map[any]float64{"author": 0.05, "paper": 9.3, "both": 4.9}
	var records []results.Record
	for _, j := range spec.Jobs(s) {
		r := record(t, j, 0.9)
		context, _ := j.Options.Get("aspect-context")
		r.AspectSpread = new(results.Float(spreads[context]))
		records = append(records, r)
	}
	table := spec.Table(store.NewRuns(records), s)[0]
	var labels []string
	for _, r := range table.Rows {
		labels = append(labels, r.Label)
	}
	if got := strings.Join(labels, ", "); got != "context=Author (aspects alike), context=Paper, context=Author+Paper" {
		t.Errorf("rows %s", got)
	}
	if notes := strings.Join(table.Notes, "\n"); !strings.Contains(notes, "context=Author 0.05, context=Paper 9.3, context=Author+Paper 4.9") {
		t.Errorf("notes %s", notes)
	}
}
