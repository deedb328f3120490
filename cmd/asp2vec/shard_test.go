package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
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
		if r := invoke("sweep", "s.yaml", "--shard", shard); r.code != 2 || !strings.Contains(r.err, "expected I/N") {
			t.Errorf("--shard %q: %+v", shard, r)
		}
	}
}

// The part that a task does, by what schedulers tell it.
func TestShardOfTask(t *testing.T) {
	for _, c := range []struct{ env, want string }{
		{"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=8 SLURM_ARRAY_TASK_COUNT=8", "3/8"},
		{"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_COUNT=8", "1/8"},
		{"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_COUNT=2", "without gaps"},
		{"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_COUNT=2 ASP2VEC_SHARDS=8", "without gaps"},
		{"SLURM_ARRAY_TASK_ID=x", `SLURM_ARRAY_TASK_ID="x"`},
		{"PBS_ARRAY_INDEX=2 ASP2VEC_SHARDS=4", "2/4"},
		{"PBS_ARRAY_INDEX=2", "expected ASP2VEC_SHARDS=N"},
		{"PBS_ARRAY_INDEX=5 ASP2VEC_SHARDS=4", "without gaps"},
		{"LSB_JOBINDEX=8 LSB_JOBINDEX_END=8", "8/8"},
		{"LSB_JOBINDEX=0 LSB_JOBINDEX_END=0", "no array task"},
		{"JOB_COMPLETION_INDEX=0 JOB_COMPLETION_COUNT=5", "1/5"},
		{"JOB_COMPLETION_INDEX=4 ASP2VEC_SHARDS=5", "5/5"},
		{"JOB_COMPLETION_INDEX=4", "expected ASP2VEC_SHARDS=N"},
		{"AWS_BATCH_JOB_ARRAY_INDEX=1 AWS_BATCH_JOB_ARRAY_SIZE=2", "2/2"},
		{"ASP2VEC_SHARDS=4", "no array task"},
	} {
		env := map[string]string{}
		for _, x := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(x, "=")
			env[name] = value
		}
		i, n, err := shardOf("auto", func(name string) string { return env[name] })
		if got := fmt.Sprintf("%d/%d %v", i, n, err); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, expected %s", c.env, got, c.want)
		}
	}
}
