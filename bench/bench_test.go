package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// This program is trained and judged, a score of the network too, and a peer that is not installed is reported.
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
	o := call.Of(parseOptions([]string{"--splits", filepath.Join(dir, "karate", "split"), "--asp2vec", program, "--rounds", "2", "--python", filepath.Join(dir, "nothing")}, io.Discard))(t)
	var page strings.Builder
	call.OK(t, run(context.Background(), o, &page, io.Discard))
	for _, want := range []string{"## karate", "| not trained | asp2vec | walk | .", "| asp2vec | asp2vec | standard | .", "| deepwalk | gensim | 5 × rate .025 | missing: ", "train --split SPLIT"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("no %q in\n%s", want, page.String())
		}
	}
}

// Ratios are taken within rounds, and the table has medians.
func TestRatios(t *testing.T) {
	own := &contestant{program: "asp2vec", method: "deepwalk", runs: []training{{rate: 20, auc: .5}, {rate: 60, auc: .75}}}
	peer := &contestant{program: "gensim", method: "deepwalk", setting: "1 × rate .025", runs: []training{{rate: 10}, {rate: 20}}}
	rows := (&measured{contestants: []*contestant{own, peer}}).ratios()
	if len(rows) != 1 || rows[0] != [2]string{"deepwalk: asp2vec / gensim 1 × rate .025", "2.50 [2.00, 3.00]"} {
		t.Errorf("%q", rows)
	}
	if got := own.spread("%.4f", 1, func(t training) float64 { return t.auc }); got != ".6250 [.5000, .7500]" {
		t.Errorf("%s", got)
	}
	if got := own.spread("%.1f", 1, func(t training) float64 { return t.cpu }); got != "-" {
		t.Errorf("%s of nothing", got)
	}
}

func TestPeer(t *testing.T) {
	var r training
	if err := r.ofPeer("a line of the log\n" + `{"cpu_seconds": 2, "pairs_per_second": 5}`); err != nil || r.cpu != 2 || r.rate != 5 {
		t.Errorf("%+v, %v", r, err)
	}
	if err := r.ofPeer("no document"); err == nil {
		t.Error("expected an error for what is no JSON")
	}
}
