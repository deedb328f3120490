package tables

import (
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// held returns the record of a run that was only to choose: it has no score of the test links.
func held(t *testing.T, j store.Job, validation float64) results.Record {
	t.Helper()
	r := record(t, j, 0)
	r.Metrics = results.Metrics{run.ValidationAUC: validation, run.ValidationAUC + "_random": validation}
	return others(r, j, results.Metrics{run.ValidationAUC: validation - 0.1, run.ValidationAUC + "_matched": validation})
}

// others gives a record the metrics of the scores that its job wants beside its own.
func others(r results.Record, j store.Job, metrics results.Metrics) results.Record {
	for _, score := range j.AllScores()[1:] {
		r.AddScore(results.Scored{Score: score, Metrics: metrics})
	}
	return r
}

// Under the standard protocol node2vec's p and q are chosen once, by links held out under the first seed, and the runs that
// stand in the cell are those of the chosen ones on all training links.
func TestNode2vecIsChosenByHeldOutLinks(t *testing.T) {
	const seeds, chosen = 3, 4
	s := sweep.Scope{Datasets: []string{"filmtrust"}, Methods: []string{"node2vec"}, Seeds: seeds, Protocols: []string{"standard"}}
	spec, _ := findSpec("table1")
	var try []store.Job
	full := map[uint64][]store.Job{}
	for _, j := range spec.Jobs(s) {
		if j.Options.HoldOut > 0 {
			if j.Options.HoldOut != run.HoldOutFraction || j.Options.Seed != store.FirstSeed || len(full) > 0 {
				t.Errorf("%+v, after %d others", j, len(full))
			}
			try = append(try, j)
		} else {
			full[j.Options.Seed] = append(full[j.Options.Seed], j)
		}
	}
	if len(try) != 9 || len(full) != seeds || len(full[1]) != 9 || len(full[3]) != 9 {
		t.Fatalf("%d runs choose among %v", len(try), full)
	}
	show := func(records []results.Record) render.Value {
		return cellOf(t, spec.Table(store.NewRuns(records), s)[0], "dim=100/node2vec")
	}
	left := func(records []results.Record) (all []store.Job) {
		runs := store.NewRuns(records)
		for _, j := range spec.Jobs(s) {
			if !runs.NeedsNoRun(j) {
				all = append(all, j)
			}
		}
		return all
	}
	var records []results.Record
	for i, j := range try {
		score := 0.7
		if i == chosen {
			score = 0.8
		}
		if runs := store.NewRuns(records); runs.NeedsNoRun(j) || len(store.Deciders(j)) != 0 {
			t.Errorf("%+v is needless, or waits for %d runs", j, len(store.Deciders(j)))
		}
		records = append(records, held(t, j, score))
	}
	if v, n := show(records[:8]), len(left(records[:8])); v.N != 0 || n != 1+9*seeds {
		t.Errorf("amid the choice: cell %+v, %d runs left", v, n)
	}
	if v, jobs := show(records), left(records); v.N != 0 || len(jobs) != seeds {
		t.Errorf("after the choice: cell %+v, %d runs left", v, len(jobs))
	} else {
		for i, j := range jobs {
			if j.Key() != full[uint64(i+1)][chosen].Key() {
				t.Errorf("left: %+v", j)
			}
		}
	}
	failed := slices.Clone(records)
	failed[chosen].Error = "no memory"
	if runs := store.NewRuns(failed); runs.NeedsNoRun(full[2][0]) || !runs.NeedsNoRun(full[2][1]) {
		t.Error("one of the grid failed: the first of those alike is not the choice")
	}
	for seed, jobs := range full {
		for i, j := range jobs {
			if d := store.Deciders(j); len(d) != 9 || d[0].Key() != try[0].Key() || d[len(d)-1].Key() != try[8].Key() {
				t.Errorf("%+v waits for %+v", j, d)
			}
			if seed == 2 || i != chosen {
				records = append(records, record(t, j, 0.99)) // of no say
			}
		}
	}
	if v := show(records); v.N != 1 || !near(v.Mean, 0.99) {
		t.Errorf("the chosen one under seed 2 alone: %+v", v)
	}
	records = append(records, record(t, full[1][chosen], 0.6), record(t, full[3][chosen], 0.7))
	if v, n := show(records), len(left(records)); v.N != 3 || !near(v.Mean, (0.6+0.99+0.7)/3) || n != 0 {
		t.Errorf("cell %+v, %d runs left", v, n)
	}
}

// A table that is not whole says so, and names the command that fills it, against the negatives that it is of.
func TestFilled(t *testing.T) {
	p := &projection{File: sweep.Paper("table1"), protocol: "standard", negatives: "matched"}
	cells := []render.Value{{N: 3}, {N: 1}, {}}
	for _, c := range []struct {
		rows []render.Row
		want string
	}{
		{[]render.Row{{Values: cells}, {Label: "Flickr", Values: cells[2:]}}, "2 of 4 cells are filled, 1 of them with fewer than 3 seeds, none of Flickr; asp2vec reproduce table1 --protocol standard --negatives matched does"},
		{[]render.Row{{Values: cells[:2]}}, "2 of 2 cells are filled, 1 of them with fewer than 3 seeds; asp2vec"},
		{[]render.Row{{Label: "Flickr", Values: cells[2:]}}, "0 of 1 cells are filled; asp2vec"},
	} {
		if got := p.filled(c.rows, 3); !strings.HasPrefix(got, c.want) {
			t.Errorf("%q: expected %q", got, c.want)
		}
	}
	if got := p.filled([]render.Row{{Values: cells[:1]}}, 3); got != "" {
		t.Errorf("%q of a whole table", got)
	}
}
