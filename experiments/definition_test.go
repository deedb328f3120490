package experiments

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
)

// measuredStores are those of the records that come with the program.
var measuredStores = []string{"../results/measured/runs.jsonl", "../results/recipe/runs.jsonl", "../results/recipe/authors/runs.jsonl"}

// All records that come with the program are of the definitions that it has, on every machine: those from before records had
// fingerprints by definitions.json, which says what they stand for.
//
// With -update the present fingerprints are added to the file: only after a change of the graphs that is proven to leave all
// numbers as they were, since records of the fingerprints before then count as of the present definition. After a change of
// numbers the file stays as it is, and the test fails until the runs that it names are measured anew.
func TestDefinitions(t *testing.T) {
	known := map[string][]string{}
	if err := json.Unmarshal(definitionsText, &known); err != nil {
		t.Fatal(err)
	}
	add := func(pieces, fingerprint string) {
		if fingerprint != "" && !slices.Contains(known[pieces], fingerprint) {
			known[pieces] = append(known[pieces], fingerprint)
		}
	}
	older, changed := map[string]int{}, false
	for _, store := range measuredStores {
		all, problems, err := results.ReadStore(store)
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		for _, r := range all {
			j, err := JobOf(r)
			if err != nil {
				t.Fatal(err)
			}
			if present(r.Definition, j.Options) {
				continue
			}
			pieces := graphs.Pieces(j.Options)
			now, err := graphs.Fingerprint(j.Options)
			if err != nil {
				t.Fatal(err)
			}
			changed = true
			add(pieces, r.Definition)
			add(pieces, now)
			older[pieces+", now "+now]++
		}
	}
	for what, n := range older {
		if !*updateTables {
			t.Errorf("%s: %d records are of an older definition: want them measured anew, or where no number has changed see the comment of this test", what, n)
		}
	}
	if changed && *updateTables {
		text, err := json.MarshalIndent(known, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("definitions.json", append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Each option that chooses a piece of a method on papers is a definition of its own, and its numbers are not.
func TestDefinitionsOnPapers(t *testing.T) {
	seen := map[string]string{}
	for _, m := range methods.All() {
		if !m.Typed {
			continue
		}
		if !m.Reads("text-length") {
			continue // metapath2vec is M2V++ whose words are given
		}
		usual, err := methods.Options(m.Name, graphs.Default)
		if err != nil {
			t.Fatal(err)
		}
		for name, change := range map[string]func(o *graphs.Options){
			"":        func(*graphs.Options) {},
			"warm-up": func(o *graphs.Options) { o.WarmUp = !o.WarmUp },
			"cell": func(o *graphs.Options) {
				graphs.Edit(o, func(p *hetnet.PaperOptions) { p.Cell = hetnet.CellResetBefore })
			},
			"word-vectors": func(o *graphs.Options) { graphs.Edit(o, func(p *hetnet.PaperOptions) { p.WordVectors = "words.vec" }) },
			"indirect":     func(o *graphs.Options) { graphs.Edit(o, func(p *hetnet.PaperOptions) { p.Indirect = 0 }) },
			"dropout":      func(o *graphs.Options) { graphs.Edit(o, func(p *hetnet.PaperOptions) { p.Dropout = 0 }) },
			"aspect-context": func(o *graphs.Options) {
				graphs.Edit(o, func(p *hetnet.PaperOptions) { p.Context = hetnet.ContextBoth })
			},
			"aspect-variant": func(o *graphs.Options) {
				graphs.Edit(o, func(p *hetnet.PaperOptions) { p.Variant = hetnet.VariantLiteral })
			},
			"lambda-mean": func(o *graphs.Options) { graphs.Edit(o, func(p *hetnet.PaperOptions) { p.MeanPenalty = true }) },
			"selection":   func(o *graphs.Options) { o.Selection = "softmax" },
			"lambda":      func(o *graphs.Options) { o.Lambda = 0 },
		} {
			o := usual
			if change(&o); name != "" && !m.Reads(name) {
				continue
			}
			f, err := graphs.Fingerprint(o)
			if err != nil {
				t.Fatal(err)
			}
			if other, there := seen[f]; there {
				t.Errorf("%q and %q have one fingerprint", other, graphs.Pieces(o))
			}
			seen[f] = graphs.Pieces(o)
			o.Dim, o.Seed, o.Tau, o.Negatives, o.LearningRate = 7, 99, 2, 5, 1e-5
			graphs.Edit(&o, func(p *hetnet.PaperOptions) { p.TextLength, p.WordDim, p.MetaPaths = 7, 9, "APA,APPA" })
			if again, err := graphs.Fingerprint(o); err != nil || again != f {
				t.Errorf("%q: fingerprint %s, and %s with other numbers (%v)", graphs.Pieces(o), f, again, err)
			}
		}
	}
}

// recordsOfSeeds does runs of so many seeds, and returns their jobs and records.
func recordsOfSeeds(t *testing.T, r *Runner, n int) (jobs []Job, all []results.Record) {
	t.Helper()
	jobs, r.Jobs = tinyJobs(n), 1
	runAll(t, r, jobs)
	all = records(t, r.Store)
	if len(all) != n {
		t.Fatalf("%d records, want %d", len(all), n)
	}
	return jobs, all
}

func rewrite(t *testing.T, store string, all []results.Record) {
	t.Helper()
	if err := os.Remove(store); err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if err := r.Append(store); err != nil {
			t.Fatal(err)
		}
	}
}

// A record of another definition is not taken for the run: that is done anew, once, and told; one without a fingerprint counts.
func TestRunnerOlderDefinition(t *testing.T) {
	r := dataFolder(t)
	jobs, all := recordsOfSeeds(t, r, 3)
	now, err := graphs.Fingerprint(jobs[0].Options)
	if err != nil || all[0].Definition != now || now == "" {
		t.Fatalf("definition %q, want %q (%v)", all[0].Definition, now, err)
	}
	all[0].Definition, all[1].Definition = "0123456789abcdef", ""
	rewrite(t, r.Store, all)

	runs := NewRuns(all)
	if _, found := runs.Find(jobs[0]); found || len(runs.Seeds(jobs[0])) != 2 {
		t.Error("a record of another definition counts")
	}
	if len(runs.older) != 1 || runs.older[all0Key(t, all)] != "asp2vec" || len(runs.Conflicts) != 0 {
		t.Errorf("older %v, %d conflicts", runs.older, len(runs.Conflicts))
	}
	if _, found := runs.Find(jobs[1]); !found {
		t.Error("a record without a fingerprint does not count")
	}
	if !OfOlderDefinition(all[0]) || OfOlderDefinition(all[1]) || OfOlderDefinition(all[2]) {
		t.Error("the wrong records are of an older definition")
	}
	planned, err := r.Plan(jobs)
	if err != nil || planned[0].State != StateOlder || !planned[0].Todo() || planned[1].State != StateDone || len(OlderRuns(planned)) != 1 {
		t.Errorf("plan %+v, %v", planned, err)
	}
	var told map[string]int
	r.Monitor = func(e Event) {
		if e.Event == EventPlan {
			told = e.Older
		}
	}
	if got := runAll(t, r, jobs); got.Done != 1 || got.There != 2 || len(told) != 1 || told["asp2vec"] != 1 {
		t.Errorf("report %+v, told %v", got, told)
	}
	after := records(t, r.Store)
	if runs = NewRuns(after); len(after) != 4 || len(runs.older) != 0 || len(runs.Conflicts) != 0 || len(runs.Seeds(jobs[0])) != 3 {
		t.Errorf("%d records, %d older, %d conflicts", len(after), len(runs.older), len(runs.Conflicts))
	}
	if got := runAll(t, r, jobs); got.Done != 0 || told != nil {
		t.Errorf("once more: report %+v, told %v", got, told)
	}
}

func all0Key(t *testing.T, all []results.Record) string {
	t.Helper()
	j, err := JobOf(all[0])
	if err != nil {
		t.Fatal(err)
	}
	return j.Key()
}

// A record without a fingerprint counts only where definitions.json has the run's definition, and a failure of another definition
// is tried again.
func TestRecordsWithoutFingerprint(t *testing.T) {
	r := dataFolder(t)
	jobs, all := recordsOfSeeds(t, r, 2)
	all[0].Definition, all[1].Definition = "", "0123456789abcdef"
	all[1].Error = "no more memory"
	runs := NewRuns(all)
	if _, failed := runs.Failure(jobs[1]); failed || len(runs.older) != 0 {
		t.Error("a failure of another definition counts")
	}
	o := jobs[0].Options
	o.Selection, o.Readout = "hard", "max"
	if len(definitions()[graphs.Pieces(o)]) > 0 {
		t.Fatal("want options of no record")
	}
	if present("", o) {
		t.Error("a record without a fingerprint counts as of a definition that no record had")
	}
}

// Fingerprints of one list of definitions.json stand for one definition.
func TestDefinitionsOfTheSameNumbers(t *testing.T) {
	o := graphs.Default()
	now, err := graphs.Fingerprint(o)
	if err != nil {
		t.Fatal(err)
	}
	pieces := graphs.Pieces(o)
	kept := definitions()[pieces]
	defer func() { definitions()[pieces] = kept }()
	definitions()[pieces] = []string{"1111111111111111", now}
	for fingerprint, want := range map[string]bool{"": true, now: true, "1111111111111111": true, "2222222222222222": false} {
		if present(fingerprint, o) != want {
			t.Errorf("%q: present %v", fingerprint, !want)
		}
	}
	definitions()[pieces] = []string{"1111111111111111"} // what was edited since
	for fingerprint, want := range map[string]bool{"": false, now: true, "1111111111111111": false} {
		if present(fingerprint, o) != want {
			t.Errorf("after an edit, %q: present %v", fingerprint, !want)
		}
	}
}

// Figure's data of another definition are as if they were not there.
func TestFigureDataOfOlderDefinition(t *testing.T) {
	dir := t.TempDir()
	j := Job{Dataset: "Cora", Protocol: "validated", Options: graphs.Default()}
	for definition, want := range map[string]error{"": nil, "0123456789abcdef": ErrOlder} {
		if err := plot.WriteFigureData(dir, plot.FigureData{Key: j.Key(), Definition: definition}); err != nil {
			t.Fatal(err)
		}
		folder, _ := OpenFigures(dir)
		if _, err := folder.Read(j); !errors.Is(err, want) {
			t.Errorf("definition %q: %v, want %v", definition, err, want)
		}
	}
	f, err := FindFigure("5")
	if err != nil {
		t.Fatal(err)
	}
	panels := []FigurePanel{{Series: []FigureSeries{{Jobs: []Job{j}}}}}
	if err := plot.WriteFigureData(dir, plot.FigureData{Key: j.Key(), Definition: "0123456789abcdef"}); err != nil {
		t.Fatal(err)
	}
	if missing, older := drawingOf(t, f, filepath.Join(dir, "runs.jsonl"), panels).Missing(); len(missing) != 1 || len(older) != 1 {
		t.Errorf("%d missing, %d older", len(missing), len(older))
	}
}

func BenchmarkNewRuns(b *testing.B) {
	all, _, err := results.ReadStore(measuredStores[0])
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		NewRuns(all)
	}
}

func BenchmarkFingerprint(b *testing.B) {
	for _, m := range methods.All() {
		o, err := methods.Options(m.Name, graphs.Default)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(m.Name, func(b *testing.B) {
			start := time.Now()
			if _, err := graphs.Fingerprint(o); err != nil { // the first time works it out
				b.Fatal(err)
			}
			b.ReportMetric(float64(time.Since(start).Microseconds()), "µs/first")
		})
	}
}
