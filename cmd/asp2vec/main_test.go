package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// ran is what one run of the command line came to.
type ran struct {
	code     int
	out, err string
}

// invoke runs the command line in this process.
func invoke(args ...string) ran { return invokeWith(context.Background(), shell.Program{}, args...) }

// invokeWith runs it with what is set in p; streams that are not set are empty, or are collected.
func invokeWith(ctx context.Context, p shell.Program, args ...string) ran {
	var out, err bytes.Buffer
	if p.In == nil {
		p.In = strings.NewReader("")
	}
	if p.Out == nil {
		p.Out = &out
	}
	if p.Err == nil {
		p.Err = &err
	}
	code := p.Run(ctx, groups(), complete, append([]string{"asp2vec"}, args...))
	return ran{code, out.String(), err.String()}
}

// must runs the command line and fails the test if it does not exit with 0.
func must(t *testing.T, args ...string) ran {
	t.Helper()
	r := invoke(args...)
	if r.code != 0 {
		t.Fatalf("asp2vec %s: exit code %d\n%s", strings.Join(args, " "), r.code, r.err)
	}
	return r
}

// exits expects an exit code, and texts in the log.
func (r ran) exits(t *testing.T, code int, want ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, expected %d: %s", r.code, code, r.err)
	}
	says(t, r.err, want...)
}

// says expects each of some texts in another one.
func says(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
}

// enter makes a new folder the current one, without the user's settings.
func enter(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("ASP2VEC_DATA", "")
	t.Setenv("ASP2VEC_RESULTS", "")
	os.Unsetenv("ASP2VEC_RESULTS") // set to nothing would mean: no store
}

func write(t *testing.T, path, text string) {
	t.Helper()
	call.OK(t, os.MkdirAll(filepath.Dir(path), 0o777))
	call.OK(t, os.WriteFile(path, []byte(text), 0o666))
}

func read(t *testing.T, path string) string {
	t.Helper()
	b := call.Of(os.ReadFile(path))(t)
	return string(b)
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func decode[T any](t *testing.T, text string) (v T) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Fatalf("more than one JSON document in %q", text)
	}
	return v
}

// answer is what the command line prints with --json.
func answer[T any](t *testing.T, args ...string) T {
	t.Helper()
	return decode[T](t, must(t, append(slices.Clip(args), "--json")...).out)
}

// quick are flags that make a run of the karate club take milliseconds.
var quick = []string{"--dim", "4", "--aspects", "2", "--walks", "2", "--walk-length", "10", "--epochs", "3"}

// karate makes the karate club's network karate.tsv and its split in split.
func karate(t *testing.T) {
	t.Helper()
	enter(t)
	must(t, "data", "generate", "karate", "--out", "karate.tsv")
	must(t, "split", "--network", "karate.tsv", "--remove", "0.3", "--rule", "ce1", "--out", "split")
}

func train(t *testing.T, args ...string) ran {
	t.Helper()
	return must(t, append(append([]string{"train"}, quick...), recordedIn(args)...)...)
}

// recordedIn adds to a training what most tests want: its record in the folder results, and no folder of its own where none is named.
func recordedIn(args []string) []string {
	if !slices.Contains(args, "--out") {
		args = append(args, "--out", "none")
	}
	if !slices.Contains(args, "--results") && os.Getenv("ASP2VEC_RESULTS") == "" {
		args = append(args, "--results", "results")
	}
	return args
}

