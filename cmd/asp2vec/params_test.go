package main

import (
	"context"
	"strings"
	"testing"
)

// Stopped while personas are being found, which is no fault of what was given.
func TestParamsInterrupted(t *testing.T) {
	karate(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := invokeWith(ctx, program{}, "params", "--log-level", "error", "--network", "karate.tsv", "--method", "splitter")
	if r.code != 1 || r.out != "" || strings.TrimSpace(r.err) != "asp2vec: karate.tsv: interrupted" {
		t.Errorf("%+v, want code 1 and nothing but that reading was interrupted", r)
	}
}

// How many features a file has is not for the paper's formula to know: no number, rather than 0.
func TestParamsWithFeatures(t *testing.T) {
	karate(t)
	write(t, "features", "1 1 0 1\n2 0 1 0\n")
	args := []string{"params", "--network", "karate.tsv", "--method", "dgi", "--dim", "4"}
	for _, c := range []struct {
		args       []string
		json, text string
	}{
		{args, `"paper_count": 158`, " 158\n"}, // 34*4 + 4*4 + 4 + 2
		{append(args, "--features", "features"), "", " -\n"},
	} {
		if r := must(t, append(c.args, "--json")...); !strings.Contains(r.out, c.json) || c.json == "" && strings.Contains(r.out, "paper_count") {
			t.Errorf("%s: want %q", r.out, c.json)
		}
		if r := must(t, c.args...); !strings.HasSuffix(r.out, c.text) {
			t.Errorf("%s: want %q at the end", r.out, c.text)
		}
	}
}
