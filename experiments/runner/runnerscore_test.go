package runner

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
)

// lastJobs are runs that no score has a say in.
func lastJobs(n int, scoring string) (jobs []store.Job) {
	for _, j := range tinyJobs(n) {
		j.Options.Select, j.Options.Patience, j.Options.Scoring = "last", 0, scoring
		jobs = append(jobs, j)
	}
	return jobs
}

// A training is done once, whatever it is scored by; a score that comes later is worked out from the kept vectors, and where these have gone by
// training again, which gives the same numbers and no other record.
func TestScoresWithoutTraining(t *testing.T) {
	golden.StillPaper(t)
	r := dataFolder(t)
	r.Vectors = 1 << 30
	if report := runAll(t, r, slices.Concat(lastJobs(2, "native"), lastJobs(2, "dot"))); report.Runs != 2 || report.Done != 2 {
		t.Fatalf("%+v: expected two trainings for two scores", report)
	}
	later := slices.Concat(lastJobs(2, "native"), lastJobs(2, "two-sided"))
	if report := runAll(t, r, later); report.Done != 0 || report.Scored != 2 {
		t.Fatalf("%+v: expected two runs scored", report)
	}
	if report := runAll(t, r, later); report.There != 2 {
		t.Fatalf("%+v: expected all there", report)
	}
	find := func(score string) map[uint64]float64 {
		there := call.Of(store.ReadOwn(r.Store))(t)
		found := map[uint64]float64{}
		for _, j := range lastJobs(2, score) {
			record, ok := there.Runs(nil).Find(j)
			if !ok || len(there.Entries) != 2 {
				t.Fatalf("%s: %v, %d records", score, ok, len(there.Entries))
			}
			found[j.Options.Seed] = record.Metrics["auc"]
		}
		return found
	}
	again := find("two-sided")
	if files, _, err := store.Trim(r.Store, 0); files != 2 || err != nil {
		t.Fatal(files, err)
	}
	if report := runAll(t, r, lastJobs(2, "cosine")); report.Done != 2 {
		t.Fatalf("%+v: expected two runs trained again", report)
	}
	for _, score := range []string{"native", "dot", "two-sided", "cosine"} {
		find(score)
	}
	// Packed records of before the definitions of now count; a score that they lack makes a folder of the run.
	call.First(store.Trim(r.Store, 0))(t)
	if packed, left, err := store.Pack(r.Store); packed != 2 || len(left) > 0 || err != nil {
		t.Fatal(packed, left, err)
	}
	path := filepath.Join(r.Store, results.PackedFile)
	text := call.Of(os.ReadFile(path))(t)
	const before = "13ec61aa33b7fae3" // the first of definitions.txt
	text = regexp.MustCompile(`"definition":"[0-9a-f]+"`).ReplaceAll(text, []byte(`"definition":"`+before+`"`))
	call.File(t, path, text)
	if report := runAll(t, r, lastJobs(2, "cosine")); report.There != 2 {
		t.Errorf("%+v: expected packed records of before", report)
	}
	if report := runAll(t, r, lastJobs(2, "max")); report.Done != 2 {
		t.Errorf("%+v: expected them trained again for a score", report)
	}
	if report := runAll(t, r, lastJobs(2, "jaccard")); report.Scored != 2 {
		t.Errorf("%+v: expected their vectors kept by then", report)
	}
	if report := runAll(t, r, lastJobs(2, "cosine")); report.There != 2 {
		t.Errorf("%+v: expected the scores of both records", report)
	}
	for _, j := range lastJobs(2, "two-sided") {
		j.Options.Scoring = "two-sided"
		if record := alone(t, j.Options); record.Metrics["auc"] != again[j.Options.Seed] {
			t.Errorf("seed %d: %v from kept vectors, %v from a run of its own", j.Options.Seed, again[j.Options.Seed], record.Metrics["auc"])
		}
	}
}

// Stored runs get other scores and metrics; those whose vectors have gone say so, and nothing is measured twice.
func TestScoreStored(t *testing.T) {
	r := dataFolder(t)
	r.Vectors = 1 << 30
	jobs := lastJobs(2, "native")
	runAll(t, r, jobs)
	call.OK(t, os.Remove(filepath.Join(folderOf(t, r, jobs[0]), vectors.PackedFile)))
	missing := lastJobs(3, "native")
	for range 2 {
		all, left, err := r.ScoreStored(t.Context(), missing, []string{"cosine", "lr"}, eval.ScoreOptions{Threads: 1}, eval.Measurement{Metrics: []string{"auc", "ap"}}, func(int, int) {})
		if err != nil || len(all) != 2 || left != 1 {
			t.Fatalf("%d runs, %d left, %v", len(all), left, err)
		}
		measured := 0
		for _, one := range all {
			if one.Error != "" {
				continue
			}
			measured++
			for _, s := range one.Scores {
				if !(s.Metrics["ap"] > 0 && s.Metrics["auc"] > 0) {
					t.Errorf("%s: %v", s.Score, s.Metrics)
				}
			}
		}
		if measured != 1 {
			t.Errorf("%d runs were scored, expected that whose vectors are there", measured)
		}
	}
	if files, err := filepath.Glob(filepath.Join(r.Store, "*", results.ScoresFolder, "*")); err != nil || len(files) != 2 {
		t.Errorf("%v, %v: expected two scores of one run", files, err)
	}
}