func TestTrainWritesARun(t *testing.T) {
	karate(t)
	r := train(t, "--split", "split", "--protocol", "validated", "--out", "deep/run")
	for _, f := range []string{vectors.EmbeddingFile, vectors.CenterFile, vectors.AspectsFile, vectors.VerticesFile, results.RecordFile} {
		if !exists(filepath.Join("deep/run", f)) {
			t.Errorf("no %s", f)
		}
	}
	if first, _, _ := strings.Cut(read(t, "deep/run/embedding.vec"), "\n"); first != "34 4" {
		t.Errorf("embedding.vec begins with %q, expected 34 4", first)
	}
	says(t, r.out, "test AUC", "validation AUC", "best by validation", "pairs/s", "peak memory", "deep/run/embedding.vec", "results")
	says(t, r.err, "vertices=34", "parameters=408", "asp2vec epoch 1 ") // 34 vertices x 4 numbers x (2 aspects and a centre)
	rec := call.Of(results.ReadRecord("deep/run"))(t)
	stored, problems, err := results.ReadStore("results")
	if err != nil || len(problems) > 0 || len(stored) != 1 {
		t.Fatalf("%d records, problems %v, %v", len(stored), problems, err)
	}
	if rec.Metrics["auc"] == 0 || stored[0].Metrics["auc"] != rec.Metrics["auc"] {
		t.Errorf("record says %v, store %v", rec.Metrics, stored[0].Metrics)
	}
	if got := strings.Join(rec.Command, " "); !strings.HasPrefix(got, "asp2vec train --dim 4") {
		t.Errorf("the record's command is %q", got)
	}
	if !strings.Contains(invoke(append([]string{"train", "--split", "split", "--out", "deep/run"}, quick...)...).err, "--force") {
		t.Error("a second run into the folder does not point to --force")
	}
	train(t, "--split", "split", "--out", "deep/run", "--force", "--seed", "2")
	if rec, _ := results.ReadRecord("deep/run"); rec.Seed != 2 {
		t.Errorf("--force left seed %d", rec.Seed)
	}
}

// The number that train prints is that of the vectors it wrote.
func TestEvaluateAgreesWithTrain(t *testing.T) {
	karate(t)
	must(t, "split", "--network", "karate.tsv", "--directed", "--remove", "0.2", "--rule", "ce1", "--out", "directed")
	type scores struct {
		AUC       float64 `json:"auc"`
		AUCRandom float64 `json:"auc_random"`
	}
	for _, split := range []string{"split", "directed"} {
		train(t, "--split", split, "--out", "run-"+split)
		rec := call.Of(results.ReadRecord("run-" + split))(t)
		for _, embedding := range []string{"run-" + split, "run-" + split + "/embedding.vec"} {
			got := answer[scores](t, "evaluate", "--split", split, "--embedding", embedding)
			// The files hold every bit of the vectors; the classifier starts from scratch both times.
			if got.AUC != rec.Metrics["auc"] || got.AUCRandom != rec.Metrics["auc_random"] {
				t.Errorf("%s: evaluate %v, train %v", embedding, got, rec.Metrics)
			}
		}
	}
	text := must(t, "evaluate", "--split", "directed", "--embedding", "run-directed").out
	says(t, text, "reverses of links", "random pairs")
	// center.npy is a table of the same vertices, named by the file beside it or by another.
	must(t, "evaluate", "--split", "split", "--embedding", "run-split/center.npy")
	must(t, "evaluate", "--split", "split", "--embedding", "run-split/center.npy", "--vertices", "run-split/vertices.txt")
	invoke("evaluate", "--split", "split", "--embedding", "run-split/aspects.npy").exits(t, 2, "shape")
}

func TestThreadsDoNotShow(t *testing.T) {
	karate(t)
	for _, n := range []string{"1", "2", "3"} {
		train(t, "--split", "split", "--out", "threads"+n, "--threads", n)
		if got, want := read(t, "threads"+n+"/embedding.vec"), read(t, "threads1/embedding.vec"); got != want {
			t.Errorf("embedding.vec of %s threads differs from that of one", n)
		}
	}
	train(t, "--split", "split", "--out", "other", "--seed", "2")
	if read(t, "other/embedding.vec") == read(t, "threads1/embedding.vec") {
		t.Error("another seed gives the same embedding")
	}
}

func TestOwnNetwork(t *testing.T) {
	karate(t)
	r := must(t, append([]string{"train", "karate.tsv", "--protocol", "validated"}, quick...)...)
	if strings.Contains(r.out, "test AUC") || !strings.Contains(r.out, "validation AUC") || !strings.Contains(r.out, "78, 10 % of them held out") {
		t.Errorf("a whole network: out\n%s\nlog\n%s", r.out, r.err)
	}
	// The embedding lies beside the data, with its record, and nothing else is written.
	if !exists("karate.asp2vec/embedding.vec") || exists("results") || !strings.HasSuffix(strings.TrimSpace(r.out), "karate.asp2vec/embedding.vec") {
		t.Errorf("no karate.asp2vec, or a store:\n%s%s", r.out, r.err)
	}
	invoke(append([]string{"train", "karate.tsv"}, quick...)...).exits(t, 2, "karate.asp2vec holds a run of asp2vec, seed 1 already")
	says(t, train(t, "--network", "karate.tsv").out, "nothing is measured", "not written")
	// The same from standard input, with all links and no score.
	piped := invokeWith(context.Background(), shell.Program{In: strings.NewReader(read(t, "karate.tsv"))},
		append([]string{"train", "--network", "-", "--select", "last", "--out", "piped"}, quick...)...)
	if piped.code != 0 || !strings.Contains(piped.out, "the last") || strings.Contains(piped.out, "AUC") {
		t.Errorf("from a pipe: %+v", piped)
	}
	rec, err := results.ReadRecord("piped")
	if err != nil || rec.Dataset.Train != 78 || rec.Dataset.Name != "stdin" {
		t.Errorf("record %+v, %v", rec.Dataset, err)
	}
}

