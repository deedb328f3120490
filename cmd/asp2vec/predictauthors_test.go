package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// library writes two folders: papers, a bibliography of two topics, each with ten authors and four words of its own, and model,
// a run of M2V++ on it.
func library(t *testing.T) *papers.Bibliography {
	t.Helper()
	topics := []string{"graph link walk node", "Gene cell protein tissue"}
	var table strings.Builder
	for i := range 90 {
		topic, kind := i%2, "train"
		if i >= 80 {
			kind = "test"
		}
		author := func(j int) string { return fmt.Sprintf("%c. Author%d", 'A'+byte(topic), (i/2+j)%10) }
		words := strings.Fields(topics[topic])
		fmt.Fprintf(&table, "p%d\t%s\tvenue\t%s,%s\t\t%s %s %s the\n", i, kind, author(0), author(3), words[i%4], words[i/4%4], words[(i+1)%4])
	}
	write(t, "papers/papers.tsv", table.String())
	b, _, err := papers.Read("papers")
	if err != nil {
		t.Fatal(err)
	}
	o, err := methods.Options(hetnet.MethodM2V, graphs.Validated)
	if err != nil {
		t.Fatal(err)
	}
	o.Dim, o.LearningRate, o.Batch, o.Epochs = 8, 0.03, 200, 8
	graphs.Edit(&o, func(p *hetnet.PaperOptions) { p.WordDim = 8 })
	o = o.Complete()
	wordOptions := encode.DefaultWords()
	wordOptions.Dim = hetnet.Own(o).WordDim
	words, err := encode.TrainWords(context.Background(), b.Network, wordOptions, 1)
	if err != nil {
		t.Fatal(err)
	}
	in := hetnet.OfPapers(b.Network, words)
	stages, err := o.Method.Stages(context.Background(), graphs.Input{Typed: in}, o, 1)
	if err != nil {
		t.Fatal(err)
	}
	l := stages[0].Learner
	for epoch := range o.Epochs {
		if err := l.Epoch(context.Background(), epoch+1, func(int64, graphs.Loss) {}); err != nil {
			t.Fatal(err)
		}
	}
	record := results.NewRecord(o.Method.Name)
	if record.Options, err = results.MarshalOptions(o); err != nil {
		t.Fatal(err)
	}
	e, err := l.Embedding()
	if err != nil {
		t.Fatal(err)
	}
	run := vectors.Run{Names: in.VertexNames(), D: e.D, Final: e.Final, Model: hetnet.Keep(in, l), Record: record}
	if err := vectors.WriteRun("model", false, run); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestPredictAuthors(t *testing.T) {
	enter(t)
	library(t)
	type doc struct {
		Method string
		Papers []struct {
			Paper   string
			Words   int
			Unknown []string
			Authors []rankedAuthor
		}
	}
	r := must(t, "predict", "--model", "model", "--text", "GRAPH link: quantum walk", "--top", "5", "--json")
	d := decode[doc](t, r.out)
	if d.Method != "m2v++" || len(d.Papers) != 1 || d.Papers[0].Words != 3 || !slices.Equal(d.Papers[0].Unknown, []string{"quantum"}) || len(d.Papers[0].Authors) != 5 {
		t.Fatalf("%+v", d)
	}
	if !strings.Contains(r.err, "unknown=1 of=4 such_as=quantum") {
		t.Errorf("unknown words are not told:\n%s", r.err)
	}
	for i, a := range d.Papers[0].Authors {
		if a.Rank != i+1 || a.Wrote != nil || !strings.HasPrefix(a.Author, "A. ") || i > 0 && a.Score > d.Papers[0].Authors[i-1].Score {
			t.Errorf("a text of the first topic: %+v", d.Papers[0].Authors)
		}
	}
	write(t, "titles.txt", "gene cell protein\n\n  walk node link \n")
	text := must(t, "predict", "--model", "model", "--file", "titles.txt", "--top", "1").out
	for _, want := range []string{"gene cell protein\n", "B. Author", "\nwalk node link\n", "A. Author", "rank", "score"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "wrote") || strings.Contains(text, " 2 ") {
		t.Errorf("who wrote it is not known, and one author was asked for:\n%s", text)
	}
	in := program{in: strings.NewReader(read(t, "titles.txt"))}
	if piped := invokeWith(t.Context(), in, "predict", "--model", "model", "--file", "-", "--top", "1", "--threads", "3"); piped.out != text {
		t.Errorf("from a pipe: %+v, want\n%s", piped, text)
	}
	// A paper of the bibliography, whose authors are known.
	d = decode[doc](t, must(t, "predict", "--model", "model", "--bibliography", "papers", "--paper", "p81", "--top", "1000", "--json").out)
	var wrote []string
	for _, a := range d.Papers[0].Authors {
		if *a.Wrote {
			wrote = append(wrote, a.Author)
		}
	}
	slices.Sort(wrote)
	if len(d.Papers[0].Authors) != 20 || !slices.Equal(wrote, []string{"B. Author0", "B. Author3"}) {
		t.Errorf("%d authors ranked, marked are %v", len(d.Papers[0].Authors), wrote)
	}
	if table := must(t, "predict", "--model", "model", "--bibliography", "papers", "--paper", "p81", "--top", "20").out; strings.Count(table, "yes") != 2 || !strings.Contains(table, "wrote it") {
		t.Errorf("not marked:\n%s", table)
	}
}

func TestEvaluateAuthors(t *testing.T) {
	enter(t)
	b := library(t)
	run := func(args ...string) authorsEvaluation {
		return decode[authorsEvaluation](t, must(t, append([]string{"evaluate", "authors", "--bibliography", "papers", "--model", "model", "--json"}, args...)...).out)
	}
	both := run("--half", "both")
	if both.Papers != 10 || both.Method != "m2v++" || both.Halves != "published" || len(both.Metrics) != 16 || len(both.Random) != 16 {
		t.Errorf("%+v", both)
	}
	// Authors of the other topic are below. There are 20 authors, all of them candidates, each once.
	if both.Metrics["auc"] < 0.6 || both.Random["auc"] != 0.5 || math.Abs(both.Random["recall@10"]-0.5) > 1e-9 || both.Metrics["recall@20"] != 1 {
		t.Errorf("%+v", both)
	}
	// The halves make the whole, and are as the package has them.
	task, err := papers.NewIdentification(b, papers.HalvesOptions{Halves: papers.HalvesPublished})
	if err != nil {
		t.Fatal(err)
	}
	saved, err := hetnet.Load("model", 1)
	if err != nil {
		t.Fatal(err)
	}
	want, err := task.Evaluate(t.Context(), saved.Ranker, task.Test, 1)
	if err != nil {
		t.Fatal(err)
	}
	dev, test := run("--half", "dev"), run()
	if test.Half != "test" || test.Papers != 4 || dev.Papers != 6 || fmt.Sprint(test.Metrics) != fmt.Sprint(results.Metrics(want.Metrics())) {
		t.Errorf("%+v, expected %v", test, want.Metrics())
	}
	for name, x := range both.Metrics {
		if mean := (6*dev.Metrics[name] + 4*test.Metrics[name]) / 10; !strings.HasPrefix(name, "f1") && math.Abs(x-mean) > 1e-12 {
			t.Errorf("%s of both halves: %v, expected %v", name, x, mean)
		}
	}
	one, two := run("--halves", "random", "--seed", "1"), run("--halves", "random", "--seed", "2")
	if one.Seed != 1 || fmt.Sprint(one.Metrics) == fmt.Sprint(two.Metrics) || test.Seed != 0 {
		t.Errorf("random halves: %+v and %+v", one, two)
	}
	text := must(t, "evaluate", "authors", "--bibliography", "papers", "--model", "model").out
	for _, want := range []string{"first 20", "recall", "precision", "F1", "random", "AUC " + auc(test.Metrics["auc"]).String() + ", random 0.5000.", "Scored 4 of 10 test papers",
		"ignoring the text: recalls ", "AUC " + auc(test.Popularity["auc"]).String() + ".",
		"by tf-idf of their training papers, not trained: recalls ", "AUC " + auc(test.TFIDF["auc"]).String() + "."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
