package tables

import (
	"testing"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

func TestCosts(t *testing.T) {
	film := sweep.Selection{Datasets: []string{"filmtrust"}, Protocols: []string{"validated"}}
	cost := func(edit func(*results.Record, store.Job)) render.Table {
		var records []results.Record
		for _, j := range spec(1).Jobs(film) {
			r := record(t, j, 0.7)
			edit(&r, j)
			records = append(records, r)
		}
		return Costs(store.NewRuns(records), film)[0]
	}
	table := cost(func(r *results.Record, j store.Job) {
		seed := j.Options.Seed
		r.TrainSeconds, r.EvalSeconds = 20-float64(seed), 1 // the third is the fastest: 18 s
		r.PeakMemoryBytes = (100 + seed) << 20              // the first needs least
		r.Host.Threads = 1
		switch j.Options.Method.Name {
		case "deepwalk":
			r.Host.Threads = int(seed)
		case "node2vec": // each of the grid alone
			if graphs.Own[graphs.Node2vecOptions](j.Options).P == 4 && seed == 2 {
				r.TrainSeconds = 1.26
			}
		case "dgi":
			r.PeakMemoryBytes = 0
		}
	})
	for name, want := range map[string]string{
		"dim=100/DW": "18 s on 3 threads, 101 MiB", "dim=100/node2vec": "2.3 s, 101 MiB", "dim=100/DGI": "18 s", "dim=100/asp2vec": "18 s, 101 MiB",
	} {
		if v := cellOf(t, table, name); v.Text != want || v.N != 3 {
			t.Errorf("%s: %+v, want %q", name, v, want)
		}
	}
	for _, table := range Costs(store.NewRuns(nil), film) {
		for i, v := range table.Rows[0].Values {
			if v != (render.Value{}) {
				t.Errorf("%s of no record: %+v", table.Columns[i], v)
			}
		}
	}
	if all := Costs(store.NewRuns(nil), sweep.Selection{Methods: []string{"camel"}}); all != nil {
		t.Errorf("a method that Table 1 does not have: %v", all)
	}
}
