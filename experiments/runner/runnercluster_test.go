package runner

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/results"
)

// Runs of processes that wrote parts are there for everyone; what a process did before is not done again when it comes back.
func TestRunnerWithPart(t *testing.T) {
	r := dataFolder(t)
	jobs := tinyJobs(4)
	r.Part, r.Alone = results.NewPart(r.Store, "task-7"), "task-7-"
	runAll(t, r, jobs[:2])
	if _, err := os.Stat(r.Store); err == nil {
		t.Error("it wrote the file of the store")
	}
	r.Part = results.NewPart(r.Store, "task-7") // its next life
	if got := runAll(t, r, jobs[:3]); got.There != 2 || got.Done != 1 {
		t.Errorf("next life: %+v", got)
	}
	r.Part, r.Alone = nil, ""
	if got := runAll(t, r, jobs); got.There != 3 || got.Done != 1 {
		t.Errorf("another process: %+v", got)
	}
	if got := aucs(t, records(t, r.Store)); len(got) != 4 {
		t.Errorf("%d runs", len(got))
	}
	if names, _ := filepath.Glob(filepath.Join(filepath.Dir(r.Store), ".*")); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

// A submission's folder gives back the runs that were put into it, by task, and says no to what is not its own.
func TestSubmission(t *testing.T) {
	r := dataFolder(t)
	tasks, _, err := r.Tasks(tinyJobs(250), 1)
	if err != nil || len(tasks) != 250 {
		t.Fatal(len(tasks), err)
	}
	made := func() *Submission {
		s, err := NewSubmission(Submission{Store: r.Store, Data: r.DataDir}, "a sweep/α", [][]Task{tasks[:200], tasks[200:]}, nil,
			func(s Submission) string { return "#!/bin/sh\n# " + s.Name })
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first, second := made(), made()
	if first.Name != "a-sweep-1" || second.Name != "a-sweep-2" || first.Job == second.Job {
		t.Errorf("names %s, %s, jobs %s, %s", first.Name, second.Name, first.Job, second.Job)
	}
	all, err := Submissions(r.Store)
	if err != nil || len(all) != 2 || all[0].Tasks != 250 || all[0].Runs != 250 {
		t.Fatal(all, err)
	}
	every, err := all[0].AllTasks()
	if err != nil {
		t.Fatal(err)
	}
	for n := range tasks {
		runs, err := all[0].Task(n)
		if err != nil || len(runs) != 1 || !reflect.DeepEqual(runs, every[n]) {
			t.Fatalf("task %d: %v, %v", n, runs, err)
		}
		if j, err := runs[0].Job(); err != nil || j != tasks[n].Runs[0].Job {
			t.Fatalf("task %d: %+v, %v", n, j, err)
		}
	}
	if _, err := all[0].Task(250); err == nil || !strings.Contains(err.Error(), "want 0 to 249") {
		t.Errorf("task 250: %v", err)
	}
	every[0][0].Key = "another"
	if _, err := every[0][0].Job(); err == nil || !strings.Contains(err.Error(), "want the program that submitted it") {
		t.Errorf("another program: %v", err)
	}
	if problems, _, _ := results.ReadStore(filepath.Dir(r.Store)); len(problems) > 0 {
		t.Error("files of a submission are taken for records")
	}
}
