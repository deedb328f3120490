package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/hetnet"
)

// small is a bibliography of which an epoch has several batches of 400 pairs.
func small(t *testing.T) *hetnet.Bibliography {
	t.Helper()
	o := hetnet.DefaultPlanted()
	o.Authors, o.Papers, o.Topics, o.Vocabulary, o.Tokens = 40, 60, 3, 50, 4
	p, err := o.Generate()
	if err != nil {
		t.Fatal(err)
	}
	p.Bibliography.Papers[p.Bibliography.Train[3]].Tokens = nil
	return p.Bibliography
}

func TestParseOptions(t *testing.T) {
	o, err := parseOptions(nil, io.Discard)
	if err != nil || len(o.tasks) != 10 || o.tasks[1] != (task{"camel", "abstracts", 40}) || o.tasks[1].String() != "camel/abstracts/40" {
		t.Errorf("defaults: %v, %v", o.tasks, err)
	}
	for _, args := range [][]string{
		{"--tasks", "camel/titles"}, {"--tasks", "camel/poems/40"}, {"--tasks", "m2v++/titles/40"}, {"--tasks", "camel/titles/0"},
		{"--tasks", "camel/titles/x"}, {"--tasks", ""}, {"--threads", "0"}, {"--limit", "0s"}, {"--rounds", "0"}, {"--check"}, {"more"},
	} {
		if _, err := parseOptions(args, io.Discard); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

func TestAbstracts(t *testing.T) {
	b := small(t)
	long := abstracts(b)
	if err := long.Check(); err != nil {
		t.Error(err)
	}
	texts := trainTexts(long)
	if mean := float64(tokens(texts)) / float64(len(texts)); mean < 90 || mean > 110 {
		t.Errorf("%.1f words on average, want about 100", mean)
	}
	if !slices.EqualFunc(texts, trainTexts(abstracts(b)), slices.Equal) || slices.EqualFunc(texts, trainTexts(b), slices.Equal) {
		t.Error("want the same texts again, and the bibliography as it was")
	}
	var count [3]int // of each third of the words: frequencies fall with the number
	for _, text := range zipf(400, 10, 10, 30) {
		for _, w := range text {
			count[w/10]++
		}
	}
	if !(count[0] > count[1] && count[1] > count[2] && count[2] > 500) {
		t.Errorf("words are there %v times, want fewer of later ones", count)
	}
}

// The losses of the arrays that PyTorch reads, worked out anew in loss_test.go, are those of the learners; and an epoch has the
// steps that times are multiplied by.
func TestBatchesAreTheLearners(t *testing.T) {
	b := small(t)
	in := hetnet.Input{Bibliography: b, Words: randomWords(b)}
	for model, loss := range map[string]func(*testing.T, arrays, hetnet.Input) float64{hetnet.MethodCamel: camelLoss, hetnet.MethodAsp2vecHet: hetLoss} {
		o, err := modelOptions(task{model, "titles", 6}, true)
		if err != nil {
			t.Fatal(err)
		}
		o.Batch, o.Aspects = 400, 3
		if model == hetnet.MethodCamel {
			o.Batch = 30
		}
		l, err := newLearner(t.Context(), in, o, 2)
		if err != nil {
			t.Fatal(err)
		}
		enlarge(l.Parameters())
		batches, steps, err := camelBatches(t.Context(), b, o)
		if model == hetnet.MethodAsp2vecHet {
			batches, steps, err = hetBatches(t.Context(), b, o)
		}
		f := arrays{dir: t.TempDir()}
		if err == nil {
			err = writeArrays(f.dir, o, in, l.Parameters(), batches)
		}
		if err != nil {
			t.Fatal(err)
		}
		want := loss(t, f, in)
		own := &ownSide{learner: l}
		got, err := own.run(t.Context(), 1e6, time.Hour)
		if err != nil || got.Steps != steps || steps < 3 {
			t.Fatalf("%s: %d steps, want %d: %v", model, got.Steps, steps, err)
		}
		if err := agree(got.Losses[:1], []float64{want}); err != nil {
			t.Errorf("%s: %v", model, err)
		}
	}
}

func TestAgree(t *testing.T) {
	for _, x := range [][2][]float64{{{1}, {1.001}}, {{1}, {1, 2}}, {nil, nil}} {
		if agree(x[0], x[1]) == nil {
			t.Errorf("%v: no error", x)
		}
	}
	if err := agree([]float64{1, 2}, []float64{1, 2.0001}); err != nil {
		t.Error(err)
	}
}

// Hand arithmetic: 2 of 10 steps in 1 s make 5 s of an epoch.
func TestMarkdown(t *testing.T) {
	r := record{Rounds: 2, Threads: 2, Results: []*result{
		{task: task{"camel", "titles", 40}, StepsPerEpoch: 10, Times: [2][]timing{
			{{Steps: 2, Wall: 1, CPU: 2}, {Steps: 10, Wall: 5, CPU: 8}}, {{Steps: 1, Wall: 2, CPU: 2}, {Steps: 1, Wall: 3, CPU: 4}}}},
		{task: task{"asp2vec-het", "titles", 40}, StepsPerEpoch: 10, Times: [2][]timing{{{Steps: 1, Wall: 7, CPU: 7}}}},
	}}
	r.Bibliography.Papers = 4
	page := r.markdown()
	for _, want := range []string{
		"| camel/titles/40 | 0.0 | 10 | 2 | 5 [5, 5] | 25 [20, 30] | 5 [4, 6] | 9 [8, 10] | 30 [20, 40] | 3.5 [2, 5] |",
		"| camel/titles/40: an epoch in under 30 s | 5 | yes |", "| camel/titles/40: 5 times as fast as PyTorch | 5 | yes |",
		"| asp2vec-het/titles/40: an epoch in under 60 s | 70 | no |", "| 70 [70, 70] | – | – |",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no line %s in\n%s", want, page)
		}
	}
}

// Without PyTorch this project alone is measured.
func TestRunAlone(t *testing.T) {
	o, err := parseOptions([]string{"--tasks", "camel/titles/4,encoder/abstracts/4", "--rounds", "1", "--limit", "1ms"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	b := small(t)
	r := newRecord(o, b)
	for _, task := range o.tasks {
		res, err := measure(t.Context(), o, b, task, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		r.add(res)
	}
	dir := t.TempDir()
	if err := r.write(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "papers.json"))
	var back record
	if err == nil {
		err = json.Unmarshal(text, &back)
	}
	if err != nil || len(back.Results) != 2 || len(back.Results[0].Times[0]) != 1 || back.Results[0].Dim != 4 {
		t.Errorf("%s: %v", text, err)
	}
}

// The same losses in PyTorch, where it is.
func TestPeerAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("loads PyTorch")
	}
	python := ""
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		if python == "" && exec.Command(p, "-c", "import torch").Run() == nil {
			python = p
		}
	}
	if python == "" {
		t.Skip("no torch: apt-get install python3-torch")
	}
	o, err := parseOptions([]string{"--check", "--python", python, "--peer", "peer.py", "--tasks", "camel/titles/6,asp2vec-het/titles/6"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := checkAll(context.Background(), o, small(t), &out); err != nil {
		t.Errorf("%v\n%s", err, &out)
	}
}
