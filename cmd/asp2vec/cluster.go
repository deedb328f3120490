package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/filelock"
	"github.com/asp2vec/asp2vec/internal/slurm"
	"github.com/asp2vec/asp2vec/results"
)

const (
	executorLocal = "local"
	executorSlurm = "slurm"

	onCluster   = "On a cluster"
	clusterHelp = "--executor slurm submits the runs to a Slurm cluster; --shard i/n does one of n parts of them, for other clusters (docs/clusters.md).\n"
)

// clusterFlags are those of commands that can hand their runs to other machines.
func clusterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "shard", Category: onCluster, Usage: "do part `I/N` of the runs, from 1/N to N/N, independently of the others"},
		&cli.StringFlag{Name: "executor", Category: onCluster, Value: executorLocal, Usage: "where to run: `NAME` is local, or slurm, which submits the runs and returns"},
		&cli.StringSliceFlag{Name: "slurm-option", Category: onCluster, Usage: "`OPTION=VALUE`, such as partition=long, account=..., timeout_min=60, mem_gb=8, cpus_per_task=4, setup=COMMAND; may be given several times"},
		&cli.DurationFlag{Name: "task-time", Category: onCluster, Value: 15 * time.Minute, Usage: "combine short runs into tasks of about `TIME`"},
		&cli.Float64Flag{Name: "time-factor", Category: onCluster, Value: 3, Usage: "request `X` times the estimated time of a task, plus 5 minutes"},
		&cli.Float64Flag{Name: "memory-factor", Category: onCluster, Value: 1.5, Usage: "request `X` times the estimated memory of a run, plus 256 MiB"},
		atLeast(1, cli.IntFlag{Name: "max-array", Category: onCluster, DefaultText: "what the cluster allows", Usage: "put at most `N` tasks into a job array; more tasks make several arrays"}),
		atLeast(1, cli.IntFlag{Name: "throttle", Category: onCluster, DefaultText: "none", Usage: "run `N` tasks of an array at a time"}),
		atLeast(0, cli.IntFlag{Name: "max-requeue", Category: onCluster, Value: 3, Usage: "requeue a task that ran out of time or was killed, at most `N` times"}),
	}
}

// shard returns the part of jobs that --shard names; all without. The runner then writes a file of its own.
func (p *program) shard(c *cli.Context, r *runner.Runner, jobs []store.Job) ([]store.Job, error) {
	if name := c.String("executor"); name != executorLocal && name != executorSlurm {
		return nil, badf("--executor %q: want local or slurm", name)
	}
	if !c.IsSet("shard") {
		return jobs, nil
	}
	if c.String("executor") == executorSlurm {
		return nil, badf("--shard with --executor slurm: want one of them")
	}
	first, last, ok := strings.Cut(c.String("shard"), "/")
	i, errI := strconv.Atoi(first)
	n, errN := strconv.Atoi(last)
	if !ok || errI != nil || errN != nil || i < 1 || n < i {
		return nil, badf("--shard %q: want I/N with I from 1 to N, such as 3/8", c.String("shard"))
	}
	r.Part = results.NewPart(p.results, fmt.Sprintf("shard-%d-%d", i, n))
	return runner.Shard(jobs, i, n), nil
}

// request is what a submission asks of a cluster.
type request struct {
	array    slurm.Array // of all, and what is given by itself
	maxArray int
	minutes  int     // given; 0 for what is estimated
	memoryMB int     // likewise
	times    float64 // of the estimate of the time
	memories float64 // of that of the memory
	requeue  int
	setup    []string // lines of the script
}

