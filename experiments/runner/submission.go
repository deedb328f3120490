package runner

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/disk"
	"github.com/asp2vec/asp2vec/methods"
)

// Submission is runs that were handed to a cluster: a folder beside the store, which every machine sees. The folder is written
// whole before anything is submitted, and then holds what tasks leave: logs, and what became of each life of a task.
type Submission struct {
	Dir string `json:"-"`

	Name    string    `json:"name"`
	Job     string    `json:"job"` // the name of its jobs in the queue
	Created time.Time `json:"created"`
	Host    string    `json:"host"`
	Command []string  `json:"command"` // for the records
	Store   string    `json:"store"`   // path of the file of records
	Data    string    `json:"data"`    // folder of the data sets
	Tasks   int       `json:"tasks"`
	Runs    int       `json:"runs"`
	Retry   bool      `json:"retry"`   // also runs that failed before
	Requeue int       `json:"requeue"` // times that a task is put into the queue again at most, when its time is up or it was killed
}

// TaskRun is a run of a task.
type TaskRun struct {
	Key      string          `json:"key"`
	Dataset  string          `json:"dataset"`
	Protocol string          `json:"protocol"`
	Method   string          `json:"method"`
	Options  json.RawMessage `json:"options"`
	Own      *source.OwnData `json:"own,omitempty"`
	Choice   *store.Choice   `json:"choice,omitempty"`
	Keep     bool            `json:"keep,omitempty"`    // what it has learnt is kept, for a figure
	Decided  bool            `json:"decided,omitempty"` // runs of other tasks may make it needless
}

// taskLine is a line of the files of tasks.
type taskLine struct {
	Task int       `json:"task"`
	Runs []TaskRun `json:"runs"`
}

// Names of files in the folder of a submission.
const (
	submissionFile = "submission.json"
	submittedFile  = "submitted.json"
	TaskScript     = "task.sh"
	taskFolder     = "tasks"
	LogFolder      = "logs"
	lifeFolder     = "lives"
)

// tasksOfFile is how many tasks share a file: a task reads one that is small, and 10,000 tasks are a hundred files.
const tasksOfFile = 100

// SubmissionsFolder returns the folder of a store's submissions.
func SubmissionsFolder(store string) string { return filepath.Join(filepath.Dir(store), "jobs") }

var plainName = regexp.MustCompile(`[^a-zA-Z0-9._-]+`)

// NewSubmission writes the folder of a submission, named by a word and the first number that is free, with the tasks of classes, numbered
// from 0 one class after the other. script is the text of TaskScript, made for the folder. keep says of which runs the models are kept;
// it may be nil. It returns an error where the folder cannot be written, and leaves none then.
func NewSubmission(s Submission, word string, classes [][]Task, keep func(store.Job) bool, script func(s Submission) string) (*Submission, error) {
	word = strings.Trim(plainName.ReplaceAllString(word, "-"), "-.")
	all := SubmissionsFolder(s.Store)
	for n := 1; ; n++ {
		s.Name = fmt.Sprintf("%s-%d", word, n)
		s.Dir = filepath.Join(all, s.Name)
		if _, err := os.Lstat(s.Dir); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("experiments: submission: %w", err)
		}
	}
	s.Job = fmt.Sprintf("asp2vec-%s-%.6s", s.Name, run.Hash(s.Dir)) // there may be other stores
	var lines []taskLine
	for _, tasks := range classes {
		for _, t := range tasks {
			line := taskLine{Task: len(lines)}
			for _, p := range t.Runs {
				text, err := json.Marshal(p.Job.Options)
				if err != nil {
					return nil, fmt.Errorf("experiments: submission: %v: %w", p.Job, err)
				}
				line.Runs = append(line.Runs, TaskRun{p.Key, p.Job.Dataset, p.Job.Protocol, p.Job.Options.Method.Name, text, p.Job.Own, p.Job.Choice, keep != nil && keep(p.Job), t.Level > 0})
			}
			s.Runs += len(line.Runs)
			lines = append(lines, line)
		}
	}
	s.Tasks = len(lines)
	if err := disk.MkdirAll(all, 0o777); err != nil {
		return nil, fmt.Errorf("experiments: submission: %w", err)
	}
	err := atomicfile.Dir(s.Dir, false, func(tmp string) error {
		for _, folder := range []string{taskFolder, LogFolder, lifeFolder} {
			if err := disk.Mkdir(filepath.Join(tmp, folder), 0o777); err != nil {
				return err
			}
		}
		for n, some := range slices.Collect(slices.Chunk(lines, tasksOfFile)) {
			if err := disk.WriteFile(taskFile(tmp, n*tasksOfFile), encodeLines(some), 0o666); err != nil {
				return err
			}
		}
		text, err := json.MarshalIndent(s, "", "  ")
		if err != nil {
			return err
		}
		return errors.Join(disk.WriteFile(filepath.Join(tmp, TaskScript), []byte(script(s)), 0o777), disk.WriteFile(filepath.Join(tmp, submissionFile), append(text, '\n'), 0o666))
	})
	if err != nil {
		return nil, fmt.Errorf("experiments: submission: %w", err)
	}
	return &s, nil
}

func encodeLines(lines []taskLine) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, l := range lines {
		_ = e.Encode(l) // a buffer takes everything, and the options were encoded before
	}
	return b.Bytes()
}

