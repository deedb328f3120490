// Package recordtest makes records for tests.
package recordtest

import (
	"testing"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// Of returns the record of a run, with an AUC on the test links and, where the options say that an epoch is chosen, one of that epoch on the
// links that chose it. The checksum of the data is "of " and their name.
func Of(t testing.TB, dataset, protocol string, o graphs.Options, test, choice float64) results.Record {
	t.Helper()
	options := call.Of(results.MarshalOptions(o.Complete()))(t)
	r := results.Record{
		Schema: results.Schema, Method: o.Method.Name, Protocol: protocol, Options: options, Definition: run.Definition(o), Seed: o.Seed,
		Dataset: results.Dataset{Name: dataset, SHA256: "of " + dataset}, Metrics: results.Metrics{"auc": test, "auc_random": test + 0.1},
		BestStage: "asp2vec", BestEpoch: 2, Selection: results.Last, Scoring: o.Scorer(),
		Epochs: []results.Epoch{{Stage: "warm-up", Epoch: 2}, {Stage: "asp2vec", Epoch: 1}, {Stage: "asp2vec", Epoch: 2}},
	}
	r.ScoreDefinition = run.ScoreDefinition(r.Scoring, r.Metrics)
	switch o.Select {
	case graphs.SelectValidation:
		r.Selection, r.Epochs[2].ValidationAUC = results.ValidationBest, &choice
	case graphs.SelectTest:
		r.Selection, r.Epochs[2].TestAUC = results.TestBest, &choice
	}
	return r
}