// submit hands the runs to Slurm that are neither in the store nor in the queue, and says what it did.
func (p *program) submit(c *cli.Context, r *runner.Runner, word string, jobs []store.Job, keep func(store.Job) bool) error {
	ask, err := p.request(c)
	if err != nil {
		return err
	}
	program := p.executable
	if program == "" {
		if program, err = os.Executable(); err != nil {
			return err
		}
		if strings.Contains(program, string(filepath.Separator)+"go-build") {
			return badf("the program of go run is removed when it ends: want a built one, made by go install ./cmd/asp2vec or go build")
		}
	}
	if r.Store, err = filepath.Abs(r.Store); err != nil {
		return bad(err)
	}
	if r.DataDir, err = filepath.Abs(r.DataDir); err != nil {
		return bad(err)
	}
	free, err := p.claimSubmission(c.Context, r.Store)
	if err != nil {
		return err
	}
	defer free()
	elsewhere, err := queuedRuns(c.Context, r.Store)
	if err != nil {
		return err
	}
	queued := map[string]bool{}
	jobs = slices.DeleteFunc(slices.Clone(jobs), func(j store.Job) bool {
		key := j.Key()
		if elsewhere[key] {
			queued[key] = true
		}
		return elsewhere[key]
	})
	r.Memory, r.Threads = 0, ask.array.CPUs // of this machine; the nodes are others
	tasks, planned, err := r.Tasks(jobs, c.Duration("task-time"))
	if err != nil {
		return bad(err)
	}
	unfit := 0
	for _, x := range planned {
		if x.Todo() && x.Unfit != "" {
			if unfit++; unfit == 1 {
				p.log.Error("cannot be submitted: "+x.Job.String(), "error", message(errors.New(x.Unfit)))
			}
		}
	}
	if unfit > 0 {
		return badf("data for %d runs is missing here: nothing was submitted", unfit)
	}
	if len(tasks) == 0 {
		p.log.Info("nothing to submit", "in_the_store", len(planned), "in_the_queue", len(queued))
		return p.emit(fields{"submission", "", "queued", len(queued)}, func(b *printout) {
			b.printf("nothing to submit: of %d runs, %d are already in the queue and the others are in the store\n", len(planned)+len(queued), len(queued))
		})
	}
	classes := classesOf(tasks)
	script := func(s runner.Submission) string { return taskScript(program, s, ask.setup) }
	host, _ := os.Hostname()
	s, err := runner.NewSubmission(runner.Submission{
		Created: time.Now().UTC().Truncate(time.Second), Host: host, Command: r.Command, Store: r.Store, Data: r.DataDir, Retry: r.Retry,
		Requeue: ask.requeue,
	}, word, classes, keep, script)
	if err != nil {
		return bad(err)
	}
	arrays, err := submitArrays(c.Context, s, classes, ask)
	if err != nil {
		return err
	}
	p.log.Info("submitted "+s.Name, "runs", s.Runs, "tasks", s.Tasks, "arrays", len(arrays), "in_the_queue_before", len(queued), "folder", s.Dir)
	doc := fields{"submission", s.Name, "dir", s.Dir, "runs", s.Runs, "tasks", s.Tasks, "queued", len(queued), "arrays", arrays}
	return p.emit(doc, func(b *printout) {
		b.printf("%s: %d runs in %d tasks", s.Name, s.Runs, s.Tasks)
		if len(queued) > 0 {
			b.printf("; %d runs are already in the queue", len(queued))
		}
		b.WriteString("\n\n")
		var rows [][]string
		at := 0
		for _, class := range classes {
			a := ask.of(class)
			for left := len(class); left > 0; at++ {
				rows = append(rows, []string{arrays[at].Job, count(arrays[at].Tasks), fmt.Sprintf("%d min", a.Minutes), fmt.Sprintf("%d MiB", a.MemoryMB), count(a.CPUs)})
				left -= arrays[at].Tasks
			}
		}
		b.table(0, []string{"job", "tasks", "time requested", "memory", "processors"}, rows)
		b.printf("\nasp2vec sweep status %s shows their progress, and asp2vec sweep cancel %s stops them. The same command again shows the results\nand submits missing runs.\n", s.Name, s.Name)
	})
}

