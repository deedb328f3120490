package store

import (
	"encoding/json"
	"flag"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/recordtest"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

var update = flag.Bool("update", false, "write definitions.json anew")

// measuredStores are those of the records that come with the program.
var measuredStores = []string{"../../results/measured/runs.jsonl", "../../results/recipe/runs.jsonl", "../../results/recipe/authors/runs.jsonl"}

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
			if Present(r.Definition, j.Options) {
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
		if !*update {
			t.Errorf("%s: %d records are of an older definition: want them measured anew, or where no number has changed see the comment of this test", what, n)
		}
	}
	if changed && *update {
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
			"encoder": func(o *graphs.Options) {
				graphs.Edit(o, func(p *hetnet.PaperOptions) { p.Encoder = hetnet.EncoderMean })
			},
			"word-epochs":  func(o *graphs.Options) { graphs.Edit(o, func(p *hetnet.PaperOptions) { p.WordEpochs = 0 }) },
			"word-vectors": func(o *graphs.Options) { graphs.Edit(o, func(p *hetnet.PaperOptions) { p.WordVectors = "words.vec" }) },
			"indirect":     func(o *graphs.Options) { graphs.Edit(o, func(p *hetnet.PaperOptions) { p.Indirect = 0 }) },
			"dropout":      func(o *graphs.Options) { graphs.Edit(o, func(p *hetnet.PaperOptions) { p.Dropout = 0 }) },
			"aspect-context": func(o *graphs.Options) {
				graphs.Edit(o, func(p *hetnet.PaperOptions) { p.Context = hetnet.ContextBoth })
			},
			"aspect-variant": func(o *graphs.Options) {
				graphs.Edit(o, func(p *hetnet.PaperOptions) { p.Variant = hetnet.VariantLiteral })
			},
			"lambda-mean": func(o *graphs.Options) { o.MeanPenalty = true },
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

// A record without a fingerprint counts only where definitions.json has the run's definition, and a failure of another definition
// is tried again.
func TestRecordsWithoutFingerprint(t *testing.T) {
	var jobs []Job
	var all []results.Record
	for seed := range uint64(2) {
		j := Job{Dataset: "Cora", Protocol: "custom", Options: tiny.Options(graphs.SelectLast)}
		j.Options.Seed = seed + 1
		jobs, all = append(jobs, j), append(all, recordtest.Of(t, j.Dataset, j.Protocol, j.Options, .5, .5))
	}
	all[0].Definition, all[1].Definition = "", "0123456789abcdef"
	all[1].Error = "no more memory"
	runs := NewRuns(all)
	if _, failed := runs.Failure(jobs[1].Key()); failed || len(runs.older) != 0 {
		t.Error("a failure of another definition counts")
	}
	o := jobs[0].Options
	o.Selection, o.Readout = "hard", "max"
	if len(definitions()[graphs.Pieces(o)]) > 0 {
		t.Fatal("want options of no record")
	}
	if Present("", o) {
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
		if Present(fingerprint, o) != want {
			t.Errorf("%q: present %v", fingerprint, !want)
		}
	}
	definitions()[pieces] = []string{"1111111111111111"} // what was edited since
	for fingerprint, want := range map[string]bool{"": false, now: true, "1111111111111111": false} {
		if Present(fingerprint, o) != want {
			t.Errorf("after an edit, %q: present %v", fingerprint, !want)
		}
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
