package main

import (
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/runs"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/filelock"
)

// checkpoints returns those of the run that a command does, beside out or else in the store, or nil where there is neither.
func (p program) checkpoints(c *cli.Context, out string, data run.Data, o graphs.Options) (*run.Checkpoints, error) {
	when, err := runs.CheckpointEvery(c)
	if err != nil {
		return nil, err
	}
	var dir string
	switch {
	case out != "":
		if dir, err = beside(out, "%s.checkpoint"); err != nil {
			return nil, err
		}
	case p.Results != "":
		dir = filepath.Join(p.Results, data.Folder(o))
	case when > 0 || c.Bool("restart"):
		return nil, shell.Badf("checkpoints with --out none and without --results: expected a folder to store them beside")
	default:
		return nil, nil
	}
	k := &run.Checkpoints{Dir: dir, Every: when}
	if c.Bool("restart") {
		if err := k.Remove(); err != nil {
			return nil, shell.Bad(err)
		}
	}
	return k, nil
}

// beside returns the path of something in the folder of path, with its last name in the format.
func beside(path, format string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", shell.Bad(err)
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
		return nil, shell.OutError(err)
	}
	if h == nil {
		return nil, shell.Badf("--out %s: another process is training it: expected another folder", out)
	}
	return h.Release, nil
}
