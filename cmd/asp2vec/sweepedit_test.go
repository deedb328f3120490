package main

import (
	"bytes"
	"encoding/json"
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

// builtWith builds the program with an edit of one file, which is left alone, and returns what runs it in the current folder.
func builtWith(t *testing.T, file, from, to string) func(args ...string) ran {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	original := filepath.Join(here, "..", "..", filepath.FromSlash(file))
	text := read(t, original)
	if strings.Count(text, from) != 1 {
		t.Fatalf("%s has %q %d times: want once", file, from, strings.Count(text, from))
	}
	edit := filepath.Join(t.TempDir(), "edit.go")
	write(t, edit, strings.Replace(text, from, to, 1))
	program := builtOver(t, map[string]string{original: edit})
	return func(args ...string) ran {
		t.Helper()
		var out, errs bytes.Buffer
		c := exec.Command(program, args...)
		c.Stdout, c.Stderr = &out, &errs
		if err := c.Run(); err != nil {
			t.Fatalf("asp2vec %s: %v\n%s", strings.Join(args, " "), err, errs.String())
		}
		return ran{0, out.String(), errs.String()}
	}
}

// An edit of a loss makes other runs of those in the store: they are done anew, and that is said.
func TestSweepAfterEdit(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	edit := builtWith(t, "losses/skipgram.go", "return G.Must(G.Add(posTerm, negTerm)), nil",
		"return G.Must(G.Add(G.Must(op.Scale(posTerm, 5)), negTerm)), nil")
	smallSweep(t)
	write(t, "s.yaml", `
datasets: cora
protocol: validated
options:
  dim: 4
  aspects: 2
  walks: 2
  walk-length: 10
  epochs: 3
`)
	must(t, "sweep", "s.yaml", "--json")
	if r := must(t, "sweep", "s.yaml"); strings.Contains(r.err, "older definition") {
		t.Errorf("without an edit: %s", r.err)
	}
	const shared = "the program has been edited: runs that pass through edited code, warm-ups among them, are trained anew"
	for _, args := range [][]string{
		{"sweep", "s.yaml", "--dry-run"}, {"reproduce", "s.yaml", "--dry-run"},
		{"train", "--dataset", "cora", "--method", "splitter", "--dim", "4", "--walks", "2", "--epochs", "1", "--results", "none"},
	} {
		if r := must(t, args...); strings.Contains(r.err, shared) {
			t.Errorf("%q without an edit: %s", args, r.err)
		}
		if r := edit(args...); strings.Count(r.err, shared) != 1 || !strings.Contains(r.err, `methods="deepwalk, node2vec, polydw, splitter, asp2vec,`) {
			t.Errorf("%q after an edit: %s", args, r.err)
		}
	}
	const line = "runs of an older definition of their method are "
	for what, r := range map[string]ran{
		"trained anew": edit("sweep", "s.yaml", "--dry-run", "--full"),
		"left out":     edit("results", "show", "runs"),
	} {
		if strings.Count(r.err, line+what) != 1 || !strings.Contains(r.err, "runs=1") || !strings.Contains(r.err, "asp2vec 1") || !strings.Contains(r.out, "older") {
			t.Errorf("%s: %s%s", what, r.err, r.out)
		}
	}
	if r := edit("sweep", "s.yaml"); strings.Count(r.err, line+"trained anew") != 1 || strings.Count(r.err, shared) != 1 || !strings.Contains(r.err, "were_there=0") {
		t.Errorf("after an edit: %s", r.err)
	}
	all, problems, err := results.ReadStore("results/runs.jsonl")
	if err != nil || len(problems) > 0 || len(all) != 2 {
		t.Fatalf("%d records, %v, %v: want one before the edit and one after it", len(all), problems, err)
	}
	if all[0].Definition == all[1].Definition || all[0].Epochs[0].LossNats == all[1].Epochs[0].LossNats {
		t.Errorf("definitions %s and %s, first losses %v and %v", all[0].Definition, all[1].Definition, all[0].Epochs[0].LossNats, all[1].Epochs[0].LossNats)
	}
	for _, again := range []ran{edit("sweep", "s.yaml"), must(t, "sweep", "s.yaml")} { // each finds its own
		if strings.Contains(again.err, "older definition") || !strings.Contains(again.err, "were_there=1") {
			t.Errorf("once more: %s", again.err)
		}
	}
}