// claimSubmission waits until nobody else submits from a store, up to a time that a submission does not take.
func (p *program) claimSubmission(ctx context.Context, store string) (free func(), err error) {
	path := filepath.Join(runner.SubmissionsFolder(store), ".submit")
	for begun := time.Now(); ; {
		free, err = filelock.Claim(path)
		switch {
		case err == nil:
			return free, nil
		case !errors.Is(err, os.ErrExist):
			return nil, bad(fmt.Errorf("store: %w", err))
		case time.Since(begun) >= cmp.Or(p.patience, time.Minute):
			return nil, badf("another submission is in progress: %w", err)
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// classesOf groups tasks that are about as long and as large, those first that others wait for.
func classesOf(tasks []runner.Task) (classes [][]runner.Task) {
	by := map[runner.Class][]runner.Task{}
	for _, t := range tasks {
		by[t.Class()] = append(by[t.Class()], t)
	}
	for _, class := range slices.SortedFunc(maps.Keys(by), func(a, b runner.Class) int {
		return slices.Compare([]int{a.Level, a.Time, a.Memory}, []int{b.Level, b.Time, b.Memory})
	}) {
		classes = append(classes, by[class])
	}
	return classes
}

// of returns what is asked for tasks of a class.
func (r request) of(class []runner.Task) slurm.Array {
	a := r.array
	if a.Minutes = r.minutes; a.Minutes == 0 {
		longest := slices.MaxFunc(class, func(a, b runner.Task) int { return cmp.Compare(a.Seconds, b.Seconds) })
		a.Minutes = 5 + int(math.Ceil(longest.Seconds*r.times/60))
	}
	if a.MemoryMB = r.memoryMB; a.MemoryMB == 0 {
		largest := slices.MaxFunc(class, func(a, b runner.Task) int { return cmp.Compare(a.Memory, b.Memory) })
		a.MemoryMB = 256 + int(math.Ceil(float64(largest.Memory)*r.memories/(1<<20)))
	}
	return a
}

// submitArrays submits the arrays of a submission. If one is refused, those before it are cancelled, and nothing is left.
func submitArrays(ctx context.Context, s *runner.Submission, classes [][]runner.Task, ask request) (arrays []runner.Array, err error) {
	first := 0
	var level int            // of the class before
	var before, now []string // jobs of the levels before, and of this one
	for _, class := range classes {
		if class[0].Level != level {
			level, before, now = class[0].Level, append(before, now...), nil
		}
		for some := range slices.Chunk(class, ask.maxArray) {
			a := ask.of(class)
			a.Name, a.Script, a.After, a.Tasks = s.Job, filepath.Join(s.Dir, runner.TaskScript), before, len(some)
			a.Arguments, a.Log = []string{strconv.Itoa(first)}, filepath.Join(s.Dir, runner.LogFolder, "%A_%a.log")
			job, err := slurm.Submit(ctx, a)
			if err != nil {
				return nil, withdraw(s, len(arrays) > 0, err)
			}
			arrays, now = append(arrays, runner.Array{Job: job, First: first, Tasks: len(some)}), append(now, job)
			first += len(some)
		}
	}
	if err := s.Submitted(arrays); err != nil {
		return nil, withdraw(s, true, err)
	}
	return arrays, nil
}

// withdraw takes back a submission that came to nothing because of err. Jobs of it may be there for certain, or because of
// how sbatch failed.
func withdraw(s *runner.Submission, jobs bool, err error) error {
	var refused *exec.ExitError
	unknown := jobs || !errors.As(err, &refused) && !errors.Is(err, slurm.ErrMissing)
	if unknown {
		if cerr := slurm.Cancel(context.Background(), s.Job); cerr != nil {
			return badf("%w; the submitted part of %s could not be cancelled: %w: want scancel --name=%s", err, s.Name, cerr, s.Job)
		}
	}
	if rerr := s.Remove(); rerr != nil {
		return badf("%w; %w", err, rerr)
	}
	return badf("nothing was submitted: %w", err)
}

// queuedRuns returns the keys of the runs of a store that tasks in the queue will do, or are at.
func queuedRuns(ctx context.Context, store string) (map[string]bool, error) {
	all, err := runner.Submissions(store)
	if err != nil {
		return nil, bad(err)
	}
	queued := map[string]bool{}
	queue, err := queueOf(ctx, all)
	if err != nil {
		return nil, badf("the queue could not be read, and nothing was submitted: %w", err)
	}
	for _, s := range all {
		if len(queue[s.Name]) == 0 {
			continue
		}
		tasks, err := s.AllTasks()
		if err != nil {
			return nil, bad(err)
		}
		for number, task := range queue[s.Name] {
			if task.Over() || number >= len(tasks) {
				continue
			}
			for _, r := range tasks[number] {
				queued[r.Key] = true
			}
		}
	}
	return queued, nil
}

// queueOf returns the tasks of submissions that the queue knows, by the submission's name and the task's number.
func queueOf(ctx context.Context, all []*runner.Submission) (map[string]map[int]slurm.Task, error) {
	queue := map[string]map[int]slurm.Task{}
	if len(all) == 0 {
		return queue, nil
	}
	by := map[string]*runner.Submission{}
	first := map[string]int{} // task of an array, by job
	var names []string
	for _, s := range all {
		arrays, err := s.Arrays()
		if err != nil {
			return nil, err
		}
		for _, a := range arrays {
			first[a.Job] = a.First
		}
		by[s.Job], names = s, append(names, s.Job)
	}
	tasks, err := slurm.Queue(ctx, names)
	if err != nil {
		return nil, err
	}
	for _, t := range tasks {
		s := by[t.Name]
		if s == nil {
			continue
		}
		if queue[s.Name] == nil {
			queue[s.Name] = map[int]slurm.Task{}
		}
		queue[s.Name][first[t.Job]+t.Task] = t
	}
	return queue, nil
}

// taskScript returns what Slurm runs for a task, whose number is the script's argument more than that in its array.
func taskScript(program string, s runner.Submission, setup []string) string {
	lines := append([]string{
		"#!/bin/sh",
		"# One task of " + s.Name + ". Slurm sends USR1 before the time is up; a killed task is requeued.",
	}, setup...)
	lines = append(lines,
		`task=$(($1 + SLURM_ARRAY_TASK_ID))`,
		`trap 'kill -USR1 $! 2>/dev/null' USR1`,
		`trap 'stopped=yes; kill -TERM $! 2>/dev/null' TERM INT # by scancel, or by who preempts`,
		quote(program)+` sweep task `+quote(s.Dir)+` "$task" --threads "${SLURM_CPUS_PER_TASK:-1}" --no-progress &`,
		`while :; do`,
		`	wait $!`,
		`	code=$?`,
		`	kill -0 $! 2>/dev/null || break # else a signal came, and was passed on`,
		`done`,
		fmt.Sprintf(`if [ $code -ge 128 ] && [ $code -ne 143 ] && [ -z "$stopped" ] && [ "${SLURM_RESTART_COUNT:-0}" -lt %d ]; then`, s.Requeue),
		`	echo "task $task was killed (code $code), and is put into the queue again" >&2`,
		`	scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"`,
		`fi`,
		`exit $code`, "")
	return strings.Join(lines, "\n")
}

// quote makes a text one word of a shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
