package main

import (
	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/models"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// initial returns the vectors that --init names, nil without it, and the options of a run that begins with them: of their dimension, and
// without a warm-up.
func (p program) initial(c *cli.Context, o graphs.Options) (*run.Parent, graphs.Options, error) {
	if !c.IsSet("init") {
		return nil, o, nil
	}
	path := c.String("init")
	if path == "" {
		return nil, o, shell.Badf("--init \"\": expected the folder of a run, or a file of vectors")
	}
	from, err := run.ReadInit(path)
	if err != nil {
		return nil, o, shell.Badf("--init: %w", err)
	}
	switch {
	case c.IsSet("dim") && o.Dim != from.Dim:
		return nil, o, shell.Badf("--dim %d with --init %s: expected %d, the dimension of its vectors, or no --dim", o.Dim, path, from.Dim)
	case c.IsSet("warm-up") && o.WarmUp:
		return nil, o, shell.Badf("--warm-up with --init: expected one of them, since the vectors replace the warm-up")
	}
	o.Dim, o.WarmUp = from.Dim, false
	if from.Aspects > 0 && from.Record.Method == o.Method.Name && !c.IsSet("aspects") {
		o.Aspects = from.Aspects
	}
	p.Log.Info("starts from vectors", "of", path, "dim", o.Dim, "vertices", len(from.Names()))
	return from, o, nil
}

// tellOfParent warns where the model that a run goes on from has, or may have, been trained on links that the run is measured or chosen by.
func (p program) tellOfParent(c *cli.Context, r *results.Record, o graphs.Options, split *network.Split) {
	if len(split.Test) > 0 {
		models.CompareData(c.Context, p.Program, r, c.String("init"), split)
	}
	if r.Dataset.SHA256 == "" || o.HoldOut == 0 && o.Select != graphs.SelectValidation {
		return
	}
	if was := models.OptionsOf(r); r.Dataset.SHA256 != split.Checksum() || was.HoldOut != o.HoldOut || was.Select != o.Select || r.Seed != o.Seed {
		p.Log.Warn("the model that training goes on from may have been trained on the links held out now: scores on them say nothing about new links", "model_seed", r.Seed, "seed", o.Seed)
	}
}
