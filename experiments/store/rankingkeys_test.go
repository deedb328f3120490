package store

import (
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
)

// A job on a data set with types is the run that its record is of, though the record has the schema's meta-paths.
func TestRankingKeys(t *testing.T) {
	o := tiny.TypedOptions(t, hetnet.MethodMetapath2vec, graphs.Standard)
	n, task := tiny.Music(t)
	out, err := run.Run(t.Context(), run.Data{Name: "lastfm", Typed: n, Task: task}, o, "standard", 2, run.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	j, err := JobOf(out.Record)
	if err != nil {
		t.Fatal(err)
	}
	if asked := (Job{Dataset: "lastfm", Protocol: "standard", Options: o}); asked.Key() != j.Key() {
		t.Errorf("key %s of the record, %s of the job", j.Key(), asked.Key())
	}
}
