// Package recordtest makes records for tests.
package recordtest

import (
	"testing"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// Of returns the record of a run, with an AUC on the test links and, where the options say that an epoch is chosen, one of that epoch on the
// links that chose it. The checksum of the data is "of " and their name.
func Of(t testing.TB, dataset, protocol string, o graphs.Options, test, choice float64) results.Record {
	t.Helper()
	options, err := results.MarshalOptions(o.Complete())
	if err != nil {
		t.Fatal(err)
	}
	r := results.Record{
		Schema: results.Schema, Method: o.Method.Name, Protocol: protocol, Options: options, Definition: run.Definition(o), Seed: o.Seed,
		Dataset: results.Dataset{Name: dataset, SHA256: "of " + dataset}, Metrics: results.Metrics{"auc": test, "auc_random": test + 0.1},
		BestStage: "asp2vec", BestEpoch: 2, Selection: results.Last, Scoring: o.Scorer(),
		Epochs: []results.Epoch{{Stage: "warm-up", Epoch: 2}, {Stage: "asp2vec", Epoch: 1}, {Stage: "asp2vec", Epoch: 2}},
	}
	switch o.Select {
	case graphs.SelectValidation:
		r.Selection, r.Epochs[2].ValidationAUC = results.ValidationBest, &choice
	case graphs.SelectTest:
		r.Selection, r.Epochs[2].TestAUC = results.TestBest, &choice
	}
	return r
}

// Scored returns records of runs with some AUCs on test links, the first of seed 1, of which nothing else is known. Their options are those
// of a method under a protocol, whose defaults are base's, with a change; nil for none.
func Scored(t testing.TB, dataset, protocol, method string, base graphs.Protocol, change func(*graphs.Options), scores ...float64) (all []results.Record) {
	t.Helper()
	o, err := methods.Options(method, base)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&o)
	}
	for i, auc := range scores {
		o.Seed = uint64(i + 1)
		r := results.Record{Method: method, Protocol: protocol, Definition: run.Definition(o), Seed: o.Seed, Metrics: results.Metrics{"auc": auc}, Scoring: o.Scorer()}
		r.Dataset.Name, r.Dataset.SHA256 = dataset, "of "+dataset
		if r.Options, err = results.MarshalOptions(o.Complete()); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}
