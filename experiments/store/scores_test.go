package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/internal/recordtest"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// scored are jobs of one training whose links are ranked in different ways.
func scored(t *testing.T, scores ...string) (jobs []Job) {
	t.Helper()
	o := call.Of(methods.Options(graphs.MethodPolyDW, graphs.Standard))(t)
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
	if _, found := runs.Find(jobs[2]); found || len(runs.Conflicts()) > 0 {
		t.Error("a score that nobody measured is there")
	}
	entry, _ := runs.Entry(jobs[0])
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
	twin.AddScore(results.Scored{Score: "two-sided", Definition: "another", Metrics: results.Metrics{"auc": .55}})
	for _, both := range [][]results.Record{{sum, twin}, {twin, sum}} {
		runs := NewRuns(both)
		if r, found := runs.Find(scored(t, "cosine")[0]); !found || r.Metrics["auc"] != .55 {
			t.Errorf("a score of one of two records: %v, %v", r.Metrics, found)
		}
		if _, found := runs.Find(scored(t, "two-sided")[0]); found {
			t.Error("a score of other code is shown")
		}
	}
	// Where a score chooses the epoch, it is part of the training; the vectors have other scores all the same.
	o := graphs.Default()
	chosen := recordtest.Of(t, "PPI", "validated", o, .7, .6)
	by, _ := NewRuns([]results.Record{chosen}).Entry(Job{Dataset: "PPI", Options: o})
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

// Two scores of the same vectors may choose different candidates, whichever is asked first.
func TestScoresChooseApart(t *testing.T) {
	choice := &Choice{Grid: grid.Grid{{Name: "dim", Values: []any{20, 40}}}}
	var records []results.Record
	jobs := scored(t, "dot", "max")
	for i := range jobs {
		jobs[i].Choice, jobs[i].Options.Seed = choice, FirstSeed
		for k, j := range Choosing(jobs[i].Candidates(FirstSeed)) {
			r := recordtest.Of(t, "PPI", "standard", j.Options, .7, 0)
			r.Metrics[run.ValidationAUC] = []float64{.6, .8, .9, .5}[2*i+k]
			records = append(records, r)
		}
	}
	for _, order := range [][]int{{0, 1}, {1, 0}} {
		runs := NewRuns(records)
		for _, i := range order {
			if j, ok := runs.Chosen(jobs[i]); !ok || j.Options.Dim != []int{40, 20}[i] {
				t.Errorf("by %s: %d dimensions, %v", jobs[i].Options.Scoring, j.Options.Dim, ok)
			}
		}
	}
}

// Vectors are kept up to the limit, the newest, and come back in any order of names.
func TestVectorsOfRuns(t *testing.T) {
	store := t.TempDir()
	dir := func(c string) string { return filepath.Join(store, strings.Repeat(c, 24)) }
	names := []string{"a", "b", "c"}
	e := graphs.Embedding{D: 2, Final: []float32{1, 2, 3, 4, 5, 6}, Vectors: []float32{1, 2, 3, 4, 5, 6, 7, 8}, First: []int32{0, 2, 3, 4}, Share: []float32{.5, .5, 1, 1}}
	old, recent, r := dir("0"), dir("1"), results.Record{}
	for i, d := range []string{old, recent} {
		call.OK(t, KeepVectors(d, names, e))
		at := time.Unix(int64(1e9+1e3*i), 0)
		call.OK(t, os.Chtimes(filepath.Join(d, vectors.PackedFile), at, at))
	}
	v, err := LoadVectors(recent, r, []string{"c", "a", "b"})
	if err != nil || !slices.Equal(v.One.Data, []float32{5, 6, 1, 2, 3, 4}) || !slices.Equal(v.Several.First, []int32{0, 1, 3, 4}) || !slices.Equal(v.Several.Share, []float32{1, .5, .5, 1}) {
		t.Errorf("%+v, %v", v, err)
	}
	for _, none := range []string{"", dir("2")} {
		if _, err := LoadVectors(none, r, names); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("vectors of %q: error %v", none, err)
		}
	}
	file := filepath.Join(recent, vectors.PackedFile)
	copied, own := dir("3"), filepath.Join(store, "own", vectors.PackedFile)
	for _, path := range []string{filepath.Join(copied, vectors.PackedFile), own} {
		call.OK(t, os.Mkdir(filepath.Dir(path), 0o777), os.Link(file, path))
	}
	call.Refused(t, `run "1111`)(LoadVectors(copied, r, names))
	call.OK(t, os.RemoveAll(copied), os.Symlink(recent, dir("4")))
	fi := call.Of(os.Stat(file))(t)
	if files, _, err := Trim(store, fi.Size()); files != 1 || err != nil || HasVectors(old) || !HasVectors(recent) {
		t.Errorf("%d files went, %v: expected the oldest", files, err)
	}
	call.Refused(t)(r.Write(recent))
	if files, bytes, err := Trim(store, 0); files != 1 || bytes != fi.Size() || err != nil {
		t.Errorf("%d files of %d bytes went, %v: expected all", files, bytes, err)
	}
	call.Of(os.Stat(own))(t)
	if _, err := os.Stat(recent); !errors.Is(err, fs.ErrNotExist) {
		t.Error("an empty folder stays")
	}
	if files, _, err := Trim(filepath.Join(store, "none"), 0); files != 0 || err != nil {
		t.Error(err)
	}
}

