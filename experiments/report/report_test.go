package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/experiments/compare"
	"github.com/asp2vec/asp2vec/experiments/internal/recordtest"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/experiments/tables"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
	"github.com/asp2vec/asp2vec/results/webpage"
)

// setting is a method with options.
type setting struct {
	method string
	change func(*graphs.Options) // from the protocol's defaults; nil for none
}

var (
	asp2vec  = setting{method: graphs.MethodAsp2vec}
	deepWalk = setting{graphs.MethodDeepWalk, func(o *graphs.Options) { o.Dim = 100 }}
	free     = setting{graphs.MethodAsp2vec, func(o *graphs.Options) { o.Lambda = 0 }}
)

// recordsWith returns records of a setting under a protocol, one a score, with seeds from 1.
func recordsWith(t *testing.T, dataset, protocol string, s setting, scores ...float64) []results.Record {
	t.Helper()
	return recordtest.Scored(t, dataset, protocol, s.method, run.Protocols[protocol], s.change, scores...)
}

func fact(page webpage.Page, name string) string {
	for _, f := range page.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

func listing(t *testing.T, page webpage.Page, title string) webpage.Listing {
	t.Helper()
	i := slices.IndexFunc(page.Listings, func(l webpage.Listing) bool { return l.Title == title })
	if i < 0 {
		t.Fatalf("no listing %q", title)
	}
	return page.Listings[i]
}

func rendered(t *testing.T, page webpage.Page) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := webpage.Write(&b, page); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// trained gives a record what a real one has.
func trained(records []results.Record, epochs int) []results.Record {
	for i := range records {
		r := &records[i]
		for e := range epochs {
			auc := 0.5 + 0.3*float64(e)/float64(epochs)
			r.Epochs = append(r.Epochs, results.Epoch{Stage: r.Method, Epoch: e + 1, ValidationAUC: &auc})
		}
		r.BestStage, r.BestEpoch, r.Selection = r.Method, epochs-1, results.ValidationBest
		r.TrainSeconds, r.EvalSeconds = 3000, 600
		r.Started = time.Date(2026, 11, 20, 0, 0, i, 0, time.UTC)
		r.Finished = r.Started.Add(time.Hour)
		r.Command = []string{"asp2vec", "train", "--network", "my links.tsv"}
	}
	return records
}

// The page counts each run once, in the order of the paper, and leaves out those that failed.
func TestBuildReport(t *testing.T) {
	records := trained(recordsWith(t, "PPI", "validated", asp2vec, .8, .9), 30)
	records = append(records, trained(recordsWith(t, "Cora", "validated", deepWalk, .8), 10)...)
	records = append(records, trained(recordsWith(t, "Filmtrust", "validated", free, .7, .71), 10)...)
	again := records[0]
	again.Metrics = results.Metrics{"auc": .85}
	failed := records[1]
	failed.Error = "no memory"
	records = append(records, again, failed, results.Record{Method: "of a later version"})
	figures := map[string][]byte{"figure5-Cora": []byte("<svg/>"), "figure4": []byte("<svg/>")}
	page := built(Build(records, []render.Table{{Title: "a table"}}, compare.Claims(store.NewRuns(records)), figures))

	for name, want := range map[string]string{"Runs": "5", "Networks": "Filmtrust, PPI, Cora", "Methods": "deepwalk, asp2vec",
		"Failed or interrupted": "1", "Contradictory records": "1", "Records not understood": "1", "Measured": "2026-11-20"} {
		if got := fact(page, name); got != want {
			t.Errorf("%s: %q: want %q", name, got, want)
		}
	}
	all := listing(t, page, "All runs")
	var runs []string
	for _, r := range all.Rows {
		runs = append(runs, strings.Join(slices.Concat(r[:2], r[3:6]), " "))
	}
	want := []string{"Filmtrust asp2vec lambda=0 1 0.7000", "Filmtrust asp2vec lambda=0 2 0.7100", "PPI asp2vec  1 0.8500", "PPI asp2vec  2 0.9000", "Cora deepwalk  1 0.8000"}
	if !slices.Equal(runs, want) {
		t.Errorf("runs %q: want %q", runs, want)
	}
	if rows := listing(t, page, "Failed and interrupted runs").Rows; len(rows) != 1 || rows[0][4] != "no memory" {
		t.Errorf("failed runs %q", rows)
	}
	if len(page.Claims) != 0 || len(page.Tables) != 0 || len(page.Own) != 0 {
		t.Errorf("%d claims, %d tables and %d lists of own networks, of which nothing was run", len(page.Claims), len(page.Tables), len(page.Own))
	}
	if len(page.Figures) != 2 || page.Figures[0].Name != "figure4" || !strings.Contains(page.Figures[0].Caption, "variance") {
		t.Errorf("figures %+v", page.Figures)
	}
	if len(page.Curves) != 3 {
		t.Errorf("curves %+v", page.Curves)
	}
	if !bytes.Equal(rendered(t, page), rendered(t, built(Build(records, []render.Table{{Title: "a table"}}, compare.Claims(store.NewRuns(records)), figures)))) {
		t.Error("two pages of the same records differ")
	}
	records[0].Finished = records[0].Finished.AddDate(0, 0, 1)
	if got := fact(built(Build(records, nil, nil, nil)), "Measured"); got != "2026-11-20 to 2026-11-21" {
		t.Errorf("two days: %q", got)
	}
}

// The page begins with runs on the user's own networks; of claims and tables it has what was run.
func TestReportBeginsWithOwnNetworks(t *testing.T) {
	records := trained(recordsWith(t, "PPI", "validated", asp2vec, .8, .9), 3)
	records = append(records, trained(recordsWith(t, "PPI", "validated", deepWalk, .7, .7), 3)...)
	records = append(records, trained(recordsWith(t, "mine", "validated", free, .6, .7), 3)...)
	better := trained(recordsWith(t, "mine", "validated", asp2vec, .5), 3)
	high := .95
	better[0].Epochs[1].ValidationAUC = &high // which chooses, whatever the test links say
	records = append(records, better...)
	runs := store.NewRuns(records)
	tableOne, _ := tables.FindSpec("table1")
	page := built(Build(records, tableOne.Table(runs, sweep.Selection{Protocols: []string{"validated", "paper"}}), compare.Claims(runs), nil))
	if len(page.Own) != 1 || len(page.Own[0].Rows) != 2 {
		t.Fatalf("own networks %+v", page.Own)
	}
	if best := page.Own[0].Rows[0]; best[0] != "mine" || best[3] != "" || best[6] != "0.9500" || best[7] != "0.5000" || page.Own[0].Rows[1][7] != "0.6500 ± 0.0707" {
		t.Errorf("own networks %q", page.Own[0].Rows)
	}
	if len(page.Tables) != 1 || !slices.Equal(page.Tables[0].Columns, []string{"dim=100/DW", "dim=100/asp2vec"}) || len(page.Tables[0].Rows) != 1 {
		t.Errorf("tables %+v", page.Tables)
	}
	if len(page.Claims) != 1 || page.Claims[0].Name != "asp2vec-over-deepwalk" || len(page.Claims[0].Verdicts) != len(run.Protocols) {
		t.Errorf("claims %+v", page.Claims)
	}
	if text := string(rendered(t, page)); strings.Index(text, "Your networks") > strings.Index(text, "What the paper claims") {
		t.Error("the user's own networks do not come first")
	}
}

// Curves are of a method's runs at its defaults, and of others only where it has none.
func TestCurvesOfDefaults(t *testing.T) {
	special := func(dim int) setting {
		return setting{graphs.MethodDeepWalk, func(o *graphs.Options) { o.Dim = dim }}
	}
	records := slices.Concat(
		trained(recordsWith(t, "PPI", "validated", asp2vec, .8), 5), trained(recordsWith(t, "PPI", "validated", free, .8, .8, .8), 5),
		trained(recordsWith(t, "PPI", "validated", special(20), .8), 5), trained(recordsWith(t, "PPI", "validated", special(40), .8, .8), 5))
	var names []string
	for _, s := range series(newShown(records).runs) {
		names = append(names, fmt.Sprint(s.Name, " ", len(s.Records)))
	}
	if want := []string{"DeepWalk (dim=40) 2", "asp2vec 1"}; !slices.Equal(names, want) {
		t.Errorf("series %q: want %q", names, want)
	}
	if page := built(Build(records, nil, nil, nil)); len(page.Curves) != 1 || !bytes.Contains(page.Curves[0].SVG, []byte("DeepWalk (dim=40)")) {
		t.Errorf("curves %+v", page.Curves)
	}
}

// built is a page that could be built.
func built(page webpage.Page, err error) webpage.Page {
	if err != nil {
		panic(err)
	}
	return page
}

// Records may come from anywhere: whatever their texts and numbers are, the page is made, and they are text in it.
func TestReportOfHostileRecords(t *testing.T) {
	const evil = `<script>alert(1)</script>"'{{.}}`
	var records []results.Record
	for range 2 {
		r := results.Record{Method: graphs.MethodAsp2vec, Protocol: evil, Options: json.RawMessage(`{"selection":"` + strings.ReplaceAll(evil, `"`, `\"`) + `"}`),
			Selection: evil, Command: []string{evil, "", "'"}, BestStage: evil, BestEpoch: -1, TrainSeconds: 1e300, PeakMemoryBytes: 1 << 63}
		r.Dataset.Name, r.Dataset.SHA256, r.Host.CPU, r.Code.Commit = evil, evil, evil, evil
		r.Epochs = []results.Epoch{{Stage: evil}, {Stage: evil, TestAUC: new(float64)}}
		records = append(records, r)
	}
	records = append(records, results.Record{Method: evil}, results.Record{Method: graphs.MethodDGI, Error: evil, Options: []byte("{}")})
	runs := store.NewRuns(records)
	page := rendered(t, built(Build(records, nil, compare.Claims(runs), map[string][]byte{evil: []byte("<svg/>")})))
	if n := bytes.Count(page, []byte("<script")); n != 1 {
		t.Errorf("%d scripts: want the page's own", n)
	}
	if !bytes.Contains(page, []byte("&lt;script&gt;")) {
		t.Error("the names are lost")
	}
}

// paperNetworks returns the names of the paper's networks whose vertices are of one type.
func paperNetworks() (names []string) {
	for _, d := range network.Datasets() {
		if d.InPaper && !d.Typed {
			names = append(names, d.Name)
		}
	}
	return names
}

// Two hundred runs of a hundred epochs make a page that can be sent by mail.
func TestReportSize(t *testing.T) {
	var records []results.Record
	for _, name := range paperNetworks()[:10] {
		for k := range 10 {
			s := setting{graphs.MethodAsp2vec, func(o *graphs.Options) { o.Aspects = 2 + k }}
			records = append(records, trained(recordsWith(t, name, "validated", s, .8, .81), 100)...)
		}
	}
	if len(records) != 200 {
		t.Fatal(len(records))
	}
	page := rendered(t, built(Build(records, nil, compare.Claims(store.NewRuns(records)), nil)))
	if len(page) > 2e6 {
		t.Errorf("%d bytes: want at most 2 MB", len(page))
	}
	t.Log(len(page), "bytes")
}
