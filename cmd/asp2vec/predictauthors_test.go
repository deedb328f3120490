package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
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
	o := call.Of(methods.Options(hetnet.MethodM2V, graphs.Validated))(t)
	o.Dim, o.LearningRate, o.Batch, o.Epochs = 8, 0.03, 200, 8
	graphs.Edit(&o, func(p *hetnet.PaperOptions) { p.WordDim = 8 })
	o = o.Complete()
	words := call.Of(encode.TrainWords(context.Background(), b.Network, hetnet.TrainedAs(o), 1))(t)
	in := hetnet.OfPapers(b.Network, words)
	stages := call.Of(o.Method.Stages(context.Background(), graphs.Input{Typed: in}, o, 1))(t)
	l := stages[0].Learner
	for epoch := range o.Epochs {
		call.OK(t, l.Epoch(context.Background(), epoch+1, func(int64, engine.Loss) {}))
	}
	record := results.NewRecord(o.Method.Name)
	record.Options = call.Of(results.MarshalOptions(o))(t)
	e := call.Of(l.Embedding())(t)
	run := vectors.Run{Names: in.VertexNames(), D: e.D, Final: e.Final, Model: hetnet.Keep(in, l), Record: record}
	call.OK(t, vectors.WriteRun("model", false, run))
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
			Authors []struct {
				Rank   int
				Author string
				Score  float32
				Wrote  *bool
			}
		}
	}
	r := must(t, "predict", "--model", "model", "--text", "GRAPH link: quantum walk", "--top", "5", "--json")
	d := decode[doc](t, r.out)
	if d.Method != "m2v++" || len(d.Papers) != 1 || d.Papers[0].Words != 3 || !slices.Equal(d.Papers[0].Unknown, []string{"quantum"}) || len(d.Papers[0].Authors) != 5 {
		t.Fatalf("%+v", d)
	}
	says(t, r.err, "unknown=1 of=4 such_as=quantum")
	for i, a := range d.Papers[0].Authors {
		if a.Rank != i+1 || a.Wrote != nil || !strings.HasPrefix(a.Author, "A. ") || i > 0 && a.Score > d.Papers[0].Authors[i-1].Score {
			t.Errorf("a text of the first topic: %+v", d.Papers[0].Authors)
		}
	}
	write(t, "titles.txt", "gene cell protein\n\n  walk node link \n")
	text := must(t, "predict", "--model", "model", "--file", "titles.txt", "--top", "1").out
	says(t, text, "gene cell protein\n", "B. Author", "\nwalk node link\n", "A. Author", "rank", "score")
	if strings.Contains(text, "wrote") || strings.Contains(text, " 2 ") {
		t.Errorf("who wrote it is not known, and one author was asked for:\n%s", text)
	}
	in := shell.Program{In: strings.NewReader(read(t, "titles.txt"))}
	if piped := invokeWith(t.Context(), in, "predict", "--model", "model", "--file", "-", "--top", "1", "--threads", "3"); piped.out != text {
		t.Errorf("from a pipe: %+v, want\n%s", piped, text)
	}
	// A paper of the bibliography, whose authors are known.
	d = answer[doc](t, "predict", "--model", "model", "--bibliography", "papers", "--paper", "p81", "--top", "1000")
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

// measuredPapers is what evaluate prints of papers.
type measuredPapers struct {
	Method    string
	Metrics   results.Metrics
	Baselines map[string]results.Metrics
}

// A model of papers is measured by the half of the test papers that training reports on, beside what needs no training.
func TestEvaluateAuthors(t *testing.T) {
	enter(t)
	b := library(t)
	task := call.Of(b.Task())(t)
	saved := call.Of(hetnet.Load("model", 1))(t)
	want := call.Of(typed.Evaluate(t.Context(), saved.Ranker, task.Test, 1))(t)
	r := must(t, "evaluate", "model", "--bibliography", "papers", "--json")
	d := decode[measuredPapers](t, r.out)
	if d.Method != "m2v++" || !maps.Equal(d.Metrics, want) || len(d.Baselines) != 4 {
		t.Errorf("%+v, expected %v", d, want)
	}
	if alone := answer[measuredPapers](t, "evaluate", "--bibliography", "papers"); alone.Metrics != nil || !maps.Equal(alone.Baselines["tf-idf"], d.Baselines["tf-idf"]) {
		t.Errorf("without a model %+v", alone)
	}
}
