package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/results"
)

// builtOver builds the program with files in the place of others, which are left alone.
func builtOver(t *testing.T, replace map[string]string) (program string) {
	t.Helper()
	dir := t.TempDir()
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), string(overlay))
	program = filepath.Join(dir, "asp2vec.exe")
	if out, err := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// edited builds the program with the edits in testdata/edits, and leaves the tree as it is. A file there takes the place of one of
// the tree, or comes to it; NAME.edit changes NAME: its lines that begin with "-" become those that begin with "+".
func edited(t *testing.T) (program string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	temporary := t.TempDir()
	replace := map[string]string{}
	err = filepath.WalkDir("testdata/edits", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		path, err = filepath.Abs(path)
		if err != nil {
			return err
		}
		_, inside, _ := strings.Cut(filepath.ToSlash(path), "testdata/edits/")
		_, inside, _ = strings.Cut(inside, "/") // without the name of the edit
		target := filepath.Join(root, filepath.FromSlash(inside))
		name, isEdit := strings.CutSuffix(target, ".edit")
		if !isEdit {
			replace[target] = path
			return nil
		}
		source := name
		if before, twice := replace[name]; twice {
			source = before // of another edit
		}
		text, err := os.ReadFile(source)
		if err != nil {
			return err
		}
		change, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var from, to []string
		for line := range strings.Lines(string(change)) {
			switch line = strings.TrimSuffix(line, "\n"); line[0] {
			case '-':
				from = append(from, line[1:])
			case '+':
				to = append(to, line[1:])
			}
		}
		old := strings.Join(from, "\n")
		if n := strings.Count(string(text), old); n != 1 {
			t.Fatalf("%s: %q is %d times in %s: want once", path, old, n, name)
		}
		out := filepath.Join(temporary, strings.ReplaceAll(inside, "/", "_"))
		replace[name] = out
		return os.WriteFile(out, []byte(strings.Replace(string(text), old, strings.Join(to, "\n"), 1)), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	program = builtOver(t, replace)
	return program
}

// What people come to do: a method, a selection, a loss and a regularizer of their own, each a function and an entry. The program
// takes them everywhere, with their hyperparameters, and leaves the paper's tables as they are.
func TestEdits(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	program, dir := edited(t), t.TempDir()
	run := func(fails bool, args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if (err != nil) != fails {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run(false, "data", "generate", "planted", "--vertices", "60", "--communities", "4", "--mean-degree", "8", "--out", "links.tsv")
	run(false, "split", "--network", "links.tsv", "--remove", "0.3", "--rule", "ce1", "--seed", "1", "--out", "split")
	run(false, "split", "--network", "links.tsv", "--directed", "--remove", "0.3", "--rule", "ce1", "--seed", "1", "--out", "data/filmtrust/split")
	quick := []string{"--split", "split", "--dim", "4", "--walks", "2", "--epochs", "2", "--results", "none"}
	small := append([]string{"--aspects", "2"}, quick...)

	for name, c := range map[string]struct {
		options []string // of the edit
		engine  string
		record  string // that its options hold
	}{
		"method":      {[]string{"--method", "line"}, "fused", `"method":"line"`},
		"selection":   {[]string{"--selection", "ste", "--selection-temperature", "0.5"}, "graph, regularizer fused", `"selection-temperature":0.5`},
		"loss":        {[]string{"--pair-loss", "hinge", "--pair-loss-gap", "0.25"}, "graph, regularizer fused", `"pair-loss-gap":0.25`},
		"regularizer": {[]string{"--regularizer", "square", "--regularizer-above", "0.125"}, "fused, regularizer graph", `"regularizer-above":0.125`},
	} {
		t.Run(name, func(t *testing.T) {
			if out := run(false, append([]string{"check"}, c.options...)...); strings.Contains(out, "failed") {
				t.Errorf("check:\n%s", out)
			}
			rest := small
			if name == "method" {
				rest = quick
			}
			out := filepath.Join(dir, name)
			said := run(false, append(append([]string{"train", "--out", out}, c.options...), rest...)...)
			if told := strings.Contains(said, "pair-loss hinge also trains the warm-up"); told != (name == "loss") {
				t.Errorf("it says that the warm-up is changed: %v\n%s", told, said)
			}
			text, err := os.ReadFile(filepath.Join(out, "record.json"))
			if err != nil {
				t.Fatal(err)
			}
			var r results.Record
			if err := json.Unmarshal(text, &r); err != nil {
				t.Fatal(err)
			}
			if options := strings.ReplaceAll(string(r.Options), " ", ""); !strings.Contains(strings.ReplaceAll(options, "\n", ""), c.record) || r.Engine != c.engine {
				t.Errorf("engine %q, options %s: want %q and %s", r.Engine, options, c.engine, c.record)
			}
		})
	}
	for _, c := range []struct{ args, want string }{
		{"train --selection ste --engine fused", `no fused op for readout "mean", selection "ste"`},
		{"train --selection ste --tau 3", "tau = 3: selection ste does not read it: want one of gumbel, hard"},
		{"train --pair-loss-gap 1", "pair-loss-gap = 1: pair-loss skipgram does not read it: want one of hinge"},
		{"train --pair-loss hinge --pair-loss-gap 11", "pair-loss-gap = 11: want a number from 0 to 10"},
		{"train --method dgi --pair-loss-gap 1", "--pair-loss-gap 1: dgi has no such option; it is one of"},
	} {
		if out := run(true, append(strings.Fields(c.args), "--split", "split", "--results", "none")...); !strings.Contains(out, c.want) {
			t.Errorf("%s: %s, want %q", c.args, out, c.want)
		}
	}
	if out := run(false, "methods"); !strings.Contains(out, "\nline\n") {
		t.Errorf("methods:\n%s", out)
	}
	if err := os.WriteFile(filepath.Join(dir, "sweep.yaml"), []byte("datasets: filmtrust\nmethod: [line, deepwalk]\noptions: {dim: [8, 16]}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := run(false, "sweep", "sweep.yaml", "--dry-run", "--full", "--data", "data"); strings.Count(out, " line ") != 2 || strings.Contains(out, "nothing") {
		t.Errorf("a sweep of it, with what its time is taken from:\n%s", out)
	}
	help := run(false, "train", "--help")
	for _, want := range []string{"--pair-loss-gap", "hinge: gap between scores, a number from 0 to 10", "--regularizer-above", "ste", "line"} {
		if !strings.Contains(help, want) {
			t.Errorf("train --help has no %q", want)
		}
	}
	for _, args := range []string{"reproduce table1 --dry-run --datasets filmtrust --data data", "results show table1", "results show table7"} {
		if out := run(false, strings.Fields(args)...); strings.Contains(strings.ToLower(out), "line/") || strings.Contains(out, " line ") || strings.Contains(out, "LINE") {
			t.Errorf("%s lists LINE:\n%s", args, out)
		}
	}
}

// Runs of before an edit are not shown for runs after it, and those that do not pass through the edit are.
func TestEditIsTrainedAnew(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	const from, to = "return G.Must(G.Add(posTerm, negTerm)), nil", "return G.Must(G.Add(G.Must(op.Scale(posTerm, 5)), negTerm)), nil"
	original, err := filepath.Abs("../../losses/skipgram.go")
	if err != nil {
		t.Fatal(err)
	}
	edit := filepath.Join(t.TempDir(), "edit.go")
	write(t, edit, strings.Replace(read(t, original), from, to, 1))
	program := builtOver(t, map[string]string{original: edit})
	asCora(t)
	write(t, "s.yaml", "datasets: cora\nprotocol: validated\nmethod: deepwalk\noptions: {dim: 4, walks: 2, walk-length: 10, epochs: 3, pair-loss: [skipgram, margin]}\n")
	must(t, "sweep", "s.yaml", "--data", "data")
	out, err := exec.Command(program, "sweep", "s.yaml", "--data", "data").CombinedOutput()
	if text := string(out); err != nil || !strings.Contains(text, "losses.Pairs skipgram") || !strings.Contains(text, "runs done=1 were_there=1") {
		t.Errorf("%v: want one of two runs trained anew, and what was edited\n%s", err, out)
	}
	if r := must(t, "sweep", "s.yaml", "--data", "data"); !strings.Contains(r.err, "done=0 were_there=2") {
		t.Errorf("the edit undone: want the runs of before\n%s", r.err)
	}
}
