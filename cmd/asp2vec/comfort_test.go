package main

import (
	"encoding/json"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// Flags of other programs mean the flags here, a network's file needs no flag, and the record says what was meant.
func TestFamiliarNames(t *testing.T) {
	karate(t)
	must(t, "train", "karate.tsv", "--dimensions", "4", "--num_walks=2", "--walk_length", "10", "--window-size", "2", "--aspects", "2",
		"--lr", "0.01", "--batch-size", "100", "--iter", "2", "--workers", "1", "--output", "run")
	r, err := vectors.ReadRecord("run")
	if err != nil {
		t.Fatal(err)
	}
	o, err := methods.Decode(r.Method, r.Options)
	if err != nil || o.Dim != 4 || o.Walks != 2 || o.Length != 10 || o.Window != 2 || o.LearningRate != 0.01 || o.Batch != 100 || o.Epochs != 2 {
		t.Errorf("options %+v, %v", o, err)
	}
	const want = "asp2vec train --dim 4 --walks 2 --walk-length 10 --window 2 --aspects 2 --learning-rate 0.01 --batch 100 --epochs 2 --threads 1 --out run --network karate.tsv"
	if got := strings.Join(r.Command, " "); got != want {
		t.Errorf("the record's command is %q", got)
	}
	if r := must(t, "aspects", "1", "--model", "run", "--top", "2"); !strings.Contains(r.err, "which the run's record names") {
		t.Errorf("the links of a file that was given without a flag are not found:\n%s", r.err)
	}
	flags := everyFlag((&program{}).app().Commands)
	for alias, name := range aliases {
		if find(flags, name) == nil || find(flags, alias) != nil {
			t.Errorf("alias %s of %s: want a name of no flag, of a flag", alias, name)
		}
	}
	for _, args := range []string{"train karate.tsv other.tsv", "train --network karate.tsv other.tsv"} {
		if r := invoke(strings.Fields(args)...); r.code != 2 || !strings.Contains(r.err, `"other.tsv": want one FILE or --network FILE`) {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

// Help beside a method has its options alone, with its defaults; on a narrow terminal lines are broken.
func TestHelpOfAMethod(t *testing.T) {
	help := must(t, "train", "--help", "--method", "deepwalk").out
	if !strings.Contains(help, "D dimensions of each vector (default: 100)") || strings.Contains(help, "--aspects") || strings.Contains(help, "--meta-paths") || !strings.Contains(help, "--out DIR") {
		t.Errorf("help of deepwalk:\n%s", help)
	}
	if !strings.Contains(must(t, "train", "--help", "--method", "splitter", "--protocol", "paper").out, "vertices on each side of a centre (default: 5)") {
		t.Error("help of splitter under the protocol paper has not its window")
	}
	if r := invoke("train", "--help", "--method", "deepwlak"); r.code != 2 || !strings.Contains(r.err, "deepwalk") {
		t.Errorf("an unknown method: %+v", r)
	}
	whole := must(t, "train", "--help").out
	for _, want := range []string{"Only node2vec\n", "--select validation|test|loss|last", "--noise pair|window"} {
		if !strings.Contains(whole, want) {
			t.Errorf("no %q in\n%s", want, whole)
		}
	}
	narrow := invokeWith(t.Context(), program{terminal: true, width: 72}, "train", "--help").out
	for line := range strings.Lines(narrow) {
		if len(line) > 73 && !strings.HasPrefix(strings.TrimSpace(line), "asp2vec ") && strings.Count(strings.TrimSpace(line), " ") > 2 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	if strings.Join(strings.Fields(narrow), " ") != strings.Join(strings.Fields(whole), " ") {
		t.Error("breaking lines changes words")
	}
}

// On a narrow terminal the vertices near an aspect take several lines, and none is lost.
func TestAspectsFit(t *testing.T) {
	karate(t)
	train(t, "--network", "karate.tsv", "--out", "run")
	whole := must(t, "aspects", "1", "--model", "run").out
	narrow := invokeWith(t.Context(), program{terminal: true, width: 60, page: 60}, "aspects", "1", "--model", "run").out
	for line := range strings.Lines(narrow) {
		if n := utf8.RuneCountInString(line); n > 61 && strings.Contains(line, "(") {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if a, b := strings.Count(narrow, "("), strings.Count(whole, "("); a != b || strings.Count(narrow, "\n") <= strings.Count(whole, "\n") {
		t.Errorf("%d vertices in\n%s\nwant %d", a, narrow, b)
	}
}

func TestCompletion(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{nil, "aspects"},
		{[]string{"tr"}, "train"},
		{[]string{"data", "fe"}, "fetch"},
		{[]string{"train", "--pair-l"}, "--pair-loss --pair-loss-margin --pair-loss-temperature"},
		{[]string{"train", "--selection", "s"}, "softmax straight-through"},
		{[]string{"train", "--protocol", ""}, "paper standard validated"},
		{[]string{"train", "--walks_in_memory", "--threads", "2", "--select", "l"}, "last loss"},
		{[]string{"train", "--network", ""}, ""}, // the shell offers files
		{[]string{"nothing", ""}, ""},
	} {
		got := strings.Fields(must(t, append([]string{"complete", "--"}, c.words...)...).out)
		if c.words == nil {
			got = slices.DeleteFunc(got, func(s string) bool { return s != "aspects" })
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q may become %q, want %q", c.words, got, c.want)
		}
	}
	if got := must(t, "complete", "--", "comp").out; got != "completion\n" {
		t.Errorf("comp may become %q: want no hidden command", got)
	}
	for shell := range completionScripts {
		script := must(t, "completion", shell).out
		if path, err := exec.LookPath(shell); err == nil {
			if out, err := exec.Command(path, "-n", "-c", script).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", shell, err, out)
			}
		}
	}
	if r := invoke("completion", "tcsh"); r.code != 2 || !strings.Contains(r.err, "bash|fish|zsh") {
		t.Errorf("%+v", r)
	}
}

// The manual page has every command and every flag that help shows.
func TestMan(t *testing.T) {
	page := strings.NewReplacer(`\-`, "-", `\&`, "").Replace(must(t, "man").out)
	for words, c := range leaves() {
		if c.Hidden {
			continue
		}
		if !strings.Contains(page, "asp2vec "+words+" ") {
			t.Errorf("no %s", words)
		}
		for _, f := range c.VisibleFlags() {
			if name := f.Names()[0]; len(name) > 1 && name != "help" && !strings.Contains(page, "--"+name) {
				t.Errorf("no --%s of %s", name, words)
			}
		}
	}
}

// What config prints is a sweep of that run.
func TestConfig(t *testing.T) {
	enter(t)
	text := must(t, "config", "--method", "splitter", "--dim", "7", "--seed", "3").out
	write(t, "sweep.yaml", text)
	plan := must(t, "sweep", "sweep.yaml", "--dry-run", "--full").out
	if !strings.Contains(plan, "splitter") || strings.Contains(text, "features:") {
		t.Errorf("%s\n%s", text, plan)
	}
	o, err := methods.Options(graphs.MethodSplitter, graphs.Standard)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"dim: 7\n", "seeds: [3]\n", "protocol: standard\n", "method: splitter\n", "clustering: labels\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	want, got := map[string]any{}, decode[struct{ Options map[string]any }](t, must(t, "config", "--method", "splitter", "--dim", "7", "--seed", "3", "--json").out).Options
	o.Dim = 7
	recorded, err := json.Marshal(o.Complete())
	if err != nil || json.Unmarshal(recorded, &want) != nil {
		t.Fatal(err)
	}
	delete(want, "method")
	delete(want, "seed")
	if !maps.Equal(got, want) {
		t.Errorf("options %v, want %v", got, want)
	}
}
