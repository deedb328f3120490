package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/asp2vec/asp2vec/experiments"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/urfave/cli/v2"
)

// runSweep does the jobs that the store does not hold, one after the other, and appends each record. A run that fails is
// recorded and does not stop the others.
func (p *program) runSweep(c *cli.Context, jobs []experiments.Job) error {
	if err := atomicfile.CheckWritable(p.results); err != nil {
		return bad(fmt.Errorf("--results: %w: want a folder that can be written", err))
	}
	runs, err := p.sweepRuns()
	if err != nil {
		return err
	}
	began, failed := time.Now(), 0
	for i, j := range jobs {
		if _, there := runs.Find(j); there {
			continue
		}
		if limit := c.Duration("max-time"); limit > 0 && time.Since(began) > limit {
			p.log.Warn("the time is up; the same command goes on", "runs_left_at_most", len(jobs)-i)
			break
		}
		p.log.Info("run", "number", i+1, "of", len(jobs), "dataset", j.Dataset, "method", j.Options.Method, "seed", j.Options.Seed)
		loaded, err := experiments.Source{Dataset: j.Dataset, DataDir: p.data}.Load()
		if err != nil {
			return bad(err)
		}
		data, err := loaded.Data(c.Context, false, j.Options)
		if err != nil {
			return bad(err)
		}
		out, runErr := experiments.Run(c.Context, data, j.Options, j.Protocol, p.threads, experiments.Watch{})
		if errors.Is(runErr, context.Canceled) || out.Result != nil && out.Result.Interrupted {
			return fmt.Errorf("interrupted: the same command goes on with the %d runs that are left at most", len(jobs)-i)
		}
		out.Record.Command = append([]string{"asp2vec"}, p.args[1:]...)
		if err := out.Record.Append(p.results); err != nil {
			return bad(err)
		}
		if runErr != nil {
			failed++
			p.log.Warn("failed: " + message(runErr))
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d runs failed", failed, len(jobs))
	}
	return nil
}
