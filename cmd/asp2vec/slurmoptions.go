package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/slurm"
	"github.com/urfave/cli/v2"
)

// ownSlurmOptions are options of sbatch that a submission sets, or that would make it something else.
var ownSlurmOptions = []string{
	"array", "chdir", "dependency", "error", "job-name", "name", "no-requeue", "nodes", "ntasks", "open-mode", "output", "parsable", "requeue", "signal", "tasks-per-node", "test-only",
	"time", "mem", "wait", "wrap",
}

var slurmOptionName = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)

// request returns what the flags ask of a cluster. Options of --slurm-option that hydra's submitit launcher has are called as there;
// all others are those of sbatch.
func (p *program) request(c *cli.Context) (request, error) {
	r := request{array: slurm.Array{Throttle: c.Int("throttle"), CPUs: 1, SignalLead: 120}, maxArray: c.Int("max-array"), requeue: c.Int("max-requeue"),
		times: c.Float64("time-factor"), memories: c.Float64("memory-factor")}
	switch {
	case c.IsSet("threads") && p.threads > 0:
		r.array.CPUs = p.threads
	case c.Duration("task-time") <= 0:
		return r, badf("--task-time %v: want a time such as 15m", c.Duration("task-time"))
	}
	for flag, x := range map[string]float64{"time-factor": r.times, "memory-factor": r.memories} {
		if !(x >= 0.1 && x <= 1000) {
			return r, badf("--%s %v: want 0.1 to 1000", flag, x)
		}
	}
	for _, text := range c.StringSlice("slurm-option") {
		if err := r.set(text); err != nil {
			return r, badf("--slurm-option %s: %w", text, err)
		}
	}
	if r.maxArray == 0 {
		r.maxArray = slurm.MaxArray(c.Context)
	}
	return r, nil
}

func (r *request) set(text string) error {
	name, value, given := strings.Cut(text, "=")
	if !slurmOptionName.MatchString(name) || given && value == "" {
		return fmt.Errorf("want OPTION=VALUE, such as partition=long")
	}
	whole := func(low int) (int, error) {
		n, err := strconv.Atoi(value)
		if err != nil || n < low {
			return 0, fmt.Errorf("want a whole number, at least %d", low)
		}
		return n, nil
	}
	var err error
	switch name {
	case "timeout_min":
		r.minutes, err = whole(1)
	case "mem_gb":
		var gb float64
		if gb, err = strconv.ParseFloat(value, 64); err != nil || !(gb > 0 && gb < 1e6) {
			err = fmt.Errorf("want a number of GiB, more than 0")
		}
		r.memoryMB = int(gb * 1024)
	case "cpus_per_task", "cpus-per-task":
		r.array.CPUs, err = whole(1)
	case "signal_delay_s":
		r.array.SignalLead, err = whole(1)
	case "max_num_timeout":
		r.requeue, err = whole(0)
	case "array_parallelism":
		r.array.Throttle, err = whole(1)
	case "setup":
		r.setup = append(r.setup, value)
	default:
		option := strings.ReplaceAll(name, "_", "-")
		if slices.Contains(ownSlurmOptions, option) {
			return fmt.Errorf("submissions set this themselves: want another option, timeout_min for time, or mem_gb for memory")
		}
		if option = "--" + option; given {
			option += "=" + value
		}
		r.array.Options = append(r.array.Options, option)
	}
	return err
}
