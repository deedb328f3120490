package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// Nothing is trained in the place of a run whose files cannot be read: plan and report name the file, and the
// others are done.
func TestNothingIsTrainedInThePlaceOfUnreadRuns(t *testing.T) {
	r := dataFolder(t)
	jobs := lastJobs(6, "native")
	runAll(t, r, jobs[:5])
	var files []string
	for i, text := range []string{"{", `{"schema":99}`, "", "{}", ""} {
		file := filepath.Join(folderOf(t, r, jobs[i]), results.RecordFile)
		switch {
		case i == 2:
			call.OK(t, os.Remove(file), os.Mkdir(file, 0o777))
		case i == 3:
			file = filepath.Join(filepath.Dir(file), results.ScoresFolder, "dot.json")
			call.OK(t, os.Mkdir(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666))
		case i == 4 && os.Geteuid() != 0: // who may read everything
			call.OK(t, os.Chmod(file, 0))
		case i == 4:
			continue
		default:
			call.File(t, file, text)
		}
		files = append(files, file)
	}
	for i := range jobs {
		jobs[i].Scores = []string{"dot"}
	}
	before := fmt.Sprint(call.Of(filepath.Glob(filepath.Join(r.Store, "*", "*")))(t))
	planned := call.Of(r.Plan(jobs[:len(files)]))(t)
	for i, p := range planned {
		if !p.Todo() || !strings.Contains(p.Unfit, files[i]) {
			t.Errorf("%s: %s, %q", files[i], p.State, p.Unfit)
		}
	}
	got := runAll(t, r, jobs[:len(files)])
	if got.Done+got.Scored+got.Left > 0 || len(got.Failed) != len(files) {
		t.Fatalf("%+v", got)
	}
	for i, f := range got.Failed {
		if !strings.Contains(f.Error, files[i]) && !strings.Contains(fmt.Sprint(got.Failed), files[i]) {
			t.Errorf("%s: %s", files[i], f.Error)
		}
	}
	if after := fmt.Sprint(call.Of(filepath.Glob(filepath.Join(r.Store, "*", "*")))(t)); after != before {
		t.Errorf("files %s: expected %s", after, before)
	}
	all, missing, err := r.ScoreStored(t.Context(), jobs[:2], []string{"cosine"}, eval.ScoreOptions{Threads: 1}, eval.Measurement{}, func(int, int) {})
	if err != nil || missing > 0 || len(all) != 2 || !strings.Contains(all[0].Error, files[0]) {
		t.Errorf("%+v, %d missing, %v", all, missing, err)
	}
	if got := runAll(t, r, jobs[5:]); got.Done != 1 {
		t.Errorf("another run: %+v", got)
	}
}
