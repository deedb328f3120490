package runner

import (
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/recordtest"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
)

// The median of the finished runs of the same options counts, then how far one under way has come, then the same of the method on the data set.
func TestTimes(t *testing.T) {
	var known times
	small, large := graphs.Default(), graphs.Default()
	large.Dim *= 5
	at := func(o graphs.Options, seed uint64) place {
		o.Seed = seed
		return placeOf(store.Job{Dataset: "Cora", Protocol: "standard", Options: o})
	}
	expect := func(at place, want float64, what string) {
		t.Helper()
		if got := known.of(at); got < want-.1 || got > want+.1 {
			t.Errorf("%s: %v s, expected %v", what, got, want)
		}
	}
	expect(at(small, 1), 0, "nothing known")
	known.guess(at(large, 1), 3, .1)
	expect(at(large, 2), 30, "a tenth in 3 s")
	expect(at(small, 1), 30, "of other options")
	record := func(dataset string, seconds float64) results.Record {
		r := recordtest.Of(t, dataset, "standard", small, .5, .5)
		r.TrainSeconds, r.EvalSeconds = seconds-1, 1
		return r
	}
	failed := record("Cora", 1000)
	failed.Error = "why"
	for _, r := range []results.Record{record("Cora", 100), record("Cora", 120), record("Cora", 170), record("PPI", 7), failed} {
		known.addRecord(r)
	}
	expect(at(small, 2), 120, "median of three")
	expect(at(large, 2), 30, "that of its own options")
	known.add(at(small, 3), 140)
	expect(at(small, 2), 130, "middle of two")
	known.add(at(large, 3), 600)
	expect(at(large, 2), 600, "ended with its options")
}