// Packing moves the records of finished runs with their scores and figures, keeps what is in the packed file, and leaves what is more than a record or is under way.
func TestPack(t *testing.T) {
	store, all := storeOf(t, 3)
	call.File(t, filepath.Join(store, results.PackedFile), "no record, and no line end")
	dir := func(i int) string { return filepath.Join(store, strings.Repeat(strconv.Itoa(i), 24)) }
	for i := range 4 {
		call.OK(t, all[i].Write(dir(i)))
	}
	call.OK(t, (results.Scored{Of: all[0].ID(), Score: "dot", Metrics: results.Metrics{"auc": .5}}).Write(dir(0)))
	call.File(t, filepath.Join(dir(1), vectors.PackedFile), "")
	call.File(t, filepath.Join(dir(0), results.FigureFile), "shown")
	for _, left := range []string{results.ScoresFolder + "/.dot.json", "." + vectors.PackedFile, "." + results.RecordFile} { // by a process that was killed
		call.File(t, filepath.Join(dir(0), left+".tmp-0123456789abcdef"), "torn")
	}
	before := call.First(results.ReadStore(store))(t)
	held, err := TakeRun(dir(2))
	if err != nil || held == nil {
		t.Fatal(held, err)
	}
	const vectored = "it has vectors, which results clean removes"
	if packed, left, err := Pack(store); packed != 2 || !slices.Equal(left, []string{vectored, "a process is at work on it"}) || err != nil {
		t.Errorf("%d packed, left %q, %v", packed, left, err)
	}
	LeaveRun(held)
	if packed, left, err := Pack(store); packed != 1 || !slices.Equal(left, []string{vectored}) || err != nil {
		t.Errorf("once more: %d packed, left %q, %v", packed, left, err)
	}
	after, problems, err := results.ReadStore(store)
	byID := func(a, b results.Record) int { return strings.Compare(a.ID(), b.ID()) }
	slices.SortFunc(before, byID)
	slices.SortFunc(after, byID)
	if err != nil || len(problems) != 1 || !reflect.DeepEqual(after, before) {
		t.Errorf("%d records of %d, problems %v, %v", len(after), len(before), problems, err)
	}
	if shown := call.Of(os.ReadFile(filepath.Join(store, results.FigureFolder, entryOf(results.Stored{Record: all[0]}).Run.Name()+".json")))(t); string(shown) != "shown" {
		t.Errorf("figure: %q", shown)
	}
	for i := range 4 {
		if _, err := os.Stat(dir(i)); (err == nil) != (i == 1) {
			t.Errorf("folder %d: %v", i, err)
		}
	}
}
