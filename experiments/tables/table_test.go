package tables

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

var updateTables = flag.Bool("update", false, "write testdata anew")

// whole selects every cell that the paper has.
var whole = sweep.Scope{Dims: []int{100, 200, 500}, Protocols: []string{"paper"}}

// Every one of the paper's 550 cells is in a table, as it stands in the file.
func TestTablesShowThePaper(t *testing.T) {
	text := call.Of(os.ReadFile("../../results/paper_tables.json"))(t)
	type cell struct {
		Table                int
		Row, Column, Printed string
		Value                any
	}
	var cells []cell
	call.OK(t, json.Unmarshal(text, &cells))
	shown := map[string]render.Value{}
	for _, s := range Specs() {
		for _, table := range s.Table(store.NewRuns(nil), whole) {
			for _, row := range table.Rows {
				for j, v := range row.Values {
					name, _, _ := strings.Cut(table.Name, "-")
					key := name + "|" + row.Label + "|" + strings.TrimSuffix(strings.Replace(table.Columns[j], "/DeepWalk", "/DW", 1), ", %")
					if _, twice := shown[key]; twice {
						t.Errorf("%s is there twice", key)
					}
					if shown[key] = v; v.N != 0 {
						t.Errorf("%s: %d seeds without a run", key, v.N)
					}
				}
			}
		}
	}
	found := 0
	for _, c := range cells {
		key := fmt.Sprintf("table%d|%s|%s", c.Table, c.Row, c.Column)
		v, ok := shown[key]
		if !ok || v.Printed != c.Printed {
			t.Errorf("%s: shown %v as %q, expected %q", key, ok, v.Printed, c.Printed)
			continue
		}
		if number, is := c.Value.(float64); is != (v.Paper != nil) || is && *v.Paper != number {
			t.Errorf("%s: number %v, expected %v", key, v.Paper, c.Value)
		}
		found++
	}
	if found != 550 {
		t.Errorf("%d cells, expected all 550", found)
	}
}

// made returns the record of the i-th job of a table, with an AUC of its own, and for DBLP with the other metrics.
func made(t *testing.T, i int, j store.Job) results.Record {
	t.Helper()
	auc := 0.6 + 0.001*float64(37*i%300)
	r := record(t, j, auc)
	if j.Dataset == sweep.PaperBibliography {
		for n, name := range []string{"recall@5", "recall@10", "f1@5", "f1@10"} {
			r.Metrics[name] = auc / float64(n+2)
		}
	}
	return r
}

func record(t *testing.T, j store.Job, auc float64) results.Record {
	t.Helper()
	o := call.Of(results.MarshalOptions(j.Options.Complete()))(t)
	metrics := results.Metrics{"auc": auc}
	return results.Record{
		ScoreDefinition: run.ScoreDefinition(j.Options.Scorer(), metrics),
		Schema:          results.Schema, Method: j.Options.Method.Name, Protocol: j.Protocol, Seed: j.Options.Seed, Options: o, Definition: run.Definition(j.Options),
		Dataset: results.Dataset{Name: j.Dataset}, Metrics: metrics, Scoring: j.Options.Scorer(), BestStage: "main", BestEpoch: 1, Selection: results.ValidationBest,
		Epochs: []results.Epoch{{Stage: "main", Epoch: 1, ValidationAUC: &auc}},
	}
}

// Projections of some records are as they were looked at when the files were written.
func TestTableGoldens(t *testing.T) {
	some := sweep.Scope{Datasets: []string{"Filmtrust", "PPI", "cora", "dblp"}}
	for _, s := range Specs() {
		var records []results.Record
		i := -1
		for _, j := range s.Jobs(some) {
			scores := j.AllScores()
			i++
			records = append(records, made(t, i, j))
			for _, score := range scores[1:] {
				i++
				records[len(records)-1].AddScore(results.Scored{Score: score, Definition: run.ScoreDefinition(score, results.Metrics{"auc": 1}), Metrics: made(t, i, j).Metrics})
			}
			if j.Dataset == "PPI" && j.Options.Seed > 1 || (j.Dataset == "Cora" || j.Dataset == sweep.PaperBibliography) && i%7 == 0 {
				records = records[:len(records)-1] // cells with fewer seeds, and without
			}
		}
		var b bytes.Buffer
		call.OK(t, render.WriteAll(&b, s.Table(store.NewRuns(records), some), "markdown"))
		call.Same(t, filepath.Join("testdata", s.Name+".md"), b.Bytes(), *updateTables)
	}
}

