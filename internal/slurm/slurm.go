// Package slurm speaks with a Slurm cluster by its commands: sbatch, squeue, scancel and sacct.
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
var ErrMissing = errors.New("expected a machine of a Slurm cluster, with its commands in PATH")

// run runs a command and returns what it prints.
func run(ctx context.Context, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr, c.WaitDelay = &out, &errs, patience // also for what it says when it has ended: a busy machine may be late
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
	said := strings.Join(strings.Fields(errs.String()+out.String()), " ")
	if said == "" {
		said = "without a word"
	}
	return "", fmt.Errorf("%s failed (%w): %s", name, err, said)
}

// Array is a job array to submit.
type Array struct {
	Name     string
	Tasks    int      // numbered from 1
	Script   string   // lines of a shell, that each task runs
	MemoryMB int      // for a task
	CPUs     int      // for a task
	Log      string   // path of the logs, with %A and %a for the numbers of job and task
	Options  []string // more options of sbatch, "--partition=long"; they come last, and so override the rest
}

// number is a job as sbatch --parsable names it: its number and maybe its cluster.
var number = regexp.MustCompile(`^([1-9][0-9]*)(;[^\s;]+)?$`)

// Submit submits an array and returns its number. It returns an error where sbatch is missing or fails, and where it answers without a
// number: then there may be a job, which has the array's name.
func Submit(ctx context.Context, a Array) (job string, err error) {
	args := []string{
		"--parsable", "--job-name=" + a.Name, fmt.Sprintf("--array=1-%d", a.Tasks), "--nodes=1", "--ntasks=1", fmt.Sprintf("--cpus-per-task=%d", a.CPUs),
		fmt.Sprintf("--mem=%dM", a.MemoryMB), "--output=" + a.Log, "--open-mode=append",
	}
	answer, err := run(ctx, "sbatch", append(append(args, a.Options...), "--wrap="+a.Script)...)
	if err != nil {
		return "", err
	}
	m := number.FindStringSubmatch(strings.TrimSpace(answer))
	if m == nil {
		return "", fmt.Errorf("sbatch answered %.200q: expected the number of a job; scancel --name=%s ends one that it may have made", strings.TrimSpace(answer), a.Name)
	}
	return m[1], nil
}

// Task is a task of an array that is in the queue.
type Task struct {
	Number int
	State  string // "PENDING", "RUNNING", ...
	Why    string // it waits, "None" where it does not
	Node   string // that it runs on
}

// Queue returns the tasks of a job that are in the queue; none of a job that the queue does not know. It returns an error where squeue is
// missing or fails, and for an answer that cannot be read.
func Queue(ctx context.Context, name string) (tasks []Task, err error) {
	answer, err := run(ctx, "squeue", "--noheader", "--array", "--format=%K|%T|%r|%N", "--name="+name)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(answer) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		words := strings.Split(line, "|")
		number, err := strconv.Atoi(words[0])
		if len(words) != 4 || err != nil {
			return nil, fmt.Errorf("squeue answered %.200q: expected the number of a task, its state, a reason and a node", line)
		}
		tasks = append(tasks, Task{number, words[1], words[2], words[3]})
	}
	return tasks, nil
}

// Cancel takes all jobs of a name out of the queue, and ends those that run. It returns an error where scancel is missing or fails.
func Cancel(ctx context.Context, name string) error {
	_, err := run(ctx, "scancel", "--name="+name)
	return err
}

// Ended returns how the tasks of a job ended, "TIMEOUT" or "CANCELLED by 1000", by their numbers, as far as the cluster keeps accounts; else
// none.
func Ended(ctx context.Context, job string) map[int]string {
	ended := map[int]string{}
	answer, err := run(ctx, "sacct", "--noheader", "--parsable2", "--allocations", "--array", "--format=JobID,State", "--jobs="+job)
	if err != nil {
		return ended
	}
	for line := range strings.Lines(answer) {
		id, state, _ := strings.Cut(strings.TrimSpace(line), "|")
		if _, task, ok := strings.Cut(id, "_"); ok {
			if number, err := strconv.Atoi(task); err == nil {
				ended[number] = state
			}
		}
	}
	return ended
}
