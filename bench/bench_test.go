package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// A peer that prints points with embeddings is judged by the same evaluation as this program, and one that is not installed is reported.
func TestBench(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "asp2vec")
	for _, args := range [][]string{
		{"go", "build", "-o", program, "../cmd/asp2vec"},
		{program, "data", "generate", "karate", "--out", filepath.Join(dir, "karate.tsv")},
		{program, "split", "--network", filepath.Join(dir, "karate.tsv"), "--remove", "0.3", "--rule", "ce1", "--out", filepath.Join(dir, "karate", "split")},
	} {
		if _, _, err := output(context.Background(), args[0], args[1:]...); err != nil {
			t.Fatal(err)
		}
	}
	var page strings.Builder
	o, err := parseOptions([]string{"--splits", filepath.Join(dir, "karate", "split"), "--asp2vec", program, "--protocols", "standard", "--rounds", "2",
		"--dim", "4", "--aspects", "2", "--deepwalk-dim", "4", "--python", filepath.Join(dir, "nothing"), "--out", dir}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	call.OK(t, run(context.Background(), o, &page, io.Discard))
	for _, want := range []string{"## karate", "| asp2vec | asp2vec standard |", "| deepwalk | gensim | 5 × rate .025 | missing: ", "train --split SPLIT"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in\n%s", want, page.String())
		}
	}
	for _, file := range []string{"peers.json", "peers.md"} {
		if text, err := os.ReadFile(filepath.Join(dir, file)); err != nil || len(text) == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// What a run reports is the last point, and ratios are taken within rounds.
func TestRatios(t *testing.T) {
	runs := func(pairs ...int64) (all []*oneRun) {
		for _, n := range pairs {
			all = append(all, &oneRun{Points: []point{{Pairs: 1, TrainCPU: 1}, {Pairs: n, TrainCPU: 2, AUC: .5, CPU: 3}}})
		}
		return all
	}
	own := &contestant{Name: "asp2vec standard", Method: methodDeepWalk, own: true, Runs: runs(40, 90)}
	peer := &contestant{Name: "gensim", Method: methodDeepWalk, Setting: "1 × rate .025", Runs: runs(20, 30)}
	rows := (&measured{Contestants: []*contestant{own, peer}}).ratios()
	if len(rows) != 1 || rows[0] != [2]string{"deepwalk: asp2vec standard / gensim 1 × rate .025", "2.50 [2.00, 3.00]"} {
		t.Errorf("%q", rows)
	}
	r := record{Started: time.Unix(0, 0).UTC(), Networks: []*measured{{Name: "net", Contestants: []*contestant{own, peer}}}}
	var page strings.Builder
	r.page(&page)
	if want := "| deepwalk | gensim | 1 × rate .025 | .5000 | 3.0 |"; !strings.Contains(page.String(), want) {
		t.Errorf("no %q in\n%s", want, page.String())
	}
}

// The rate is that of the stage that a run ended in, which is compared with the same one alone; what trains no pairs has none.
func TestRateOfAStage(t *testing.T) {
	after := point{Pairs: 900, TrainCPU: 10, Stage: "asp2vec", Before: &point{Pairs: 800, TrainCPU: 5}}
	if after.rate() != 20 || (point{TrainCPU: 3}).rate() != 0 {
		t.Errorf("%v pairs a second, %v", after.rate(), (point{TrainCPU: 3}).rate())
	}
	of := func(name string, p point) *contestant {
		return &contestant{Name: name, Method: methodAsp2vec, own: name != "torch", Runs: []*oneRun{{Points: []point{p}}}}
	}
	torch, prone := of("torch", point{Pairs: 800, TrainCPU: 5, Stage: "warm-up"}), of("prone", point{TrainCPU: 3})
	if rows := (&measured{Contestants: []*contestant{of("asp2vec standard", after), torch}}).ratios(); rows != nil || prone.speed() != "-" || !strings.HasSuffix(torch.speed(), " in the warm-up") {
		t.Errorf("%q, %q, %q", rows, prone.speed(), torch.speed())
	}
}

func TestReadPeer(t *testing.T) {
	var r oneRun
	if err := r.readPeer("a line of the log\n" + `{"points": [{"cpu_seconds": 2, "pairs": 5, "file": "x"}], "gensim": "4.2.0", "numpy": "1.24"}`); err != nil || len(r.Points) != 1 || r.Of != "gensim 4.2.0, numpy 1.24" {
		t.Errorf("%+v, %v", r, err)
	}
	if err := r.readPeer("no document"); err == nil {
		t.Error("expected an error for what is no JSON")
	}
}
