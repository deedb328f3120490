// Package slurm speaks with a Slurm cluster by its commands: sbatch, squeue, scancel, scontrol and sacct.
package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// patience is how long a command may take: a controller that is busy answers late, one that is away not at all.
const patience = 2 * time.Minute

// ErrMissing is the error for a command that this machine does not have.
var ErrMissing = errors.New("want a machine of a Slurm cluster, with its commands in PATH")

// run runs a command and returns what it prints.
func run(ctx context.Context, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr, c.WaitDelay = &out, &errs, time.Second
	err := c.Run()
	switch {
	case err == nil:
		return out.String(), nil
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("%s is not here: %w", name, ErrMissing)
	case ctx.Err() == context.DeadlineExceeded:
		return "", fmt.Errorf("%s has not answered for %v", name, patience)
	case ctx.Err() != nil:
		return "", ctx.Err()
	}
	said := strings.Join(strings.FieldsFunc(errs.String()+out.String(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
	if said == "" {
		said = "without a word"
	}
	return "", fmt.Errorf("%s failed (%w): %s", name, err, said)
}

// Array is a job array to submit.
type Array struct {
	Script     string   // the file of it
	Name       string   // of the job
	Tasks      int      // numbered from 0
	Arguments  []string // of the script
	Throttle   int      // tasks that run at a time; 0 for no limit
	Minutes    int      // that a task may take
	MemoryMB   int      // for a task
	CPUs       int      // for a task
	SignalLead int      // seconds before the time is up at which the script gets SIGUSR1
	Log        string   // path of the logs, with %A and %a for the numbers of job and task
	After      []string // jobs that must have ended before, however they ended
	Options    []string // more options of sbatch, "--partition=long"; they come last, and so override the rest
}

// args returns the arguments of sbatch.
func (a Array) args() []string {
	tasks := fmt.Sprintf("0-%d", a.Tasks-1)
	if a.Throttle > 0 {
		tasks += "%" + strconv.Itoa(a.Throttle)
	}
	args := []string{
		"--parsable", "--requeue", "--open-mode=append", "--job-name=" + a.Name, "--array=" + tasks, fmt.Sprintf("--time=%d", a.Minutes), fmt.Sprintf("--mem=%dM", a.MemoryMB),
		"--nodes=1", "--ntasks=1", fmt.Sprintf("--cpus-per-task=%d", a.CPUs), "--output=" + a.Log, "--error=" + a.Log, fmt.Sprintf("--signal=B:USR1@%d", a.SignalLead),
	}
	if len(a.After) > 0 {
		args = append(args, "--dependency=afterany:"+strings.Join(a.After, ":"))
	}
	return append(append(append(args, a.Options...), a.Script), a.Arguments...)
}

// number is a job as sbatch --parsable names it: its number and maybe its cluster.
var number = regexp.MustCompile(`^([1-9][0-9]*)(;[^\s;]+)?$`)

// AnswerError is the error for an answer of sbatch that is no job's number: whether there is a job nobody knows.
type AnswerError struct{ Answer string }

// Error shows the beginning of the answer.
func (e AnswerError) Error() string {
	const shown = 200
	return fmt.Sprintf("sbatch answered %.*q: want the number of a job", shown, e.Answer)
}

// Submit submits an array and returns its number. It returns an error where sbatch is missing or fails, and an AnswerError where it
// answers without a number.
func Submit(ctx context.Context, a Array) (job string, err error) {
	answer, err := run(ctx, "sbatch", a.args()...)
	if err != nil {
		return "", err
	}
	if m := number.FindStringSubmatch(strings.TrimSpace(answer)); m != nil {
		return m[1], nil
	}
	return "", AnswerError{strings.TrimSpace(answer)}
}

// MaxArray returns how many tasks an array of the cluster may have; 1000, which is usual, where it does not say.
func MaxArray(ctx context.Context) int {
	answer, err := run(ctx, "scontrol", "show", "config")
	if err == nil {
		for line := range strings.Lines(answer) {
			name, value, _ := strings.Cut(line, "=")
			if size, err := strconv.Atoi(strings.TrimSpace(value)); strings.TrimSpace(name) == "MaxArraySize" && err == nil && size > 1 {
				return size - 1
			}
		}
	}
	return 1000
}

// Task is a task of an array that is in the queue.
type Task struct {
	Name  string // of the job
	Job   string // number of the array
	Task  int
	State string // "PENDING", "RUNNING", ...
	Why   string // it waits, "None" where it does not
	Node  string // that it runs on
}

// Queue returns the tasks in the queue of jobs of these names. A line of the answer that cannot be read is an error.
func Queue(ctx context.Context, names []string) (tasks []Task, err error) {
	answer, err := run(ctx, "squeue", "--noheader", "--array", "--states=all", "--format=%j|%F|%K|%T|%r|%N", "--name="+strings.Join(names, ","))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(answer) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		words := strings.Split(line, "|")
		if len(words) != 6 {
			return nil, fmt.Errorf("squeue answered %.200q: want name, job, task, state, reason and node", line)
		}
		if words[2] == "N/A" {
			continue // no task of an array
		}
		task, err := strconv.Atoi(words[2])
		if err != nil {
			return nil, fmt.Errorf("squeue answered %.200q: want the number of a task, not %q", line, words[2])
		}
		tasks = append(tasks, Task{words[0], words[1], task, words[3], words[4], words[5]})
	}
	return tasks, nil
}

// over are states of jobs that have ended, which squeue tells for a few minutes. All others may still run, or run again.
var over = map[string]bool{
	"BOOT_FAIL": true, "CANCELLED": true, "COMPLETED": true, "DEADLINE": true, "FAILED": true, "NODE_FAIL": true, "OUT_OF_MEMORY": true, "PREEMPTED": true,
	"TIMEOUT": true, "REVOKED": true,
}

// Over says whether the task has ended.
func (t Task) Over() bool { return over[t.State] }

// Cancel takes all jobs of a name out of the queue, and ends those that run. It returns an error where scancel is missing or
// fails.
func Cancel(ctx context.Context, name string) error {
	_, err := run(ctx, "scancel", "--name="+name)
	return err
}

// Requeue ends a running task and puts it into the queue again. It returns an error where scontrol is missing or fails.
func Requeue(ctx context.Context, job string, task int) error {
	_, err := run(ctx, "scontrol", "requeue", fmt.Sprintf("%s_%d", job, task))
	return err
}

// Accounts returns how the tasks of jobs ended, "TIMEOUT" or "CANCELLED by 1000", by "job_task", as far as the cluster keeps
// accounts; else none.
func Accounts(ctx context.Context, jobs []string) map[string]string {
	ended := map[string]string{}
	answer, err := run(ctx, "sacct", "--noheader", "--parsable2", "--allocations", "--array", "--format=JobID,State", "--jobs="+strings.Join(jobs, ","))
	if err != nil {
		return ended
	}
	for line := range strings.Lines(answer) {
		if id, state, ok := strings.Cut(strings.TrimSpace(line), "|"); ok && strings.Contains(id, "_") {
			ended[id] = state
		}
	}
	return ended
}