// Each score chooses for itself, among the same trainings, and has its rows in the end.
func TestEachScoreChooses(t *testing.T) {
	r := dataFolder(t)
	r.Vectors = 1 << 30
	choice := &store.Choice{Grid: grid.Grid{{Name: "dim", Values: []any{2, 6}}}}
	var jobs, cells []store.Job
	for _, score := range []string{"lr", "dot", "two-sided"} {
		for _, j := range lastJobs(2, score) {
			j.Choice = choice
			all := j.Candidates(j.Options.Seed)
			cells = append(cells, all[0])
			jobs = append(jobs, append(store.Choosing(j.Candidates(store.FirstSeed)), all...)...)
		}
	}
	report := runAll(t, r, jobs)
	if len(report.Failed) > 0 || report.Left > 0 {
		t.Fatalf("%+v", report)
	}
	there := call.Of(store.ReadOwn(r.Store))(t)
	for _, cell := range cells {
		chosen, ok := there.Runs(nil).Chosen(cell)
		if !ok {
			t.Fatalf("%s: nothing was chosen", cell)
		}
		if _, found := there.Runs(nil).Find(chosen); !found || chosen.Options.Scorer() != cell.Options.Scorer() {
			t.Errorf("%s by %s: %s is not there", cell, cell.Options.Scorer(), chosen)
		}
	}
	if again := runAll(t, r, jobs); again.Done+again.Scored > 0 || again.Left > 0 {
		t.Errorf("once more: %+v, expected nothing to do", again)
	}
}

// Scores of stored runs are found afterwards, and lie beside records only, whenever it is that others clean
// and pack.
func TestScoresBesideCleanAndPack(t *testing.T) {
	r := dataFolder(t)
	r.Vectors = 1 << 30
	jobs := lastJobs(20, "native")
	measured := 0
	for round := range jobs {
		one := jobs[round : round+1]
		runAll(t, r, one)
		ended := make(chan []Stored)
		go func() {
			all, missing, err := r.ScoreStored(t.Context(), one, []string{"lr", "cosine", "max", "two-sided"}, eval.ScoreOptions{Threads: 1}, eval.Measurement{}, func(int, int) {})
			if err != nil || missing > 0 {
				t.Errorf("%d missing, %v", missing, err)
			}
			ended <- all
		}()
		for range 15 * round {
			call.Of(store.ReadRun(r.Store))(t) // takes some microseconds
		}
		for range 5 {
			call.First(store.Trim(r.Store, 0))(t)
			call.First(store.Pack(r.Store))(t)
		}
		stored := <-ended
		entry, found := call.Of(store.ReadOwn(r.Store))(t).Runs(nil).Entry(one[0])
		if !found || len(stored) != 1 {
			t.Fatalf("%d runs, found: %v", len(stored), found)
		}
		for _, s := range stored[0].Scores {
			if s.Metrics != nil {
				measured++
				if entry.MetricsBy(s.Score) == nil {
					t.Errorf("round %d: %s is lost", round, s.Score)
				}
			}
		}
	}
	t.Log(measured, "scores")
	for _, scores := range call.Of(filepath.Glob(filepath.Join(r.Store, "*", results.ScoresFolder)))(t) {
		call.Of(os.Stat(filepath.Join(filepath.Dir(scores), results.RecordFile)))(t)
	}
}

// Who scores a run waits for who is at it, and adds nothing to a run that is not there any more.
func TestScoresWaitForTheRun(t *testing.T) {
	r := dataFolder(t)
	r.Vectors = 1 << 30
	jobs := lastJobs(2, "native")
	runAll(t, r, jobs)
	dir := folderOf(t, r, jobs[1])
	held := call.Of(store.TakeRun(dir))(t)
	planned, ended := make(chan struct{}), make(chan error)
	go func() {
		_, _, err := r.ScoreStored(t.Context(), jobs, []string{"cosine"}, eval.ScoreOptions{Threads: 1}, eval.Measurement{}, func(i, _ int) {
			if i == 1 {
				close(planned)
			}
		})
		ended <- err
	}()
	<-planned
	call.OK(t, os.Remove(filepath.Join(dir, results.RecordFile)))
	store.LeaveRun(held)
	call.Refused(t, "scores could not be kept", dir, "taken away")(<-ended)
	if _, err := os.Stat(filepath.Join(dir, results.ScoresFolder)); err == nil {
		t.Error("scores of no record")
	}
}
