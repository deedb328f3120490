package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// storeOf makes a store of the first records that the project measured, and returns them.
func storeOf(t *testing.T, n int) (store string, all []results.Record) {
	t.Helper()
	all = call.First(results.ReadStore(filepath.Join("..", "..", "results", "measured", "runs.jsonl")))(t)
	store = filepath.Join(t.TempDir(), "results")
	tiny.Rewrite(t, store, all[:n])
	return store, all
}

// A store has records with their scores and folders, those of earlier versions too, and tells of what is none.
func TestReadStore(t *testing.T) {
	store, all := storeOf(t, 12)
	step := func(when string, err error, records, problems int) *Store {
		t.Helper()
		call.OK(t, err)
		s := call.Of(ReadStore(store))(t)
		if len(s.Entries) != records || len(s.Problems) != problems {
			t.Fatalf("%s: %d records, problems %v: expected %d and %d", when, len(s.Entries), s.Problems, records, problems)
		}
		return s
	}
	run, packed := filepath.Join(store, "a"), filepath.Join(store, results.PackedFile)
	step("at first", nil, 12, 0)
	step("with a run", all[12].Write(run), 13, 0)
	s := step("with a score of the run", results.Scored{Of: all[12].ID(), Score: "dot", Metrics: results.Metrics{"auc": .5}}.Write(run), 13, 0)
	if e := s.Entries[12]; len(e.Scores) == len(all[12].Scores) || e.Dir != run {
		t.Errorf("entry in %q with scores %v", e.Dir, e.Scores)
	}
	tiny.Pack(t, filepath.Join(store, "runs.d", "shard.jsonl"), all[15:17])
	step("with a file of an earlier version", nil, 15, 0)
	step("torn", os.WriteFile(packed, []byte(`{"schema":1,"method":"asp2v`), 0o666), 3, 1)
	step("with a record that is none", os.WriteFile(filepath.Join(run, results.RecordFile), []byte("{"), 0o666), 2, 2)
	tiny.Rewrite(t, store, all[30:33])
	if own := call.Of(ReadOwn(filepath.Dir(store)))(t); len(step("replaced", nil, 3, 0).Entries) == len(own.Entries) {
		t.Error("a store has what is in folders under it")
	}
}