// seedsOf returns how many seeds are in the cells of all tables.
func seedsOf(tables []render.Table) (n int) {
	for _, t := range tables {
		for _, row := range t.Rows {
			for _, v := range row.Values {
				n += v.N
			}
		}
	}
	return n
}

// The jobs of a table are those that its cells are made of: with the records of all no cell is missing, and without that of
// any one something is.
func TestJobsAreWhatCellsAreMadeOf(t *testing.T) {
	s := sweep.Scope{Datasets: []string{"PPI", "dblp"}, Seeds: 1, Protocols: []string{"validated"}}
	for _, spec := range Specs() {
		jobs := spec.Jobs(s)
		records := make([]results.Record, len(jobs))
		for i, j := range jobs {
			records[i] = made(t, i, j)
			for _, score := range j.AllScores()[1:] {
				records[i].AddScore(results.Scored{Score: score, Metrics: records[i].Metrics})
			}
		}
		tables := spec.Table(store.NewRuns(records), s)
		if len(jobs) == 0 {
			if spec.Data == nil && len(tables) != 1 || seedsOf(tables) != 0 {
				t.Errorf("%s has no runs, %d tables", spec.Name, len(tables))
			}
			continue
		}
		for _, table := range tables {
			for j, v := range table.Rows[0].Values {
				if v.N != s.Seeds {
					t.Errorf("%s, %s: %d of %d seeds with all records there", table.Name, table.Columns[j], v.N, s.Seeds)
				}
			}
		}
		all := seedsOf(tables)
		for i, j := range jobs {
			if j.Options.Is(graphs.MethodNode2vec) && j.Options.Seed != store.FirstSeed {
				continue // the first seed's choice will do
			}
			left := store.NewRuns(slices.Concat(records[:i], records[i+1:]))
			if seedsOf(spec.Table(left, s)) >= all {
				t.Errorf("%s: no cell needs %+v", spec.Name, j)
			}
			if left.NeedsNoRun(j) || !store.NewRuns(records).NeedsNoRun(j) {
				t.Errorf("%s: whether %+v needs a run does not depend on its record", spec.Name, j)
			}
		}
	}
}

