package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/experiments/internal/recordtest"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// scored are jobs of one training whose links are ranked in different ways.
func scored(t *testing.T, scores ...string) (jobs []Job) {
	t.Helper()
	o, err := methods.Options(graphs.MethodPolyDW, graphs.Standard)
	if err != nil {
		t.Fatal(err)
	}
	for _, score := range scores {
		o.Scoring = score
		jobs = append(jobs, Job{Dataset: "PPI", Protocol: "standard", Options: o})
	}
	return jobs
}

// Records of one training, which was once repeated for each score, are one record with several scores; what is asked for decides which is seen.
func TestOneTrainingManyScores(t *testing.T) {
	jobs := scored(t, "native", "max", "dot")
	if jobs[0].Key() != jobs[1].Key() || jobs[0].Key() != jobs[2].Key() {
		t.Fatal("scores make other trainings")
	}
	merged, _ := Merged(jobs)
	if len(merged) != 1 || !slices.Equal(merged[0].AllScores(), []string{"sum", "max", "dot"}) {
		t.Fatalf("%d trainings with scores %v", len(merged), merged[0].AllScores())
	}
	sum := recordtest.Of(t, "PPI", "standard", jobs[0].Options, .7, 0)
	maximum := recordtest.Of(t, "PPI", "standard", jobs[1].Options, .8, 0)
	maximum.Finished = time.Unix(9, 0)
	runs := NewRuns([]results.Record{sum, maximum})
	for i, want := range []float64{.7, .8} {
		if r, found := runs.Find(jobs[i]); !found || r.Metrics["auc"] != want || len(runs.Seeds(jobs[i])) != 1 {
			t.Errorf("%s: %v, %v: expected %v", jobs[i].Options.Scoring, r.Metrics, found, want)
		}
	}
	if _, found := runs.Find(jobs[2]); found || len(runs.Conflicts) > 0 {
		t.Error("a score that nobody measured is there")
	}
	entry, _ := runs.Entry(jobs[0].Key())
	if lacks := merged[0].Lacks(entry); !slices.Equal(lacks, []string{"dot"}) {
		t.Errorf("lacks %v", lacks)
	}
	old := sum
	old.ScoreDefinition = "another"
	if _, found := NewRuns([]results.Record{old}).Find(jobs[0]); found {
		t.Error("a number of another score's code is shown")
	}
	// Of two records of one training with the same score, the scores of both count; those of other code do not.
	twin := sum
	twin.Finished = time.Unix(5, 0)
	twin.AddScore(results.Scored{Score: "cosine", Metrics: results.Metrics{"auc": .55}})
	twin.AddScore(results.Scored{Score: "lr-l1", Definition: "another", Metrics: results.Metrics{"auc": .55}})
	for _, both := range [][]results.Record{{sum, twin}, {twin, sum}} {
		runs := NewRuns(both)
		if r, found := runs.Find(scored(t, "cosine")[0]); !found || r.Metrics["auc"] != .55 {
			t.Errorf("a score of one of two records: %v, %v", r.Metrics, found)
		}
		if _, found := runs.Find(scored(t, "lr-l1")[0]); found {
			t.Error("a score of other code is shown")
		}
	}
	// Where a score chooses the epoch, it is part of the training; the vectors have other scores all the same.
	o := graphs.Default()
	chosen := recordtest.Of(t, "PPI", "validated", o, .7, .6)
	by, _ := NewRuns([]results.Record{chosen}).Entry(Job{Dataset: "PPI", Options: o}.Key())
	if _, own := by.By("lr"); !own {
		t.Error("the score that chose the epoch is not there")
	}
	if _, other := by.By("dot"); other {
		t.Error("the score that chose the epoch stands for another")
	}
	o.Scoring = "max"
	if a, b := (Job{Dataset: "PPI", Options: graphs.Default()}), (Job{Dataset: "PPI", Options: o}); a.Key() == b.Key() {
		t.Error("the score that chooses the epoch makes no other training")
	}
}

