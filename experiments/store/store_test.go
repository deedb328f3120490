package store

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/results"
)

// storeOf makes a store of the first records that the project measured, and returns them.
func storeOf(t *testing.T, n int) (store string, all []results.Record) {
	t.Helper()
	all, _, err := results.ReadStore(filepath.Join("..", "..", "results", "measured", "runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	store = filepath.Join(t.TempDir(), "runs.jsonl")
	if err := os.WriteFile(store, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	tiny.Rewrite(t, store, all[:n])
	return store, all
}

func openStore(t *testing.T, store string) *Store {
	t.Helper()
	s, err := ReadStore(store)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// same fails unless a store has what its records say that are read one by one, each worked out by itself.
func same(t *testing.T, when string, s *Store, store string) {
	t.Helper()
	records, problems, err := results.ReadStore(store)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Problems(); len(got) != len(problems) {
		t.Errorf("%s: problems %v, expected %v", when, got, problems)
	}
	sums := s.Entries()
	if len(sums) != len(records) {
		t.Fatalf("%s: %d records, expected %d", when, len(sums), len(records))
	}
	runs, wanted := s.Runs(), NewRuns(records)
	for i, r := range records {
		j, err := JobOf(r)
		if err != nil {
			t.Fatal(err)
		}
		if sums[i].Key != j.Key() || sums[i].Group != j.Group() || sums[i].Present != run.Present(r.Definition, j.Options) {
			t.Fatalf("%s: record %d: summary %+v, expected key %s, group %s", when, i, sums[i], j.Key(), j.Group())
		}
		want, there := wanted.Find(j)
		got, found := runs.Find(j)
		if found != there || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: record %d: %v %+v\nwant %v %+v", when, i, found, got, there, want)
		}
		if i > 20 {
			break // the rest is read alike
		}
	}
}

// A store that is read again as it grows, is torn and is replaced has what it has when it is read at once.
func TestStoreIsReadOn(t *testing.T) {
	store, all := storeOf(t, 12)
	s := openStore(t, store)
	step := func(when string) {
		t.Helper()
		if err := s.Refresh(); err != nil {
			t.Fatal(err)
		}
		same(t, when, s, store)
	}
	step("at first")
	appendAll(t, all[12:15], func(r results.Record) error { return r.Append(store) })
	step("grown")
	shard := results.ShardFile(store, "shard-1-2")
	appendAll(t, all[15:17], func(r results.Record) error { return r.Append(shard) })
	step("with a shard")
	appendAll(t, all[17:18], func(r results.Record) error { return r.Append(shard) })
	step("with a shard that has grown")
	line, err := all[18].Line()
	if err != nil {
		t.Fatal(err)
	}
	add(t, store, string(line[:len(line)-1]))
	step("but for the line's end")
	add(t, store, "\n")
	step("whole")
	add(t, store, "no record\n")
	step("with a line that is none")
	tiny.Rewrite(t, store, all[30:33])
	step("replaced")
}

func appendAll(t *testing.T, all []results.Record, add func(results.Record) error) {
	t.Helper()
	for _, r := range all {
		if err := add(r); err != nil {
			t.Fatal(err)
		}
	}
}

// add appends text to a file.
func add(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// Of two records of one run the same one counts, in whichever order they were written.
func TestLatestRecordCounts(t *testing.T) {
	golden.StillPaper(t)
	_, all := storeOf(t, 1)
	early, late := all[0], all[0]
	late.Finished = early.Finished.Add(1e9)
	late.Metrics = maps.Clone(late.Metrics)
	late.Metrics["auc"] = 0.25
	j, err := JobOf(early)
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range [][]results.Record{{early, late}, {late, early}} {
		runs := NewRuns(order)
		if got, _ := runs.Find(j); got.Metrics["auc"] != 0.25 || len(runs.Conflicts) != 1 || runs.Conflicts[0].Kept.Metrics["auc"] != 0.25 {
			t.Errorf("AUC %v, conflicts %+v: expected the later one", got.Metrics["auc"], runs.Conflicts)
		}
	}
}
