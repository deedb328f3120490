package experiments

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/hetnet"
)

// plantPapers writes a small bibliography into a folder, made with those above it.
func plantPapers(t *testing.T, dir string, papers int) {
	t.Helper()
	o := hetnet.DefaultPlanted()
	o.Papers, o.Authors, o.Topics, o.Candidates, o.Vocabulary, o.Venues = papers, 25, 2, 10, 30, 2
	planted, err := o.Generate()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.MkdirAll(dir, 0o777), hetnet.Write(dir, planted.Bibliography)); err != nil {
		t.Fatal(err)
	}
}

// A bibliography of the user's has the same name for train, sweep and tables, and never that of DBLP.
func TestOwnBibliography(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{"papers": "papers", "dblp": "dblp (another one)", "TapEM/data": "TapEM"} {
		at := filepath.Join(dir, path)
		plantPapers(t, at, 60)
		d, err := source.OwnDataSet("", source.OwnData{Bibliography: at})
		if err != nil || d.Name != want || !d.Typed || !hetnet.IsBibliography(at) {
			t.Errorf("%s: %+v, %v; want the name %q", path, d, err, want)
		}
		if l, err := (source.Source{Bibliography: at}).Load(t.Context()); err != nil || l.Name != want || l.Bibliography == nil {
			t.Errorf("%s: train reads %q, %v; want %q", path, l.Name, err, want)
		}
	}
	papers := filepath.Join(dir, "papers")
	for _, c := range []struct {
		name, want string
		own        source.OwnData
	}{
		{"DBLP", "the data set name DBLP is used already", source.OwnData{Bibliography: papers}},
		{"", "want no directed", source.OwnData{Bibliography: papers, Directed: true}},
		{"", "one of them", source.OwnData{Bibliography: papers, Split: papers}},
		{"", "one of them", source.OwnData{}},
		{"", "want network: FILE", source.OwnData{Bibliography: filepath.Join(papers, hetnet.PapersFile)}},
		{"", "no such file", source.OwnData{Bibliography: filepath.Join(dir, "nowhere")}},
	} {
		if d, err := source.OwnDataSet(c.name, c.own); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %+v: %+v, error %v; want one with %q", c.name, c.own, d, err, c.want)
		}
	}
	if hetnet.IsBibliography(dir) || hetnet.IsBibliography(filepath.Join(dir, "nowhere")) {
		t.Error("a folder without papers is taken for a bibliography")
	}
}

// Tables of papers and authors are made of a bibliography of the user's, which is named, and has none of the paper's numbers beside;
// sweeps and tables share its runs, and other papers under its name are run anew.
func TestTableOfOwnBibliography(t *testing.T) {
	dir := t.TempDir()
	papers := filepath.Join(dir, "papers")
	plantPapers(t, papers, 60)
	own, err := source.OwnDataSet("", source.OwnData{Bibliography: papers})
	if err != nil {
		t.Fatal(err)
	}
	sel := Selection{Own: []source.DataSet{own}, Methods: []string{"m2v++"}, Dims: []int{4}, Seeds: 1, Protocols: []string{run.StandardProtocol}}
	if other, _ := FindSpec("table3"); len(other.Jobs(Selection{Own: sel.Own})) > 0 {
		t.Error("a table of links has runs on papers and authors")
	}
	spec, _ := FindSpec("table5")
	jobs := spec.Jobs(sel)
	if len(jobs) != 1 || jobs[0].Dataset != "papers" {
		t.Fatalf("%+v", jobs)
	}
	r := &runner.Runner{Store: filepath.Join(dir, "results", "runs.jsonl"), Threads: 1}
	if got := runAll(t, r, jobs); got.Done != 1 {
		t.Fatalf("%+v", got)
	}
	all := records(t, r.Store)
	if j, err := store.JobOf(all[0]); err != nil || j.Key() != jobs[0].Key() {
		t.Errorf("the record is of another run: %v", err)
	}
	tables := spec.Table(store.NewRuns(all), sel)
	if len(tables) != 1 || !strings.Contains(tables[0].Title, "papers") || !slices.ContainsFunc(tables[0].Notes, func(n string) bool { return strings.Contains(n, papers) }) {
		t.Fatalf("%+v", tables)
	}
	last := tables[0].Rows[len(tables[0].Rows)-1]
	if v := last.Values[4]; v.Mean != all[0].Metrics["auc"] || v.N != 1 || v.Paper != nil {
		t.Errorf("%+v, want %v without the paper's number", v, all[0].Metrics)
	}
	with := sel
	with.Datasets = []string{"dblp"}
	if tables := spec.Table(store.NewRuns(all), with); len(tables) != 2 || tables[0].Rows[0].Values[0].N != 0 {
		t.Errorf("with DBLP, of which nothing was run: %+v", tables)
	}

	writeFile(t, filepath.Join(dir, "s.yaml"), "datasets: [./papers, {name: mine, bibliography: papers}]\nmethod: m2v++\noptions: {dim: 4}\nseeds: 1\n")
	s, err := ReadSweep(filepath.Join(dir, "s.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	swept, err := s.Jobs(MaxSweep)
	if err != nil || len(swept) != 2 || swept[0].Key() != jobs[0].Key() || swept[1].Dataset != "mine" {
		t.Errorf("the sweep has other runs: %+v, %v", swept, err)
	}
	if got := runAll(t, r, jobs); got.There != 1 {
		t.Errorf("again: %+v", got)
	}
	plantPapers(t, papers, 70)
	if planned, err := r.Plan(jobs); err != nil || planned[0].State != runner.StateStale {
		t.Errorf("after other papers took the name: %+v, %v", planned, err)
	}
}
