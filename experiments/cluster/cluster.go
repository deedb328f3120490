// Package cluster keeps what was submitted to a Slurm cluster, and tells how it stands.
package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/slurm"
)

// MostTasks is how many tasks a submission has at most, if nothing is said.
const MostTasks = 32

// Submission is what is kept of runs that were handed to Slurm, in a file beside the store: with the records and the queue it says how they
// stand.
type Submission struct {
	Name    string    `json:"name"` // of the job, and of the file
	Job     string    `json:"job"`  // its number
	Created time.Time `json:"created"`
	Command []string  `json:"command"`
	Tasks   int       `json:"tasks"`
	Runs    []Run     `json:"runs"`
}

// Run is a run, or one to be chosen from several: their keys.
type Run struct {
	Task int      `json:"task"` // from 1
	Keys []string `json:"keys"`
}

// Folder returns the folder of a store's submissions, and of their logs.
func Folder(store string) string { return filepath.Join(filepath.Dir(store), "slurm") }

// Log returns the path of a task's log, with %A and %a for any.
func (s Submission) Log(store, job, task string) string {
	return filepath.Join(Folder(store), fmt.Sprintf("%s.%s_%s.log", s.Name, job, task))
}

var plainName = regexp.MustCompile(`[^a-zA-Z0-9._-]+`)

// New returns what jobs come to that are not in the runner's store, in so many tasks, 0 for the usual number, and how they were planned.
// It returns the runner's errors.
func New(r *runner.Runner, word string, jobs []store.Job, tasks int) (s Submission, planned []runner.Planned, err error) {
	if planned, err = r.Plan(jobs); err != nil {
		return s, nil, err
	}
	planned = slices.DeleteFunc(planned, func(x runner.Planned) bool { return !x.Todo() })
	s.Tasks = cmp.Or(tasks, max(1, min(MostTasks, len(planned))))
	taskOf := map[string]int{}
	for i := range s.Tasks {
		for _, j := range runner.Shard(jobs, i+1, s.Tasks) {
			taskOf[j.Key()] = i + 1
		}
	}
	text := r.Store
	for _, j := range jobs {
		text += j.Key()
	}
	for _, x := range planned {
		one := Run{taskOf[x.Key], x.Among}
		if one.Keys == nil {
			one.Keys = []string{x.Key}
		}
		s.Runs = append(s.Runs, one)
	}
	s.Name = fmt.Sprintf("asp2vec-%s-%.6s", strings.Trim(plainName.ReplaceAllString(word, "-"), "-."), run.Hash(text))
	s.Command, s.Created = r.Command, time.Now().UTC().Truncate(time.Second)
	return s, planned, nil
}

// Write keeps the submission beside a store. It returns an error where the file cannot be written.
func (s Submission) Write(store string) error {
	return atomicfile.Write(filepath.Join(Folder(store), s.Name+".json"), func(w io.Writer) error { return json.NewEncoder(w).Encode(s) })
}

// Read returns the submissions of a store, the first one first. It returns an error for a file that cannot be read, or is none.
func Read(store string) (all []Submission, err error) {
	files, err := atomicfile.Named(Folder(store), "*.json")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var s Submission
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, fmt.Errorf("%s: no submission: %w", file, err)
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b Submission) int { return a.Created.Compare(b.Created) })
	return all, nil
}

// Standing is how a submission stands.
type Standing struct {
	Submission string    `json:"submission"`
	Runs       int       `json:"runs"`
	Done       int       `json:"done"`
	Failed     int       `json:"failed"`
	Running    int       `json:"tasks_running"`
	Waiting    int       `json:"tasks_waiting"`
	Problems   []Problem `json:"problems,omitempty"`
}

// Problem is why runs of a task are not done.
type Problem struct {
	Task int    `json:"task"`
	Runs int    `json:"runs"`
	Why  string `json:"why"`
	Log  string `json:"log"`
}

// Standing counts the runs of a submission of a store by what became of them, given its tasks that are in the queue.
func (s Submission) Standing(ctx context.Context, path string, runs *store.Runs, queue []slurm.Task) Standing {
	st := Standing{Submission: s.Name, Runs: len(s.Runs)}
	queued := map[int]slurm.Task{}
	for _, t := range queue {
		if queued[t.Number] = t; t.State == "PENDING" {
			st.Waiting++
		} else {
			st.Running++
		}
	}
	open, why := map[int]int{}, map[int]string{} // of tasks
	for _, r := range s.Runs {
		reason, failed := runs.Failure(r.Keys[0])
		switch done := slices.ContainsFunc(r.Keys, func(key string) bool { _, there := runs.Entry(key); return there }); {
		case done:
			st.Done++
		case failed:
			st.Failed++
			open[r.Task]++
			why[r.Task] = "failed: " + strings.ReplaceAll(reason, "\n", "; ")
		default:
			open[r.Task]++
		}
	}
	var ended map[int]string
	for _, task := range slices.Sorted(maps.Keys(open)) {
		t, there := queued[task]
		switch {
		case there && t.State == "RUNNING" && why[task] == "":
			continue
		case there && why[task] == "":
			why[task] = strings.TrimSpace(fmt.Sprintf("%s: %s %s", strings.ToLower(t.State), t.Why, t.Node))
		case why[task] == "":
			if ended == nil {
				ended = slurm.Ended(ctx, s.Job)
			}
			if why[task] = strings.ToLower(ended[task]); why[task] == "" || why[task] == "completed" {
				why[task] = "ended before its runs were done"
			}
		}
		st.Problems = append(st.Problems, Problem{task, open[task], why[task], s.Log(path, s.Job, fmt.Sprint(task))})
	}
	return st
}
