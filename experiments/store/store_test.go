package store

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
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
		t.Errorf("%s: problems %v, want %v", when, got, problems)
	}
	sums := s.Summaries()
	if len(sums) != len(records) {
		t.Fatalf("%s: %d records, want %d", when, len(sums), len(records))
	}
	runs, wanted := s.Runs(), NewRuns(records)
	for i, r := range records {
		j, err := JobOf(r)
		if err != nil {
			t.Fatal(err)
		}
		if sums[i].Key != j.Key() || sums[i].Group != j.Group() || sums[i].Present != Present(r.Definition, j.Options) {
			t.Fatalf("%s: record %d: summary %+v, want key %s, group %s", when, i, sums[i], j.Key(), j.Group())
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
	if err := s.Broken(); err != nil {
		t.Error(err)
	}
}

// A store that is read again as it grows, is merged, is torn and is replaced has what it has when it is read at once; so has one whose
// summaries were kept.
func TestStoreIsReadOn(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, large := range []int64{1 << 40, 1} {
		defer func(before int64) { largeStore = before }(largeStore)
		largeStore = large
		store, all := storeOf(t, 12)
		s := openStore(t, store)
		step := func(when string) {
			t.Helper()
			if err := s.Refresh(); err != nil {
				t.Fatal(err)
			}
			same(t, when, s, store)
			same(t, when+", from the start", openStore(t, store), store)
		}
		step("at first")
		appendAll(t, all[12:15], func(r results.Record) error { return r.Append(store) })
		step("grown")
		part := results.NewPart(store, "task")
		appendAll(t, all[15:18], part.Append)
		step("with a part")
		line, err := all[18].Line()
		if err != nil {
			t.Fatal(err)
		}
		add(t, store, string(line[:len(line)/2]))
		step("cut off")
		add(t, store, string(line[len(line)/2:len(line)-1]))
		step("but for the line's end")
		add(t, store, "\n")
		step("whole")
		add(t, store, "no record\n")
		step("with a line that is none")
		if _, _, _, err := results.Merge(store); err != nil {
			t.Fatal(err)
		}
		step("merged")
		tiny.Rewrite(t, store, all[30:40])
		step("replaced")
	}
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

// Records that are read when they are needed are found where they have been merged to, and are missed with an error where they are gone.
func TestStoreFindsWhatMoved(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	defer func(before int64) { largeStore = before }(largeStore)
	largeStore = 1
	store, all := storeOf(t, 2)
	appendAll(t, all[2:4], results.NewPart(store, "").Append)
	s := openStore(t, store)
	runs := s.Runs()
	if _, _, _, err := results.Merge(store); err != nil {
		t.Fatal(err)
	}
	j, err := JobOf(all[3])
	if err != nil {
		t.Fatal(err)
	}
	if _, there := runs.Find(j); !there || s.Broken() != nil {
		t.Errorf("moved: %v, %v", there, s.Broken())
	}
	s = openStore(t, store)
	runs = s.Runs()
	if err := os.Remove(store); err != nil {
		t.Fatal(err)
	}
	if _, there := runs.Find(j); there || s.Broken() == nil {
		t.Errorf("gone: %v, %v", there, s.Broken())
	}
}

// Of two records of one run the same one counts, in whichever order they were written.
func TestLatestRecordCounts(t *testing.T) {
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
			t.Errorf("AUC %v, conflicts %+v: want the later one", got.Metrics["auc"], runs.Conflicts)
		}
	}
}