// Scores that come to a store join their records, in whatever order the files are.
func TestScoresJoin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	r := recordtest.Of(t, "PPI", "standard", scored(t, "native")[0].Options, .7, 0)
	if err := r.Append(path); err != nil {
		t.Fatal(err)
	}
	s, err := ReadStore(path)
	if err != nil {
		t.Fatal(err)
	}
	dot := results.Scored{Of: r.ID(), Score: "dot", Metrics: results.Metrics{"auc": .75}}
	if err := results.AppendScores(t.Context(), path, []results.Scored{dot}); err != nil {
		t.Fatal(err)
	}
	if err := s.Refresh(); err != nil {
		t.Fatal(err)
	}
	if found, ok := s.Runs().Find(scored(t, "dot")[0]); !ok || found.Metrics["auc"] != .75 || len(s.Problems()) > 0 {
		t.Errorf("%v, %v, %v", found.Metrics, ok, s.Problems())
	}
}

// Vectors are kept up to the limit, the newest, and come back in any order of names.
func TestKept(t *testing.T) {
	d, otherCode, otherData := results.Record{Definition: "d"}, results.Record{Definition: "other"}, results.Record{Definition: "d"}
	d.Dataset.SHA256, otherData.Dataset.SHA256 = "00112233", "44556677"
	k := KeptBeside(filepath.Join(t.TempDir(), "runs.jsonl"), 1<<20)
	names := []string{"a", "b", "c"}
	e := graphs.Embedding{D: 2, Final: []float32{1, 2, 3, 4, 5, 6}, Vectors: []float32{1, 2, 3, 4, 5, 6, 7, 8}, First: []int32{0, 2, 3, 4}, Share: []float32{.5, .5, 1, 1}}
	for i, key := range []string{"old", "new"} {
		if err := k.Save(key, d, names, e); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(int64(1e9+1e3*i), 0)
		if err := os.Chtimes(k.file(key, d), at, at); err != nil {
			t.Fatal(err)
		}
	}
	v, err := k.Load("new", d, []string{"c", "a", "b"})
	if err != nil || !slices.Equal(v.One.Data, []float32{5, 6, 1, 2, 3, 4}) || !slices.Equal(v.Several.First, []int32{0, 1, 3, 4}) || !slices.Equal(v.Several.Share, []float32{1, .5, .5, 1}) {
		t.Errorf("%+v, %v", v, err)
	}
	for _, other := range []results.Record{otherCode, otherData} {
		if _, err := k.Load("new", other, names); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("another definition, or other data: %v", err)
		}
	}
	fi, err := os.Stat(k.file("new", d))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Link(k.file("new", d), k.file("copied", d)); err != nil {
		t.Fatal(err)
	}
	if _, err := k.Load("copied", d, names); err == nil || !strings.Contains(err.Error(), `run "new-d-00112233"`) {
		t.Errorf("vectors of another run under this one's name: error %v", err)
	}
	if err := os.Remove(k.file("copied", d)); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(k.Dir, "own.npz")
	if err := os.Link(k.file("new", d), own); err != nil {
		t.Fatal(err)
	}
	if files, _, err := k.Trim(fi.Size()); files != 1 || err != nil || k.Has("old", d) || !k.Has("new", d) {
		t.Errorf("%d files went, %v: expected the oldest", files, err)
	}
	if err := os.Symlink(k.Dir, k.Dir+"2"); err != nil {
		t.Fatal(err)
	}
	if files, _, err := (&Kept{Dir: k.Dir + "2"}).Trim(0); files != 0 || err == nil || !k.Has("new", d) {
		t.Errorf("through a link %d files went, %v", files, err)
	}
	if files, bytes, err := k.Trim(0); files != 1 || bytes != fi.Size() || err != nil {
		t.Errorf("%d files of %d bytes went, %v: expected all", files, bytes, err)
	}
	if err := os.Remove(own); err != nil {
		t.Errorf("a file of the user's own: %v", err)
	}
	if _, _, err := k.Trim(0); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(k.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("an empty folder stays")
	}
	none := KeptBeside(filepath.Join(t.TempDir(), "runs.jsonl"), 0)
	if err := none.Save("a", d, names, e); err != nil || none.Has("a", d) {
		t.Error("a limit of 0 keeps vectors")
	}
}
