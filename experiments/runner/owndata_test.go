package runner

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/shelf"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/experiments/tables"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// A network of one's own is a data set of a grid, under a name of its own; another network under its name is another one.
func TestSweepOfOwnNetworks(t *testing.T) {
	dir := t.TempDir()
	split := tiny.Split(t, false)
	call.OK(t, split.Write(filepath.Join(dir, "parts", "split"), false))
	write := func(links string) { call.File(t, filepath.Join(dir, "links.tsv"), links) }
	ring := func(n int) (text string) {
		for i := range n {
			text += fmt.Sprintf("%d\t%d\n%d\t%d\n", i, (i+1)%n, i, (i+7)%n)
		}
		return text
	}
	write(ring(80))
	call.File(t, filepath.Join(dir, "s.yaml"), "datasets: [links.tsv, parts/split, {name: again, network: links.tsv}]\noptions: {dim: 4, epochs: 1, warm-up-epochs: 1}\n")
	s := call.Of(sweep.Read(filepath.Join(dir, "s.yaml"), sweep.ToRun))(t)
	jobs, err := s.Jobs(sweep.MaxRuns)
	if err != nil || len(jobs) != 3 || jobs[0].Dataset != "links" || jobs[1].Dataset != "parts" || jobs[2].Dataset != "again" {
		t.Fatalf("%+v, %v", jobs, err)
	}
	r := &Runner{Store: filepath.Join(dir, "results"), Threads: 2}
	if got := runAll(t, r, jobs); got.Done != 3 {
		t.Fatalf("%+v", got)
	}
	if got := runAll(t, r, jobs); got.There != 3 {
		t.Errorf("again: %+v", got)
	}
	for _, record := range records(t, r.Store) {
		if (record.Dataset.NetworkSHA256 == "") != (record.Dataset.Name == "parts") || !(record.Metrics["auc"] > 0) {
			t.Errorf("%+v", record.Dataset)
		}
	}
	write(ring(90))
	planned, err := r.Plan(jobs)
	if err != nil || planned[0].State != StateMissing || planned[1].State != StateDone || planned[2].State != StateMissing {
		t.Errorf("after another network took the name: %+v, %v", planned, err)
	}
	for text, want := range map[string]string{
		"datasets: nowhere.tsv":                           "nowhere.tsv: no such file",
		"datasets: parts":                                 "or ./parts for the path",
		"datasets: {network: links.tsv}":                  "",
		"datasets: {name: Cora, network: links.tsv}":      "the data set name Cora is used already",
		"datasets: {network: links.tsv, split: parts}":    "one of them",
		"datasets: {split: links.tsv}":                    "expected network: FILE, split: FOLDER or",
		"datasets: [links.tsv, links.tsv]":                "data set links is given twice: expected another name",
		"datasets: links.tsv\nmethod: camel":              "camel cannot learn from data set links",
		"datasets: [{network: links.tsv, undirected: 1}]": `key "undirected": expected one of`,
	} {
		call.File(t, filepath.Join(dir, "bad.yaml"), text+"\n")
		s, err := sweep.Read(filepath.Join(dir, "bad.yaml"), sweep.ToRun)
		if err == nil {
			_, err = s.Jobs(10)
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, expected %q", text, err, want)
		}
	}
}

// plantPapers writes a small bibliography into a folder, made with those above it.
func plantPapers(t *testing.T, dir string, count int) {
	t.Helper()
	o := shelf.Options()
	o.Papers, o.Authors, o.Topics, o.Candidates, o.Vocabulary, o.Venues = count, 25, 2, 10, 30, 2
	shelf.Write(t, dir, o)
}

// Tables of papers and authors are made of a bibliography of the user's, which is named, and has none of the paper's numbers beside;
// sweeps and tables share its runs, and other papers under its name are run anew.
func TestTableOfOwnBibliography(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "papers")
	plantPapers(t, at, 60)
	own := call.Of(source.OwnDataSet("", source.OwnData{Bibliography: at}))(t)
	sel := sweep.Scope{Own: []source.DataSet{own}, Methods: []string{"m2v++"}, Dims: []int{4}, Seeds: 1, Protocols: []string{run.StandardProtocol}}
	if other := tables.Specs()[2]; len(other.Jobs(sweep.Scope{Own: sel.Own})) > 0 {
		t.Error("a table of links has runs on papers and authors")
	}
	spec := tables.Specs()[4]
	jobs := spec.Jobs(sel)
	if len(jobs) != 1 || jobs[0].Dataset != "papers" {
		t.Fatalf("%+v", jobs)
	}
	r := &Runner{Store: filepath.Join(dir, "results"), Threads: 1}
	if got := runAll(t, r, jobs); got.Done != 1 {
		t.Fatalf("%+v", got)
	}
	all := records(t, r.Store)
	if j, err := store.JobOf(all[0]); err != nil || j.Key() != jobs[0].Key() {
		t.Errorf("the record is of another run: %v", err)
	}
	tables := spec.Table(store.NewRuns(all), sel)
	if len(tables) != 1 || !strings.Contains(tables[0].Title, "papers") || !slices.ContainsFunc(tables[0].Notes, func(n string) bool { return strings.Contains(n, at) }) {
		t.Fatalf("%+v", tables)
	}
	last := tables[0].Rows[len(tables[0].Rows)-1]
	if v := last.Values[4]; v.Mean != all[0].Metrics["auc"] || v.N != 1 || v.Paper != nil {
		t.Errorf("%+v, expected %v without the paper's number", v, all[0].Metrics)
	}
	with := sel
	with.Datasets = []string{"dblp"}
	if tables := spec.Table(store.NewRuns(all), with); len(tables) != 2 || tables[0].Rows[0].Values[0].N != 0 {
		t.Errorf("with DBLP, of which nothing was run: %+v", tables)
	}

	call.File(t, filepath.Join(dir, "s.yaml"), "datasets: [./papers, {name: mine, bibliography: papers}]\nmethod: m2v++\noptions: {dim: 4, encoder: gru}\nseeds: 1\n")
	s := call.Of(sweep.Read(filepath.Join(dir, "s.yaml"), sweep.ToRun))(t)
	swept, err := s.Jobs(sweep.MaxRuns)
	if err != nil || len(swept) != 2 || swept[0].Key() != jobs[0].Key() || swept[1].Dataset != "mine" {
		t.Errorf("the sweep has other runs: %+v, %v", swept, err)
	}
	if got := runAll(t, r, jobs); got.There != 1 {
		t.Errorf("again: %+v", got)
	}
	plantPapers(t, at, 70)
	if planned, err := r.Plan(jobs); err != nil || planned[0].State != StateMissing {
		t.Errorf("after other papers took the name: %+v, %v", planned, err)
	}
}