// Cells of different tables that mean one setting are one run.
func TestTablesShareRuns(t *testing.T) {
	jobs := func(name string, s sweep.Scope) map[string]bool {
		spec, ok := findSpec(name)
		if !ok {
			t.Fatalf("no %s", name)
		}
		keys := map[string]bool{}
		for _, j := range spec.Jobs(s) {
			if keys[j.Key()] {
				t.Errorf("%s: %+v is there twice", name, j)
			}
			if err := j.Options.Complete().Validate(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			keys[j.Key()] = true
		}
		return keys
	}
	one := sweep.Scope{Datasets: []string{"ppi"}, Methods: []string{graphs.MethodAsp2vec}, Seeds: 1, Dims: []int{100, 200, 500}, Protocols: []string{"paper"}}
	shared := map[string]int{}
	for _, name := range []string{"table1", "table3", "table4", "table9", "table10"} {
		for key := range jobs(name, one) {
			shared[key]++
		}
	}
	var counts []int
	for _, n := range shared {
		counts = append(counts, n)
	}
	slices.Sort(counts)
	// d=20,K=5 is in all but Table 9; d=40,K=5 in 1 and 9; d=20,K=10 in 9 and 10; no regularizer in 3 and 4. The rest: d=100,K=5,
	// four of Table 3, four epsilons, (50,4) and (100,2), seven numbers of aspects.
	if want := append(slices.Repeat([]int{1}, 18), 2, 2, 2, 4); !slices.Equal(counts, want) {
		t.Errorf("runs are in %v tables, expected %v", counts, want)
	}
	// What does not look at links to choose an epoch is one run under paper and validated. Under standard the grid of node2vec is
	// run twice: to choose by links held out, and on all links, of which only the chosen one is needed then.
	for method, want := range map[string]int{"deepwalk": 3, "node2vec": 36, "dgi": 1, "polydw": 2, "splitter": 2, "asp2vec": 3} {
		s := sweep.Scope{Datasets: []string{"ppi"}, Methods: []string{method}, Seeds: 1}
		if n := len(jobs("table1", s)); n != want {
			t.Errorf("%s: %d runs, expected %d", method, n, want)
		}
	}
}

func TestSelection(t *testing.T) {
	call.OK(t, (sweep.Scope{}).Validate())
	bad := sweep.Scope{Datasets: []string{"cora2", "PPI"}, Methods: []string{"word2vec"}, Dims: []int{100, 7}, Seeds: -1, Protocols: []string{"both"}}
	err := bad.Validate()
	for _, want := range []string{`"cora2": expected one of`, `method "word2vec"`, "dim 7", "-1 seeds", `protocol "both": expected one of paper, standard, validated`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v: expected one with %s", err, want)
		}
	}
	var names []string
	for _, d := range sweep.Paper("table1").Part(sweep.Scope{Datasets: []string{"soc-epinions", "CORA", "filmtrust", "dblp", "none"}}).Datasets {
		names = append(names, d.Name)
	}
	if !slices.Equal(names, []string{"Filmtrust", "Cora", "soc-epinions"}) {
		t.Errorf("data sets %v", names)
	}
	if n := len(sweep.Paper("table1").Part(sweep.Scope{}).Datasets); n != 12 {
		t.Errorf("%d data sets, expected the paper's 12", n)
	}
	for _, spec := range Specs() { // what is not known selects nothing, and does no harm
		if jobs := spec.Jobs(sweep.Scope{Protocols: []string{"none"}, Methods: []string{"none"}, Dims: []int{-1}}); len(jobs) != 0 {
			t.Errorf("%s: %d jobs", spec.Name, len(jobs))
		}
	}
	if _, ok := findSpec("table11"); ok || len(Specs()) != 10 {
		t.Error("expected ten tables")
	}
}

// Table 2 counts files; what is not there is missing, and a file that is none is an error.
func TestTableOfTheNetworks(t *testing.T) {
	dir := t.TempDir()
	write := func(folder, text string) {
		call.OK(t, os.MkdirAll(filepath.Join(dir, folder), 0o777))
		call.File(t, filepath.Join(dir, folder, "edges.tsv"), text)
	}
	write("filmtrust", "a\tb\nb\ta\nc\td\n")
	write("cora", "a\tb\nb\ta\nc\td\n")
	spec, _ := findSpec("table2")
	table := call.Of(spec.Data(dir, sweep.Scope{Datasets: []string{"Filmtrust", "cora", "PPI"}}))(t)
	for i, want := range []float64{3, 0, 2} { // links of Filmtrust have a direction, those of Cora have none, PPI is missing
		if v := table.Rows[i].Values[1]; v.Mean != want || (v.N == 1) != (want > 0) {
			t.Errorf("%s: %+v, expected %v links", table.Rows[i].Label, v, want)
		}
	}
	if v := table.Rows[0].Values[0]; v.Mean != 4 || *v.Paper != 1642 {
		t.Errorf("vertices: %+v", v)
	}
	write("ppi", "a\n")
	call.Refused(t, "edges.tsv:1")(spec.Data(dir, sweep.Scope{}))
}

// findSpec returns the table of a name, "table3", and whether there is one.
func findSpec(name string) (Spec, bool) {
	if i := slices.Index(TableNames(), name); i >= 0 {
		return spec(i + 1), true
	}
	return Spec{}, false
}
