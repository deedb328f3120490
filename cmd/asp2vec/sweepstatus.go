package main

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/cluster"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/slurm"
)

func (p *program) sweepStatusCommand() *cli.Command {
	return &cli.Command{
		Name: "status", ArgsUsage: "[NAME ...]",
		Usage: "show the progress of a submission to a cluster, and why runs are not done",
		Description: "Without a name, shows all submissions of the store (--results). Works on any machine that sees the store; the queue is shown\n" +
			"where squeue is available.\n\n" + example("asp2vec sweep status", "asp2vec sweep status asp2vec-epsilon-1f3b2c"),
		Action: p.sweepStatus,
	}
}

func (p *program) sweepCancelCommand() *cli.Command {
	return &cli.Command{
		Name: "cancel", ArgsUsage: "NAME ...",
		Usage:       "remove the tasks of submissions from the queue of the cluster, and stop running ones",
		Description: "Finished runs stay in the store; the command that submitted them submits the others again.\n\n" + example("asp2vec sweep cancel asp2vec-epsilon-1f3b2c"),
		Action:      p.sweepCancel,
	}
}

// submissions returns those of the store that are named, the first one first; all without a name.
func (p *program) submissions(names []string) ([]cluster.Submission, error) {
	if p.results == "" {
		return nil, badf("--results none: expected the folder of the store, which contains the submissions")
	}
	all, err := cluster.Read(p.results)
	if err != nil {
		return nil, bad(err)
	}
	known := seq.Map(all, func(s cluster.Submission) string { return s.Name })
	for _, name := range names {
		if len(known) == 0 {
			return nil, badf("no submission %q: there are none in %s", name, cluster.Folder(p.results))
		} else if !slices.Contains(known, name) {
			return nil, badf("no submission %q: %s", name, nearest(name, known))
		}
	}
	return seq.Filter(all, func(s cluster.Submission) bool { return len(names) == 0 || slices.Contains(names, s.Name) }), nil
}

func (p *program) sweepStatus(c *cli.Context) error {
	all, err := p.submissions(c.Args().Slice())
	if err != nil {
		return err
	}
	there, err := store.ReadStore(p.results)
	if err != nil {
		return bad(err)
	}
	runs := there.Runs()
	list := []cluster.Standing{}
	for _, s := range all {
		queue, err := slurm.Queue(c.Context, s.Name)
		if err != nil {
			p.log.Warn("the queue could not be read", "error", message(err))
		}
		list = append(list, s.Standing(c.Context, p.results, runs, queue))
	}
	return p.emit(list, func(b *printout) {
		if len(list) == 0 {
			b.printf("nothing was submitted from %s\n", p.results)
			return
		}
		var rows, problems [][]string
		for _, s := range list {
			rows = append(rows, []string{s.Submission, count(s.Runs), count(s.Done), count(s.Failed), count(s.Running), count(s.Waiting)})
			for _, x := range s.Problems[:min(told, len(s.Problems))] {
				problems = append(problems, []string{s.Submission, count(x.Task), count(x.Runs), x.Why, x.Log})
			}
		}
		b.table(1, []string{"submission", "runs", "done", "failed", "tasks running", "waiting"}, rows)
		if len(problems) > 0 {
			b.printf("\nruns that are not done, for the first %d tasks of each:\n", told)
			b.table(1, []string{"submission", "task", "runs", "reason", "log"}, problems)
		}
	})
}

func (p *program) sweepCancel(c *cli.Context) error {
	if c.Args().Len() == 0 {
		return badf("no submission named: expected NAME, as asp2vec sweep status lists them")
	}
	some, err := p.submissions(c.Args().Slice())
	if err != nil {
		return err
	}
	for _, s := range some {
		if err := slurm.Cancel(c.Context, s.Name); err != nil {
			return badf("%s was not cancelled: %w", s.Name, err)
		}
		p.log.Info("cancelled " + s.Name)
	}
	return p.emit(fields{"cancelled", len(some)}, func(b *printout) {
		b.printf("cancelled: finished runs stay in the store; the command that submitted it submits the rest again\n")
	})
}
