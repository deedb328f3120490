package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/filelock"
)

// checkpointEveryFlag says how often the state of runs is kept.
func checkpointEveryFlag(category string) cli.Flag {
	return &cli.StringFlag{Name: "checkpoint-every", Category: category, DefaultText: "5m, in runs longer than a minute",
		Usage: "save the state of a run every `TIME`, such as 5m or 1epoch, so that the same command continues from there; off for never"}
}

// checkpointFlags are those of a command that does one run.
func checkpointFlags() []cli.Flag {
	return []cli.Flag{
		checkpointEveryFlag("Output"),
		&cli.BoolFlag{Name: "restart", Category: "Output", Usage: "start over even if the run has a checkpoint"},
		&cli.BoolFlag{Name: "finish", Category: "Output", Usage: "end an interrupted run at its checkpoint and write its result"},
	}
}

// every returns what --checkpoint-every says.
func every(c *cli.Context) (run.Every, error) {
	if !c.IsSet("checkpoint-every") {
		return run.Every{}, nil
	}
	e, err := run.ParseEvery(c.String("checkpoint-every"))
	if err != nil {
		return e, badf("--checkpoint-every %w", err)
	}
	return e, nil
}

// checkpoints returns those of the run that a command does, beside --out or else beside the store, and a context that --finish cancels.
// They are nil where there is neither.
func (p *program) checkpoints(c *cli.Context, data run.Data, o graphs.Options) (*run.Checkpoints, context.Context, error) {
	when, err := every(c)
	if err != nil {
		return nil, nil, err
	}
	var dir string
	switch out := c.String("out"); {
	case out != "":
		if dir, err = beside(out, "%s.checkpoint"); err != nil {
			return nil, nil, err
		}
	case p.results != "":
		dir = filepath.Join(run.CheckpointFolder(p.results), run.RunKey(data, o, c.StringSlice("try")...))
	case c.IsSet("checkpoint-every") && !when.Off || c.Bool("restart") || c.Bool("finish"):
		return nil, nil, badf("checkpoints without --out and with --results none: want a folder to store them beside")
	default:
		return nil, c.Context, nil
	}
	k := run.NewCheckpoints(dir, when)
	k.Resumed = func(from string) { p.log.Info("continues from a checkpoint", "at", from, "checkpoint", dir) }
	k.Written = func(after time.Duration) {
		p.log.Debug("checkpoint written", "in", dir, "milliseconds", after.Milliseconds())
	}
	k.Failed = func(err error) {
		p.clearBar()
		p.log.Warn(message(err))
	}
	if c.Bool("restart") {
		if err := k.Remove(); err != nil {
			return nil, nil, bad(err)
		}
	}
	if !c.Bool("finish") {
		return k, c.Context, nil
	}
	if c.Bool("restart") {
		return nil, nil, badf("--finish with --restart: want one of them")
	}
	if !k.There() {
		return nil, nil, badf("--finish: no checkpoint in %s: want an interrupted run of this command", dir)
	}
	ctx, cancel := context.WithCancel(c.Context)
	k.Finish = cancel
	return k, ctx, nil
}

// beside returns the path of something in the folder of path, with its last name in the format.
func beside(path, format string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", bad(err)
	}
	return filepath.Join(filepath.Dir(abs), fmt.Sprintf(format, filepath.Base(abs))), nil
}

// holdOut keeps other processes from the run that --out is to have, until release.
func holdOut(out string) (release func(), err error) {
	if out == "" {
		return func() {}, nil
	}
	name, err := beside(out, ".%s.running")
	if err != nil {
		return nil, err
	}
	h, err := filelock.Take(name)
	if err != nil {
		return nil, bad(fmt.Errorf("--out: %w", err))
	}
	if h == nil {
		return nil, badf("--out %s: another process is training it: want another folder", out)
	}
	return h.Release, nil
}

// refusal tells of a checkpoint that a run cannot go on from, and what to do about it.
func refusal(err error) error {
	if errors.Is(err, run.ErrOtherRun) || errors.Is(err, run.ErrDamaged) {
		return badf("%w; --restart removes it and starts over", err)
	}
	return nil
}

// stopped says how a run goes on that was stopped and is kept.
func stopped(k *run.Checkpoints) error {
	return fmt.Errorf("stopped: the same command continues from the checkpoint in %s; with --finish it ends the run there and writes its result", k.Dir)
}