// A small validation set is warned of, once, and only where it is used.
func TestFewLinksChoose(t *testing.T) {
	karate(t)
	must(t, "data", "generate", "planted", "--vertices", "300", "--mean-degree", "20", "--communities", "10", "--out", "planted.tsv")
	const warning = " set is small: an AUC on so few links"
	for i, test := range []struct {
		args []string
		want int
	}{
		{[]string{"--split", "split", "--protocol", "validated"}, 1},
		{[]string{"--split", "split"}, 0},
		{[]string{"--split", "split", "--hold-out", "0.2"}, 1},
		{[]string{"--split", "split", "--protocol", "paper"}, 1},
		{[]string{"--split", "split", "--protocol", "validated", "--select", "last"}, 0},
		{[]string{"--network", "planted.tsv", "--protocol", "validated"}, 0}, // 300 of 3,000
	} {
		r := train(t, test.args...)
		if got := strings.Count(r.err, warning); got != test.want {
			t.Errorf("train %v warns %d times of few links, expected %d:\n%s", test.args, got, test.want, r.err)
		}
		if i == 0 && !strings.Contains(r.err, "validation_links=5 enough=100") {
			t.Errorf("it does not say how many links there are:\n%s", r.err)
		}
	}
}

func TestDataset(t *testing.T) {
	karate(t)
	// A data set that came without a split is embedded whole; with one, that is used.
	must(t, "data", "generate", "planted", "--vertices", "60", "--communities", "4", "--out", "data/cora")
	args := recordedIn(append([]string{"train", "--dataset", "cora", "--data", "data"}, quick...))
	type doc struct{ Record results.Record }
	if d := answer[doc](t, args...).Record.Dataset; d.Name != "Cora" || d.Test != 0 || d.Train != d.Links {
		t.Errorf("links were hidden: %+v", d)
	}
	if r := answer[doc](t, append(args, "--hold-out", "0.2")...).Record; r.Metrics["validation_auc"] == 0 {
		t.Errorf("held out, and not measured: %+v", r.Metrics)
	}
	must(t, "split", "--network", "karate.tsv", "--rule", "ce1", "--remove", "0.3", "--out", "data/cora/split")
	if d := answer[doc](t, args...).Record.Dataset; d.Vertices != 34 || d.Test == 0 {
		t.Errorf("the split was not used: %+v", d)
	}
}

// Whoever reads the output may stop: that is no error, and no message.
func TestClosedPipe(t *testing.T) {
	karate(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	// The file of a pipe on descriptor 1 would end the process by SIGPIPE; on any other it gives EPIPE.
	got := invokeWith(context.Background(), shell.Program{Out: w}, "methods", "--log-level", "error")
	if got.code != 0 || got.err != "" {
		t.Errorf("%+v, expected silence", got)
	}
}

// Features are often of more vertices than a network has; how many were not taken is said, as it may be a mistake.
func TestFeaturesOfOtherVertices(t *testing.T) {
	karate(t)
	write(t, "words", "1 0 1\n2 1\nnobody 2\n")
	report := must(t, "train", "--out", "none", "--network", "karate.tsv", "--method", "dgi", "--features", "words", "--epochs", "2").out
	want := "32 of 34 vertices have none; lines of vertices that are not in the network: 1"
	says(t, report, want)
	write(t, "strangers", "nobody 2\n")
	refused(t, "strangers alone", []string{"train", "--network", "karate.tsv", "--method", "dgi", "--features", "strangers"},
		"no feature of any of the 34 vertices", "nobody")
}
