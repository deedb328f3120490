package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/figures"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/slurm"
	"github.com/asp2vec/asp2vec/results"
)

// sweepTaskCommand is what a submission's script runs; nobody else needs it.
func (p *program) sweepTaskCommand() *cli.Command {
	return &cli.Command{
		Name: "task", Hidden: true, ArgsUsage: "DIR NUMBER",
		Usage:       "do the runs of one task of a submission (called by its jobs)",
		Description: example("asp2vec sweep task results/jobs/epsilon-1 0"),
		Action:      p.sweepTask,
	}
}

// errTimeUp is the cause for which a task stops when its time is nearly up.
var errTimeUp = errors.New("the time is nearly up")

func (p *program) sweepTask(c *cli.Context) error {
	number, err := strconv.Atoi(c.Args().Get(1))
	if c.Args().Len() != 2 || err != nil {
		return badf("want the folder of a submission and the number of a task")
	}
	s, err := runner.OpenSubmission(c.Args().First())
	if err != nil {
		return bad(err)
	}
	life := runner.Life{Task: number, Job: os.Getenv("SLURM_ARRAY_JOB_ID"), Process: os.Getpid(), Began: time.Now().UTC().Truncate(time.Second)}
	life.Host, _ = os.Hostname()
	life.Restart, _ = strconv.Atoi(os.Getenv("SLURM_RESTART_COUNT"))
	if err := s.Leave(life); err != nil {
		return bad(err)
	}
	ctx, stop := context.WithCancelCause(c.Context)
	defer stop(nil)
	warned := make(chan os.Signal, 1)
	signal.Notify(warned, timeUpSignals...)
	defer signal.Stop(warned)
	go func() {
		select {
		case <-warned:
			stop(errTimeUp)
		case <-ctx.Done():
		}
	}()
	report, err := p.doTask(ctx, s, number)
	return p.endTask(ctx, s, life, report, err)
}

// doTask does the runs of a task that were not done in an earlier life.
func (p *program) doTask(ctx context.Context, s *runner.Submission, number int) (runner.Report, error) {
	runs, err := s.Task(number)
	if err != nil {
		return runner.Report{}, err
	}
	prefix := fmt.Sprintf("%s-%d-", s.Name, number)
	r := &runner.Runner{
		Store: s.Store, DataDir: s.Data, Threads: p.threads, Retry: s.Retry, Memory: p.available().Bytes, Command: s.Command, Monitor: p.runLog().tell,
		Part: results.NewPart(s.Store, prefix[:len(prefix)-1]), Alone: prefix,
	}
	var jobs, shown []store.Job
	for _, run := range runs {
		j, err := run.Job()
		if err != nil {
			return runner.Report{}, err
		}
		if jobs = append(jobs, j); run.Keep {
			shown = append(shown, j)
		}
		if run.Keep || run.Decided {
			r.Alone = "" // what others recorded counts
		}
	}
	if len(shown) > 0 {
		figures.Keep(r, shown)
	}
	if s.Retry && r.Alone != "" {
		r.Retry = false // what failed in an earlier life of this task was tried
	}
	return r.Run(ctx, jobs)
}

// endTask leaves word of how a life of a task ended, and puts the task into the queue again if its time was up too early.
func (p *program) endTask(ctx context.Context, s *runner.Submission, life runner.Life, report runner.Report, err error) error {
	life.Ended, life.How = time.Now().UTC().Truncate(time.Second), runner.LifeDone
	life.Done, life.Left, life.Failed = report.Done+report.There, report.Left, report.Failed
	switch {
	case ctx.Err() != nil && report.Left > 0 && errors.Is(context.Cause(ctx), errTimeUp):
		life.How, life.Again = runner.LifeTimeout, life.Job != "" && life.Restart < s.Requeue
		life.Reason = errTimeUp.Error()
	case ctx.Err() != nil && report.Left > 0:
		life.How, life.Reason = runner.LifeStopped, "stopped by a signal"
	case err != nil:
		life.How, life.Reason = runner.LifeFailed, message(err)
	}
	if lerr := s.Leave(life); lerr != nil {
		return bad(errors.Join(err, lerr))
	}
	if life.Again {
		index, ierr := strconv.Atoi(os.Getenv("SLURM_ARRAY_TASK_ID"))
		if ierr != nil {
			return badf("SLURM_ARRAY_TASK_ID %q: want the number of a task", os.Getenv("SLURM_ARRAY_TASK_ID"))
		}
		p.log.Warn("the time is nearly up: the task is requeued", "runs_left", report.Left)
		if rerr := slurm.Requeue(context.WithoutCancel(ctx), life.Job, index); rerr != nil {
			life.Again, life.Reason = false, message(rerr)
			return errors.Join(rerr, s.Leave(life))
		}
		return nil
	}
	return p.concludeRuns(report, err)
}
