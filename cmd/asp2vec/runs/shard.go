package runs

import (
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
)

const (
	shardHelp = "--shard i/n does one of n parts of the runs; --shard auto reads i and n of a cluster's array task (docs/sweeps.md).\n"

	shardsVariable = "ASP2VEC_SHARDS" // the number of tasks, where the scheduler does not tell it
)

// shard returns the part of jobs that --shard names; all without. Nobody else does these.
func shard(c *cli.Context, r *runner.Runner, jobs []store.Job) ([]store.Job, error) {
	if !c.IsSet("shard") {
		return jobs, nil
	}
	i, n, err := shardOf(c.String("shard"), os.Getenv)
	if err != nil {
		return nil, err
	}
	r.Alone = true
	return runner.Shard(jobs, i, n), nil
}

// shardOf returns which of how many parts a text means, counted from 1. It returns an error for a text that is neither I/N nor auto, and for
// auto where the environment does not tell both.
func shardOf(text string, getenv func(string) string) (i, n int, err error) {
	if text == "auto" {
		return taskOf(getenv)
	}
	first, last, ok := strings.Cut(text, "/")
	i, errI := strconv.Atoi(first)
	n, errN := strconv.Atoi(last)
	if !ok || errI != nil || errN != nil || i < 1 || n < i {
		return 0, 0, shell.Badf("--shard %q: expected I/N with I from 1 to N, such as 3/8, or auto", text)
	}
	return i, n, nil
}

// scheduler has the variables by which a scheduler tells an array task which it is. A number that it does not tell is "".
type scheduler struct {
	name, index  string
	first        int // the index of the first task, where the scheduler does not tell it
	count        string
	lowest, last string // indices of the first task and of the last
}

var schedulers = []scheduler{
	{name: "Slurm", index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT", lowest: "SLURM_ARRAY_TASK_MIN", last: "SLURM_ARRAY_TASK_MAX"},
	{name: "PBS", index: "PBS_ARRAY_INDEX", first: 1},
	{name: "LSF", index: "LSB_JOBINDEX", first: 1, last: "LSB_JOBINDEX_END"},
	{name: "Kubernetes", index: "JOB_COMPLETION_INDEX", count: "JOB_COMPLETION_COUNT"},
	{name: "AWS Batch", index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE"},
}

// taskOf returns which of how many array tasks the environment says this is, counted from 1.
func taskOf(getenv func(string) string) (i, n int, err error) {
	for _, s := range schedulers {
		if v := getenv(s.index); v != "" && (v != "0" || s.name != "LSF") { // which has 0 outside of arrays
			return s.task(getenv)
		}
	}
	var names []string
	for _, s := range schedulers {
		names = append(names, s.index)
	}
	return 0, 0, shell.Badf("--shard auto: this is no array task, of which one of %s tells: expected --shard I/N", strings.Join(names, ", "))
}

func (s scheduler) task(getenv func(string) string) (i, n int, err error) {
	number := func(name string, otherwise int) int {
		v := getenv(name)
		if name == "" || v == "" {
			return otherwise
		}
		x, wrong := strconv.Atoi(v)
		if wrong != nil && err == nil {
			err = shell.Badf("--shard auto: %s=%q: expected a number", name, v)
		}
		return x
	}
	index, lowest := number(s.index, 0), number(s.lowest, s.first)
	last := number(s.last, lowest-1) // of no tasks, where it is not known
	if n = number(s.count, last-lowest+1); n == 0 {
		n = number(shardsVariable, 0)
	}
	i = index - lowest + 1
	switch {
	case err != nil:
		return 0, 0, err
	case n == 0:
		return 0, 0, shell.Badf("--shard auto: %s=%d says which task of %s this is, but not of how many: expected %s=N, the number of tasks, in the environment", s.index, index, s.name, shardsVariable)
	case i < 1 || n < i || last >= lowest && last-lowest+1 != n:
		return 0, 0, shell.Badf("--shard auto: task %d of %s, of %d from %d: expected tasks numbered without gaps, such as 1-%d", index, s.name, n, lowest, n)
	}
	return i, n, nil
}
