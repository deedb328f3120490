package tables

import (
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/results"
)

// A baseline that is the same for all seeds is one number, and one that depends on them a mean.
func TestUntrained(t *testing.T) {
	of := func(x float64) results.Metrics { return results.Metrics{"auc": x} }
	rows := untrained([]string{"AUC"}, map[string]map[uint64]results.Metrics{
		run.BaselineTFIDF:     {1: of(.5), 2: of(.5), 3: of(.5)},
		run.BaselineWordMeans: {1: of(.6), 3: of(.8)},
	})
	if len(rows) != 2 {
		t.Fatalf("%+v: expected two rows", rows)
	}
	if v := rows[0].Values[0]; v.Mean != .5 || v.N != 1 {
		t.Errorf("the same for all seeds: %+v", v)
	}
	if v := rows[1].Values[0]; math.Abs(v.Mean-.7) > 1e-12 || v.N != 2 || math.Abs(v.SD-math.Sqrt(.02)) > 1e-12 {
		t.Errorf("of two seeds: %+v", v)
	}
}
