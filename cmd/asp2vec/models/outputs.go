package models

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
	"github.com/urfave/cli/v2"
)

// CheckOutputs finds out before the run whether its results can be written.
func CheckOutputs(p *shell.Program, c *cli.Context, out string, force bool) error {
	switch {
	case c.IsSet("out") && c.String("out") == "":
		return shell.Badf("--out \"\": expected a folder's name")
	case force && out == "":
		return shell.Badf("--force with --out none: expected the folder that may be replaced")
	case out != "":
		if err := vectors.CheckRun(out, force); errors.Is(err, vectors.ErrExists) {
			return shell.Badf("%s holds %s already: expected --out with a new folder, or --force to replace it", out, contentOf(out))
		} else if err != nil {
			return shell.OutError(err)
		}
	}
	if p.Results != "" {
		if err := runner.CheckStore(p.Results); err != nil {
			return shell.Badf("--results: %w: expected a folder that can be written, or none", err)
		}
	}
	return nil
}

// contentOf says what a folder that is not empty holds.
func contentOf(dir string) string {
	r, err := results.ReadRecord(dir)
	if err != nil {
		return "other files"
	}
	return fmt.Sprintf("a run of %s, seed %d", r.Method, r.Seed)
}

// manyLinks are so many that finding aspects takes seconds.
const manyLinks = 100000

// AddAspects adds to a run's folder the aspects that the links fall into, and returns them. It does without, and returns nil, where they cannot be
// found. They come last, since what was trained is worth more. It returns an error where ctx ends, and for a file that cannot be written.
func AddAspects(ctx context.Context, p *shell.Program, out string, net *network.Network, names []string, final []float32) (*aspects.Aspects, error) {
	if net.Links() > manyLinks {
		p.Log.Info("finding the aspects of links", "links", net.Links())
	}
	a, err := aspects.Find(ctx, net, eval.Embedding{N: len(names), D: len(final) / max(1, len(names)), Data: final}, p.Threads, shell.ShowSteps[int](p, "finding aspects"))
	p.ClearBar()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("interrupted: %s holds the model without the aspects of links, which asp2vec aspects finds", out)
	}
	if err != nil {
		p.Log.Warn("the folder is written without the aspects of links", "because", err)
		return nil, nil
	}
	return a, atomicfile.Write(filepath.Join(out, vectors.LinkAspectsFile), func(w io.Writer) error { return a.Write(w, names) })
}

// outFlags say to which file a result goes.
func outFlags(usage string, more ...string) []cli.Flag {
	out := shell.NewFlag("out", "", usage, more...).(*cli.StringFlag)
	out.Action = func(c *cli.Context, path string) error {
		if path == "" {
			return shell.Badf(`--out "": expected the name of a file`)
		}
		return shell.CheckFile(path, c.Bool("force"))
	}
	return []cli.Flag{out, shell.NewFlag("force", false, "replace the file", out.Category)}
}
