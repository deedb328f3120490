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
	if r.code != 1 || r.out != "" || strings.TrimSpace(r.err) != "asp2vec: interrupted" {
		t.Errorf("%+v, want code 1 and nothing but that it was interrupted", r)
	}
}
