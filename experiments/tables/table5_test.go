package tables

import (
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/results"
)

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