// taskFile returns the file with a task.
func taskFile(dir string, task int) string {
	return filepath.Join(dir, taskFolder, fmt.Sprintf("%05d.ndjson", task/tasksOfFile*tasksOfFile))
}

// OpenSubmission reads the submission in a folder. It returns an error for a folder without one, and for a file that cannot be read.
func OpenSubmission(dir string) (*Submission, error) {
	s := &Submission{Dir: dir}
	if err := readJSON(filepath.Join(dir, submissionFile), s); err != nil {
		return nil, fmt.Errorf("experiments: submission: %w", err)
	}
	return s, nil
}

// Submissions returns those of a store, the first one first; none where there are none. A folder that is none is left out. It returns
// an error for files that are there and cannot be read.
func Submissions(store string) (all []*Submission, err error) {
	entries, err := os.ReadDir(SubmissionsFolder(store))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("experiments: submissions: %w", err)
	}
	for _, e := range entries {
		s, err := OpenSubmission(filepath.Join(SubmissionsFolder(store), e.Name()))
		if errors.Is(err, fs.ErrNotExist) || err != nil && !e.IsDir() {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b *Submission) int { return a.Created.Compare(b.Created) })
	return all, nil
}

// Remove removes a submission of which nothing was submitted. It returns an error where the folder cannot be removed.
func (s *Submission) Remove() error { return disk.RemoveAll(s.Dir) }

// Array is a job array with tasks of a submission.
type Array struct {
	Job   string `json:"job"`   // its number
	First int    `json:"first"` // task, which has number 0 in the array
	Tasks int    `json:"tasks"`
}

// Submitted notes the arrays that were submitted. It returns an error where the file cannot be written.
func (s *Submission) Submitted(arrays []Array) error {
	return writeJSON(filepath.Join(s.Dir, submittedFile), arrays)
}

// Arrays returns the arrays that were submitted; none where it is not known whether there are any. It returns an error for a file that
// is there and cannot be read.
func (s *Submission) Arrays() (arrays []Array, err error) {
	err = readJSON(filepath.Join(s.Dir, submittedFile), &arrays)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("experiments: submission: %w", err)
	}
	return arrays, nil
}

// writeJSON writes a file, whole or not at all.
func writeJSON(path string, v any) error {
	return atomicfile.Write(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
}

// readJSON reads what a file holds into what to points at.
func readJSON(path string, to any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, to); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Task returns the runs of a task. number is from 0 to Tasks-1. It returns an error for any other, and for a file that cannot be read.
func (s *Submission) Task(number int) ([]TaskRun, error) {
	if number < 0 || number >= s.Tasks {
		return nil, fmt.Errorf("experiments: submission %s: task %d: want 0 to %d", s.Name, number, s.Tasks-1)
	}
	var found []TaskRun
	err := eachTask(taskFile(s.Dir, number), func(l taskLine) {
		if l.Task == number {
			found = l.Runs
		}
	})
	if err == nil && found == nil {
		err = fmt.Errorf("experiments: submission %s: %s has no task %d", s.Name, taskFile(s.Dir, number), number)
	}
	return found, err
}

// AllTasks returns the runs of all tasks, by their numbers. It returns an error for a file that cannot be read.
func (s *Submission) AllTasks() ([][]TaskRun, error) {
	all := make([][]TaskRun, s.Tasks)
	for n := 0; n < s.Tasks; n += tasksOfFile {
		err := eachTask(taskFile(s.Dir, n), func(l taskLine) {
			if l.Task >= 0 && l.Task < len(all) {
				all[l.Task] = l.Runs
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

func eachTask(path string, do func(taskLine)) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("experiments: submission: %w", err)
	}
	defer f.Close()
	d := json.NewDecoder(bufio.NewReader(f))
	for {
		var l taskLine
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("experiments: %s: %w", path, err)
		}
		do(l)
	}
}

// Job returns the job of a run. It returns an error for a method that is not known, and where this program gives the run another key
// than the one that submitted it.
func (r TaskRun) Job() (store.Job, error) {
	o, err := methods.Options(r.Method, graphs.Default)
	if err != nil {
		return store.Job{}, err
	}
	if err := json.Unmarshal(r.Options, &o); err != nil {
		return store.Job{}, fmt.Errorf("experiments: options of a run of %s: %w", r.Method, err)
	}
	j := store.Job{Dataset: r.Dataset, Protocol: r.Protocol, Options: o, Own: r.Own, Choice: r.Choice}
	if key := j.Key(); key != r.Key {
		return store.Job{}, fmt.Errorf("experiments: run %s of the plan is run %s for this program: want the program that submitted it", r.Key, key)
	}
	return j, nil
}

// State returns what became of a run of a submission: StateDone, also where other runs have made it needless; StateFailed and why; or
// StateMissing.
func (r TaskRun) State(runs *store.Runs) (state, why string) {
	switch there, why, failed := runs.State(r.Key); {
	case there:
		return StateDone, ""
	case failed:
		return StateFailed, why
	}
	if r.Choice != nil {
		if j, err := r.Job(); err == nil && runs.NeedsNoRun(j) {
			return StateDone, ""
		}
	}
	return StateMissing, ""
}
