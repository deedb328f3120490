package tables

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// cellOf returns a cell of a table's first row, by its heading.
func cellOf(t *testing.T, table render.Table, heading string) render.Value {
	t.Helper()
	j := slices.Index(table.Columns, heading)
	if j < 0 {
		t.Fatalf("no column %q in %v", heading, table.Columns)
	}
	return table.Rows[0].Values[j]
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestCells(t *testing.T) {
	film := sweep.Scope{Datasets: []string{"filmtrust"}, Protocols: []string{"paper"}}
	spec, _ := findSpec("table3")
	jobs := spec.Jobs(film)
	with := func(edit func(j store.Job, seed uint64) (results.Record, bool)) render.Table {
		var records []results.Record
		for _, j := range jobs {
			if r, ok := edit(j, j.Options.Seed); ok {
				records = append(records, r)
			}
		}
		return spec.Table(store.NewRuns(records), film)[0]
	}
	plain := func(j store.Job) bool {
		return j.Options.WarmUp && j.Options.AspectNoise == 0 && j.Options.Lambda > 0
	}
	// Softmax .5, .6, .7 and Gumbel-Softmax .6, .66, with no third seed: gains of 20 % and 10 %.
	table := with(func(j store.Job, seed uint64) (results.Record, bool) {
		if j.Options.Selection == "softmax" {
			return record(t, j, 0.4+0.1*float64(seed)), plain(j)
		}
		return record(t, j, 0.54+0.06*float64(seed)), plain(j) && seed < 3
	})
	v := cellOf(t, table, "Softmax")
	if !near(v.Mean, 0.6) || !near(v.SD, 0.1) || v.N != 3 || !v.Outside || *v.Paper != 0.6421 {
		t.Errorf("softmax: %+v", v)
	}
	v = cellOf(t, table, "Improvement, %")
	if !near(v.Mean, 15) || !near(v.SD, 10/math.Sqrt2) || v.N != 2 || v.Outside || *v.Paper != 15.65 {
		t.Errorf("improvement: %+v", v)
	}
	if v = cellOf(t, table, "Softmax, no warm-up"); v != (render.Value{}) {
		t.Errorf("never run: %+v", v)
	}
	// At the edge of the band, and what has none.
	for _, c := range []struct {
		auc  float64
		want bool
	}{{0.7426 + 0.0149, false}, {0.7426 - 0.0149, false}, {0.7426 + 0.0151, true}, {0.7426 - 0.0151, true}} {
		table := with(func(j store.Job, seed uint64) (results.Record, bool) { return record(t, j, c.auc), seed == 1 })
		if v := cellOf(t, table, "Gumbel-Softmax"); v.Outside != c.want || v.N != 1 || v.SD != 0 {
			t.Errorf("AUC %v: %+v", c.auc, v)
		}
		if v := cellOf(t, table, "Gumbel-Softmax, no reg_asp"); v.Outside || v.Paper != nil {
			t.Errorf("a control: %+v", v)
		}
	}
	// Failed runs are none, and those without a number are told of.
	table = with(func(j store.Job, seed uint64) (results.Record, bool) {
		r := record(t, j, 0.7)
		switch seed {
		case 1:
			r.Error = "it failed"
		case 2:
			r.Metrics["auc"] = math.NaN()
		}
		return r, plain(j)
	})
	if v := cellOf(t, table, "Softmax"); v.N != 1 || v.Mean != 0.7 {
		t.Errorf("%+v", v)
	}
	if notes := strings.Join(table.Notes, "\n"); !strings.Contains(notes, "Left out: 2 runs whose records have no finite AUC of this kind.") {
		t.Errorf("notes %s", notes)
	}
}

// Only asp2vec under the paper's protocol is judged, and only where the paper's number is of the same setting.
func TestBand(t *testing.T) {
	far := results.Cell{Value: 0.9, Numeric: true, Printed: "0.9"}
	for _, c := range []struct {
		column   sweep.Column
		protocol string
		want     bool
	}{
		{sweep.Column{Method: graphs.MethodOf("asp2vec")}, "paper", true}, {sweep.Column{Method: graphs.MethodOf("asp2vec")}, "validated", false}, {sweep.Column{Method: graphs.MethodOf("deepwalk")}, "paper", false},
		{sweep.Column{Method: graphs.MethodOf("asp2vec"), Setting: sweep.Setting{NotJudged: true}}, "paper", false}, {sweep.Column{Method: graphs.MethodOf("asp2vec"), Setting: sweep.Setting{Over: "x"}}, "paper", false},
	} {
		if v := Value(c.column, []Sample{{1, 0.5}}, far, c.protocol); v.Outside != c.want {
			t.Errorf("%+v, %s: %+v", c.column, c.protocol, v)
		}
	}
	if v := Value(sweep.Column{Method: graphs.MethodOf("asp2vec")}, nil, far, "paper"); v.Outside || v.N != 0 {
		t.Errorf("never run: %+v", v)
	}
}

// A gain over several is that of the best mean, and there is none while one of them is missing.
func TestGain(t *testing.T) {
	cells := map[string][]Sample{"a": {{1, 0.6}, {2, 0.8}}, "b": {{1, 0.75}}, "base": {{1, 0.5}, {2, 0.5}}, "zero": {{1, 0}}}
	if got := gain(cells, []string{"a", "b"}, "base"); len(got) != 1 || got[0].Seed != 1 || !near(got[0].Score, 50) {
		t.Errorf("%v", got)
	}
	if got := gain(cells, []string{"a"}, "base"); len(got) != 2 || !near(got[0].Score, 20) || !near(got[1].Score, 60) {
		t.Errorf("%v", got)
	}
	for _, over := range []string{"zero", "none"} {
		if got := gain(cells, []string{"a"}, over); got != nil {
			t.Errorf("over %s: %v", over, got)
		}
	}
	if got := gain(cells, []string{"a", "none"}, "base"); got != nil {
		t.Errorf("one is missing: %v", got)
	}
}

// Of node2vec's grid the run that the validation set likes best is shown, whatever its test AUC; one that chose from
// the grid itself stands for all.
func TestNode2vecIsChosenWithoutTheTestLinks(t *testing.T) {
	s := sweep.Scope{Datasets: []string{"filmtrust"}, Methods: []string{"node2vec"}, Seeds: 1, Protocols: []string{"validated"}}
	spec, _ := findSpec("table1")
	jobs := spec.Jobs(s)
	var records []results.Record
	for i, j := range jobs {
		r, validation := record(t, j, 0.9-0.01*float64(i)), 0.6+0.01*float64(i)
		r.Epochs[0].ValidationAUC = &validation
		records = append(records, r)
	}
	show := func(records []results.Record) render.Value {
		return cellOf(t, spec.Table(store.NewRuns(records), s)[0], "dim=100/node2vec")
	}
	if v := show(records); len(jobs) != 9 || !near(v.Mean, 0.9-0.08) {
		t.Errorf("%d runs, cell %+v", len(jobs), v)
	}
	if v := show(records[:8]); v.N != 0 {
		t.Errorf("without one of the grid: %+v", v)
	}
	chosen := records[4]
	for _, p := range []string{"0.25", "1", "4"} {
		for _, q := range []string{"0.25", "1", "4"} {
			chosen.Tried = append(chosen.Tried, results.Tried{Name: "p=" + p + " q=" + q})
		}
	}
	other := chosen
	other.Tried = slices.Clone(chosen.Tried)
	other.Tried[0].Name = "p=0.25 q=0.5"
	if v := show([]results.Record{other}); v.N != 0 {
		t.Errorf("one that chose from other p and q: %+v", v)
	}
	failed := slices.Clone(records)
	failed[8].Error = "no memory" // it would have been the best
	if v := show(failed); !near(v.Mean, 0.9-0.07) {
		t.Errorf("one of the grid failed: %+v", v)
	}
	runs := store.NewRuns([]results.Record{chosen})
	if v := show([]results.Record{chosen}); v.N != 1 || v.Mean != chosen.Metrics["auc"] {
		t.Errorf("one that chose: %+v", v)
	}
	for _, j := range jobs {
		if !runs.NeedsNoRun(j) {
			t.Errorf("%+v still needs a run after one that chose from the grid", j)
		}
		// Another seed needs the one that was chosen.
		o := j.Options
		if o.Seed = 2; runs.NeedsNoRun(store.Job{Dataset: j.Dataset, Protocol: j.Protocol, Options: o, Choice: j.Choice}) == (o.Own == jobs[4].Options.Own) {
			t.Errorf("%+v under another seed needs no run: %v", o.Own, o.Own != jobs[4].Options.Own)
		}
		if first := store.Deciders(store.Job{Dataset: j.Dataset, Protocol: j.Protocol, Options: o, Choice: j.Choice}); len(store.Deciders(j)) != 0 || len(first) != len(jobs) || first[0].Key() != jobs[0].Key() {
			t.Errorf("%+v waits for %d runs, and under another seed for %+v", j, len(store.Deciders(j)), first)
		}
		if none := store.NewRuns(nil); none.NeedsNoRun(j) {
			t.Error("no run is needed though there is none")
		}
	}

	// Unless it has tried them all itself.
	s.Seeds = 2
	second := func(i int, auc, validation float64) results.Record {
		j := jobs[i]
		j.Options.Seed = 2
		r := record(t, j, auc)
		r.Epochs[0].ValidationAUC = &validation
		return r
	}
	own := []results.Record{chosen}
	for i := range jobs {
		own = append(own, second(i, 0.5+0.01*float64(i), 0.9-0.01*float64(i)))
	}
	if v := show(own); v.N != 2 || !near(v.Mean, (chosen.Metrics["auc"]+0.5)/2) {
		t.Errorf("with another seed's own choice: %+v", v)
	}
}
