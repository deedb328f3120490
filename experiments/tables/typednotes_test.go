package tables

import (
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/results"
)

// The notes of a table whose rows are heterogeneous networks are about ranked targets, not about AUCs of links.
func TestTypedNotes(t *testing.T) {
	s, err := tableOf(t, "datasets: [lastfm, dblp]\nseeds: 1\nmethod: camel\nmetrics: [auc]\nsettings: [{name: Camel}]\n")
	if err != nil {
		t.Fatal(err)
	}
	var records []results.Record
	for _, j := range s.Jobs(sweep.Selection{Protocols: []string{run.StandardProtocol}}) {
		records = append(records, record(t, j, .5))
	}
	tables := s.Table(store.NewRuns(records), sweep.Selection{Protocols: []string{run.StandardProtocol}})
	if len(tables) != 1 || len(tables[0].Rows) != 2 {
		t.Fatalf("tables %+v", tables)
	}
	notes := strings.Join(tables[0].Notes, "\n")
	for _, want := range []string{"For each source, all targets", "A random order of the candidates"} {
		if strings.Count(notes, want) != 1 {
			t.Errorf("not one note with %q:\n%s", want, notes)
		}
	}
	if strings.Contains(notes, "test links") {
		t.Errorf("notes on links:\n%s", notes)
	}
}
