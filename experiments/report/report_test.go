package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/compare"
	"github.com/asp2vec/asp2vec/experiments/internal/recordtest"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// trained returns records of a setting under the protocol validated, one a score, with seeds from 1 and some epochs.
func trained(t *testing.T, dataset, method string, change func(*graphs.Options), scores ...float64) []results.Record {
	t.Helper()
	records := recordtest.Scored(t, dataset, "validated", method, run.Protocols["validated"], change, scores...)
	for i := range records {
		r := &records[i]
		for e := range 5 {
			auc := 0.5 + 0.06*float64(e)
			r.Epochs = append(r.Epochs, results.Epoch{Stage: r.Method, Epoch: e + 1, ValidationAUC: &auc})
		}
		r.BestStage, r.BestEpoch, r.Selection = r.Method, 4, results.ValidationBest
	}
	return records
}

// Of claims, tables, columns and rows the page has what was run.
func TestPageHasWhatWasRun(t *testing.T) {
	records := slices.Concat(trained(t, "PPI", graphs.MethodAsp2vec, nil, .8, .9),
		trained(t, "PPI", graphs.MethodDeepWalk, func(o *graphs.Options) { o.Dim = 100 }, .7, .7))
	table := render.Table{Title: "a table", Columns: []string{"run", "not run"}, Rows: []render.Row{
		{Label: "PPI", Values: []render.Value{{Mean: .8, N: 1}, {}}}, {Label: "Cora", Values: make([]render.Value, 2)}}}
	page := New(render.Table{}, compare.Claims(store.NewRuns(records)), []render.Table{table, {Title: "empty"}}, nil, []Picture{{Caption("figure-4"), nil}}, nil)
	var titles []string
	for _, s := range page.Sections {
		titles = append(titles, s.Title)
	}
	if want := []string{"What the paper claims, and what these runs say", "Tables", "Figures"}; !slices.Equal(titles, want) {
		t.Fatalf("sections %q: expected %q", titles, want)
	}
	claims := page.Sections[0].Tables[0]
	if len(claims.Rows) != 1 || claims.Rows[0].Label != "asp2vec-over-deepwalk" || len(claims.Columns) != 1+len(run.Protocols) {
		t.Errorf("claims %+v", claims)
	}
	if tables := page.Sections[1].Tables; len(tables) != 1 || !slices.Equal(tables[0].Columns, []string{"run"}) || len(tables[0].Rows) != 1 {
		t.Errorf("tables %+v", tables)
	}
	if !strings.Contains(page.Sections[2].Pictures[0].Caption, "variance") {
		t.Errorf("figures %+v", page.Sections[2])
	}
}

// Curves are of a method's runs at its defaults, and of others only where it has none.
func TestCurvesOfDefaults(t *testing.T) {
	dim := func(dim int) func(*graphs.Options) { return func(o *graphs.Options) { o.Dim = dim } }
	records := slices.Concat(
		trained(t, "PPI", graphs.MethodAsp2vec, nil, .8), trained(t, "PPI", graphs.MethodAsp2vec, func(o *graphs.Options) { o.Lambda = 0 }, .8, .8, .8),
		trained(t, "PPI", graphs.MethodDeepWalk, dim(20), .8), trained(t, "PPI", graphs.MethodDeepWalk, dim(40), .8, .8))
	runs := store.NewRuns(records)
	var all []learned
	for _, r := range runs.All() {
		j, err := store.JobOf(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, learned{r, j.Settings()})
	}
	var names []string
	for _, s := range series(all) {
		names = append(names, fmt.Sprint(s.Name, " ", len(s.Records)))
	}
	if want := []string{"DeepWalk (dim=40) 2", "asp2vec 1"}; !slices.Equal(names, want) {
		t.Errorf("series %q: expected %q", names, want)
	}
	if curves := Curves(runs); len(curves) != 1 || !strings.Contains(string(curves[0].SVG), "DeepWalk (dim=40)") {
		t.Errorf("curves %+v", curves)
	}
}

// Records may come from anywhere: whatever their texts and numbers are, the page is made, and they are text in it.
func TestReportOfHostileRecords(t *testing.T) {
	const evil = `<script>alert(1)</script>"'{{.}}`
	r := results.Record{Method: graphs.MethodAsp2vec, Protocol: evil, Options: json.RawMessage(`{"selection":"` + strings.ReplaceAll(evil, `"`, `\"`) + `"}`),
		Selection: evil, Command: []string{evil, "", "'"}, BestStage: evil, BestEpoch: -1, TrainSeconds: 1e300, PeakMemoryBytes: 1 << 63}
	r.Dataset.Name, r.Dataset.SHA256, r.Host.CPU, r.Code.Commit = evil, evil, evil, evil
	r.Epochs = []results.Epoch{{Stage: evil}, {Stage: evil, TestAUC: new(float64)}}
	runs := store.NewRuns([]results.Record{r, r, {Method: evil}, {Method: graphs.MethodDGI, Error: evil, Options: []byte("{}")}})
	table := render.Table{Title: evil, Columns: []string{evil}, Rows: []render.Row{{Label: evil, Values: render.Texts(evil)}}}
	page := written(t, New(table, compare.Claims(runs), nil, Curves(runs), []Picture{{evil, []byte("<svg/>")}}, nil))
	if n := strings.Count(page, "<script"); n != 1 || !strings.Contains(page, "&lt;script&gt;") {
		t.Errorf("%d scripts: expected the page's own; and the names", n)
	}
}
