package main

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// withoutTimes returns the records of a store, sorted, without what is not to be the same on another machine or at another time.
func withoutTimes(t *testing.T, store string) (lines []string) {
	t.Helper()
	records, problems, err := results.ReadStore(store)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	for _, r := range records {
		line := call.Of(r.Line())(t)
		m := decode[map[string]any](t, string(line))
		for _, key := range []string{"started", "finished", "command", "host", "train_seconds", "eval_seconds", "refit_seconds", "peak_memory_bytes"} {
			delete(m, key)
		}
		epochs, _ := m["epochs"].([]any)
		for _, e := range epochs {
			delete(e.(map[string]any), "seconds")
			delete(e.(map[string]any), "pairs_per_second")
		}
		text := call.Of(json.Marshal(m))(t)
		lines = append(lines, string(text))
	}
	slices.Sort(lines)
	return lines
}

// Shards of processes that know nothing of each other do all runs, once.
func TestShards(t *testing.T) {
	smallSweep(t)
	for _, shard := range []string{"1/3", "3/3", "2/3", "2/3"} {
		must(t, "sweep", "s.yaml", "--shard", shard)
	}
	must(t, "sweep", "s.yaml", "--results", "local")
	if got, want := withoutTimes(t, "results"), withoutTimes(t, "local"); len(want) != 8 || !slices.Equal(got, want) {
		t.Errorf("%d records of shards, %d of a local sweep", len(got), len(want))
	}
	for _, shard := range []string{"0/3", "4/3", "1", "a/b", "1/3/5", "-1/2", ""} {
		invoke("sweep", "s.yaml", "--shard", shard).exits(t, 2, "expected I/N")
	}
}
