package runner

import (
	"testing"

	"github.com/asp2vec/asp2vec/results"
)

// The median of the finished runs of a method on a data set counts, else how far the one under way has come.
func TestTimes(t *testing.T) {
	var known times
	cora := place{"asp2vec", "Cora"}
	if got := known.of(cora); got != 0 {
		t.Errorf("nothing known: %v s", got)
	}
	known.guess(cora, 3, .1)
	if got := known.of(cora); got < 29.9 || got > 30.1 {
		t.Errorf("a tenth in 3 s: %v s in all, expected 30", got)
	}
	record := func(dataset string, seconds float64) results.Record {
		return results.Record{Method: "asp2vec", Dataset: results.Dataset{Name: dataset}, TrainSeconds: seconds - 1, EvalSeconds: 1}
	}
	failed := record("Cora", 1000)
	failed.Error = "why"
	for _, r := range []results.Record{record("Cora", 100), record("Cora", 120), record("Cora", 170), record("PPI", 7), failed} {
		known.addRecord(r)
	}
	if got := known.of(cora); got != 120 {
		t.Errorf("%v s, expected the median of three", got)
	}
	if known.add(cora, 140); known.of(cora) != 130 {
		t.Errorf("%v s, expected the middle of two", known.of(cora))
	}
}
