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
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// storeOf makes a store of the first records that the project measured, and returns them.
func storeOf(t *testing.T, n int) (store string, all []results.Record) {
	t.Helper()
	all, _, err := results.ReadStore(filepath.Join("..", "..", "results", "measured", "runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	store = filepath.Join(t.TempDir(), "results")
	tiny.Rewrite(t, store, all[:n])
	return store, all
}

// same fails unless a store has what its records say that are read one by one, each worked out by itself.
func same(t *testing.T, when string, s *Store, store string) {
	t.Helper()
	records, problems, err := results.ReadStore(store)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Problems; len(got) != len(problems) {
		t.Errorf("%s: problems %v, expected %v", when, got, problems)
	}
	sums := s.Entries
	if len(sums) != len(records) {
		t.Fatalf("%s: %d records, expected %d", when, len(sums), len(records))
	}
	runs, wanted := s.Runs(), NewRuns(records)
	for i, r := range records {
		j := call.Of(JobOf(r))(t)
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

// A store has what its records say one by one, with runs, scores of runs, files of earlier versions and what is torn.
func TestReadStore(t *testing.T) {
	store, all := storeOf(t, 12)
	var s *Store
	step := func(when string, err error) {
		t.Helper()
		call.OK(t, err)
		s = call.Of(ReadStore(store))(t)
		same(t, when, s, store)
	}
	run, packed := filepath.Join(store, "a"), filepath.Join(store, results.PackedFile)
	step("at first", nil)
	step("with a run", all[12].Write(run))
	step("with a score of the run", results.Scored{Of: all[12].ID(), Score: "dot", Metrics: results.Metrics{"auc": .5}}.Write(run))
	step("with one more score", results.Scored{Of: all[12].ID(), Score: "max", Metrics: results.Metrics{"auc": .5}}.Write(run))
	if e := s.Entries[len(s.Entries)-1]; len(e.Scores) < 2 || e.Dir != run {
		t.Errorf("entry in %q with scores %v", e.Dir, e.Scores)
	}
	step("with a file of an earlier version", results.WritePacked(filepath.Join(store, "runs.d", "shard.jsonl"), all[15:17]))
	step("torn", os.WriteFile(packed, []byte(`{"schema":1,"method":"asp2v`), 0o666))
	step("whole", results.WritePacked(packed, all[:14]))
	step("with a record that is none", os.WriteFile(filepath.Join(run, results.RecordFile), []byte("{"), 0o666))
	step("without the run", os.RemoveAll(run))
	tiny.Rewrite(t, store, all[30:33])
	step("replaced", nil)
}

// Of two records of one run the same one counts, in whichever order they were written.
func TestLatestRecordCounts(t *testing.T) {
	golden.StillPaper(t)
	_, all := storeOf(t, 1)
	early, late := all[0], all[0]
	late.Finished = early.Finished.Add(1e9)
	late.Metrics = maps.Clone(late.Metrics)
	late.Metrics["auc"] = 0.25
	j := call.Of(JobOf(early))(t)
	for _, order := range [][]results.Record{{early, late}, {late, early}} {
		runs := NewRuns(order)
		if got, _ := runs.Find(j); got.Metrics["auc"] != 0.25 || len(runs.Conflicts) != 1 || runs.Conflicts[0].Kept.Metrics["auc"] != 0.25 {
			t.Errorf("AUC %v, conflicts %+v: expected the later one", got.Metrics["auc"], runs.Conflicts)
		}
	}
}
