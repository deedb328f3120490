package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/cluster"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/slurm"
)

const (
	executorLocal = "local"
	executorSlurm = "slurm"

	onCluster   = "On a cluster"
	clusterHelp = "--executor slurm submits the runs to a Slurm cluster; --shard i/n does one of n parts of them, for other clusters (docs/sweeps.md).\n"

	shardVariable = "ASP2VEC_SHARD" // sets --shard in tasks of a cluster, which run the command that submitted them
)

// clusterFlags are those of commands that can hand their runs to other machines.
func clusterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "shard", Category: onCluster, EnvVars: []string{shardVariable}, Usage: "do part `I/N` of the runs, from 1/N to N/N, independently of the others"},
		&cli.StringFlag{Name: "executor", Category: onCluster, Value: executorLocal, Usage: "where to run: `NAME` is local, or slurm, which submits the runs and returns"},
		atLeast(1, cli.IntFlag{Name: "tasks", Category: onCluster, DefaultText: fmt.Sprintf("one a run, at most %d", cluster.MostTasks), Usage: "submit the runs as a job array of `N` tasks"}),
		&cli.StringSliceFlag{Name: "slurm-option", Category: onCluster, Usage: "`OPTION=VALUE` of sbatch, such as time=60, mem=8G, partition=long; or setup=COMMAND before the program; may be given several times"},
	}
}

// shard returns the part of jobs that --shard names; all without. The runner then writes a file of its own.
func (p *program) shard(c *cli.Context, r *runner.Runner, jobs []store.Job) ([]store.Job, error) {
	if name := c.String("executor"); name != executorLocal && name != executorSlurm {
		return nil, badf("--executor %q: expected local or slurm", name)
	}
	if !c.IsSet("shard") {
		return jobs, nil
	}
	first, last, ok := strings.Cut(c.String("shard"), "/")
	i, errI := strconv.Atoi(first)
	n, errN := strconv.Atoi(last)
	if !ok || errI != nil || errN != nil || i < 1 || n < i {
		return nil, badf("--shard %q: expected I/N with I from 1 to N, such as 3/8", c.String("shard"))
	}
	r.Shard = fmt.Sprintf("shard-%d-%d", i, n)
	return runner.Shard(jobs, i, n), nil
}

// submit hands the runs to Slurm that are not in the store, as one array whose tasks run the same command on a shard each.
func (p *program) submit(c *cli.Context, r *runner.Runner, word string, jobs []store.Job) error {
	array, err := p.array(c)
	if err != nil {
		return err
	}
	if r.Store, err = filepath.Abs(r.Store); err != nil {
		return bad(err)
	}
	r.Memory = 0 // of this machine; the nodes are others
	s, planned, err := cluster.New(r, word, jobs, c.Int("tasks"))
	if err != nil {
		return bad(err)
	}
	if len(planned) == 0 {
		return p.emit(fields{"submission", "", "runs", 0}, func(b *printout) { b.printf("nothing to submit: all %d runs are in the store\n", len(jobs)) })
	}
	if i := slices.IndexFunc(planned, func(x runner.Planned) bool { return x.Unfit != "" }); i >= 0 {
		return badf("nothing was submitted: %s: %w", planned[i].Job, errors.New(planned[i].Unfit))
	}
	if queue, err := slurm.Queue(c.Context, s.Name); err != nil {
		return badf("nothing was submitted: %w", err)
	} else if len(queue) > 0 {
		return badf("nothing was submitted: %s is in the queue, with %d tasks: expected asp2vec sweep status %s, or sweep cancel", s.Name, len(queue), s.Name)
	}
	largest := slices.MaxFunc(planned, func(a, b runner.Planned) int { return int(a.Memory - b.Memory) }).Memory
	array.Name, array.Tasks, array.Log = s.Name, s.Tasks, s.Log(r.Store, "%A", "%a")
	array.MemoryMB = 256 + int(largest/2*3>>20)
	array.Script += fmt.Sprintf("%s=\"$SLURM_ARRAY_TASK_ID/%d\" GOMAXPROCS=\"${SLURM_CPUS_PER_TASK:-1}\" exec %s\n", shardVariable, s.Tasks, p.commandLine(r.Command[1:]))
	if err := os.MkdirAll(cluster.Folder(r.Store), 0o777); err != nil {
		return bad(err)
	}
	// Not ended by a signal, or there would be a job that nobody knows of.
	if s.Job, err = slurm.Submit(context.WithoutCancel(c.Context), array); err != nil {
		_ = os.Remove(cluster.Folder(r.Store)) // if it is empty
		return badf("nothing was submitted: %w", err)
	}
	if err := s.Write(r.Store); err != nil {
		return badf("%s was submitted, but cannot be followed: %w", s.Name, err)
	}
	p.log.Info("submitted "+s.Name, "job", s.Job, "runs", len(s.Runs), "tasks", s.Tasks)
	return p.emit(fields{"submission", s.Name, "job", s.Job, "runs", len(s.Runs), "tasks", s.Tasks}, func(b *printout) {
		b.printf("%s: %d runs in %d tasks, job %s\n\n", s.Name, len(s.Runs), s.Tasks, s.Job)
		b.printf("asp2vec sweep status %s shows their progress, and asp2vec sweep cancel %s stops them. The same command again\nsubmits missing runs; without --executor it does them here and shows the results.\n", s.Name, s.Name)
	})
}

// array returns what --threads and --slurm-option ask for.
func (p *program) array(c *cli.Context) (a slurm.Array, err error) {
	if a.CPUs = 1; c.IsSet("threads") {
		a.CPUs = p.threads
	}
	for _, text := range c.StringSlice("slurm-option") {
		name, value, given := strings.Cut(text, "=")
		name = strings.ReplaceAll(name, "_", "-")
		switch {
		case !slurmOptionName.MatchString(name) || given && value == "":
			return a, badf("--slurm-option %s: expected OPTION=VALUE, such as partition=long", text)
		case name == "setup":
			a.Script += value + "\n"
		case slices.Contains(ownSlurmOptions, name):
			return a, badf("--slurm-option %s: submissions set this themselves: expected another option", text)
		case given:
			a.Options = append(a.Options, "--"+name+"="+value)
		default:
			a.Options = append(a.Options, "--"+name)
		}
	}
	return a, nil
}

var slurmOptionName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// ownSlurmOptions are options of sbatch that a submission sets, or that would make it something else.
var ownSlurmOptions = []string{"array", "chdir", "job-name", "nodes", "ntasks", "open-mode", "output", "parsable", "test-only", "wait", "wrap"}

// commandLine returns this program with arguments, quoted for a shell.
func (p *program) commandLine(args []string) string {
	words := append([]string{p.executable}, args...)
	if words[0] == "" {
		words[0], _ = os.Executable()
	}
	for i, word := range words {
		words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	return strings.Join(words, " ")
}
