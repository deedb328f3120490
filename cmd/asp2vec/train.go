package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/data"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/models"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/runs"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// trainCommand is the command train, which learns vectors of the vertices of a network.
func trainCommand(p *shell.Program) *cli.Command {
	flags := append(append(data.Flags(), data.BibliographyFlag(),
		shell.NewFlag("schema", "", "`DIR` of a heterogeneous network, or its schema.yaml", data.Category)),
		shell.NewFlag("out", "", "write the embedding and its record to `DIR`; none to write nothing", "Output", "NAME.asp2vec beside the data"),
		shell.NewFlag("force", false, "replace the run in --out", "Output"),
		runs.CheckpointEveryFlag("Output"),
		shell.NewFlag("restart", false, "start over even if the run has a checkpoint", "Output"),
	)
	return &cli.Command{
		ArgsUsage: shell.NetworkArgument,
		Description: "All links of FILE are embedded, into NAME.asp2vec beside it; for a --dataset, in the working folder. Nothing is measured unless links are\n" +
			"hidden: by --hold-out, in a --split, or in the split that a data set comes with. Ctrl-C stops a run, and the same command continues.\n\n" +
			shell.Example(
				"asp2vec train links.tsv                                      # your own network",
				"asp2vec train links.tsv --hold-out 0.1 --out measured        # how well does it predict links?",
				"asp2vec train --dataset cora --method deepwalk --dim 100     # one of asp2vec data list",
				"asp2vec train --split data/filmtrust/split --protocol paper  # as published"),
		Flags:  append(flags, shell.OptionFlags()...),
		Action: program{p}.train,
	}
}

func (p program) train(c *cli.Context) error {
	o, protocol, err := shell.Options(c)
	if err != nil {
		return err
	}
	out, force := p.outOf(c), c.Bool("force")
	if !c.IsSet("results") {
		p.Results = "" // the folder of the run has its record
	}
	if err := models.CheckOutputs(p.Program, c, out, force); err != nil {
		return err
	}
	release, err := holdOut(out)
	if err != nil {
		return err
	}
	defer release()
	loaded, err := data.Load(p.Program, c)
	if err != nil {
		return err
	}
	if err := run.CheckMethod(run.Data{Name: loaded.Name, Bibliography: loaded.Bibliography, Typed: loaded.Typed}, o); err != nil {
		return shell.Bad(err)
	}
	if o.Select == graphs.SelectTest && loaded.Network != nil && loaded.Split == nil {
		return shell.Badf("--select %s: %s has no test links: expected --split DIR, which asp2vec split makes, or --select %s", o.Select, loaded.Name, graphs.SelectValidation)
	}
	data, err := runData(c.Context, loaded, o)
	if err != nil {
		return err
	}
	plan := run.NewPlan(data, o)
	if err := p.checkMemory(plan); err != nil {
		return err
	}
	data.Memory = p.Available().Bytes
	points, err := p.checkpoints(c, out, data, o)
	if err != nil {
		return err
	}
	data.Checkpoints = points
	if o.HoldOut > 0 && !o.Method.Typed {
		data.Scores = []string{"fitted"} // there are links for it
	}
	p.tellPlan(plan, o, protocol, data)
	runs.TellOfShared(p.Program, o)

	began := false
	show, steps := models.Watch(p.Program, o), 0
	outcome, runErr := run.Run(c.Context, data, o, protocol, p.Threads, func(e graphs.Event) {
		switch e := e.(type) {
		case graphs.Begun:
			began = true
		case graphs.Progress:
			if e.Stage != graphs.StagePilot {
				steps++
			}
		}
		show(e)
	})
	p.ClearBar()
	outcome.Record.Command = p.Command // not where this copy of it lies
	switch {
	case errors.Is(runErr, run.ErrModel):
		return runErr // of the program as it was edited
	case errors.Is(runErr, run.ErrOtherRun), errors.Is(runErr, run.ErrDamaged):
		return shell.Badf("%w; --restart removes it and starts over", runErr)
	case points.Kept() && (errors.Is(runErr, context.Canceled) || runErr == nil && outcome.Result.Interrupted):
		return fmt.Errorf("stopped: the same command continues from the checkpoint in %s", points.Dir)
	case errors.Is(runErr, context.Canceled):
		return errors.New("interrupted before the first step: nothing was written")
	case runErr != nil && !began:
		return shell.Bad(runErr) // of the data or the options
	}
	k, keepErr := p.keep(out, force, filepath.Join(p.Results, data.Folder(o)), outcome)
	if keepErr == nil {
		keepErr = points.Remove()
	} else if points.Kept() {
		keepErr = fmt.Errorf("%w; the result is kept in %s: the same command writes it once that is possible", keepErr, points.Dir)
	}
	if k.out != "" && data.Split != nil && c.Context.Err() == nil {
		var net *network.Network
		if net, err = data.Split.TrainNetwork(); err == nil {
			k.aspects, err = models.AddAspects(c.Context, p.Program, k.out, net, outcome.Result.Names, outcome.Result.Embedding.Final)
		}
		keepErr = errors.Join(keepErr, err)
	}
	if runErr != nil {
		if k.out != "" {
			runErr = fmt.Errorf("%w; %s holds the best epoch before that, %s %d", runErr, k.out, outcome.Record.BestStage, outcome.Record.BestEpoch)
		}
		return errors.Join(runErr, keepErr)
	}
	// What could not be written can still be told.
	if err := errors.Join(keepErr, p.reportTraining(data, o, k, outcome, steps)); err != nil {
		return err
	}
	if outcome.Result.Interrupted {
		return interrupted(out, outcome.Record)
	}
	return nil
}

// interrupted says what the results of a run that was stopped are of.
func interrupted(out string, r results.Record) error {
	what := "the best epoch so far"
	switch {
	case r.PartialEpoch > 0:
		what = fmt.Sprintf("the model in the unfinished %s epoch %d", r.BestStage, r.PartialEpoch)
	case r.Selection == results.Last:
		what = fmt.Sprintf("the last finished epoch, %s %d", r.BestStage, r.BestEpoch)
	}
	if out == "" {
		return fmt.Errorf("interrupted: the scores are those of %s; with --out none it is not written", what)
	}
	return fmt.Errorf("interrupted: %s holds %s", out, what)
}

// noOut is the value of --out that lets train write nothing.
const noOut = "none"

// outOf returns the folder that the results of a training go to, "" for none: that of --out, or one beside the data, which is then told as if it had been given.
func (p program) outOf(c *cli.Context) string {
	if out := c.String("out"); out == noOut {
		return ""
	} else if c.IsSet("out") {
		return out
	}
	out := "network" // of standard input
	for _, flag := range []string{"network", "split", "bibliography", "schema", "dataset"} {
		if path := c.String(flag); path != "" && path != "-" {
			out = filepath.Clean(path)
		}
	}
	switch base := filepath.Base(out); {
	case base == "." || base == ".." || base == string(filepath.Separator): // no name of its own
		out = "network"
	case base == typed.SchemaFile:
		out = filepath.Dir(out)
	case c.IsSet("network"):
		for _, packed := range []string{".gz", ".bz2", ".xz", ".zst"} {
			out = strings.TrimSuffix(out, packed)
		}
		if ending := filepath.Ext(out); ending != filepath.Base(out) {
			out = strings.TrimSuffix(out, ending)
		}
	}
	out += ".asp2vec"
	p.Command = append(p.Command, "--out", out)
	return out
}

// tellPlan says what a run is going to do.
func (p program) tellPlan(plan run.Plan, o graphs.Options, protocol string, data run.Data) {
	m := o.Method
	sizes := []any{"method", m.Name, "protocol", protocol, "seed", o.Seed, "dim", o.Dim}
	if m.Reads("aspects") {
		sizes = append(sizes, "aspects", o.Aspects)
	}
	switch r := plan.Recipe; {
	case !m.Reads("epochs"):
	case r != nil:
		sizes = append(sizes, "pairs", int64(r.Pairs), "steps", r.Steps)
	default:
		sizes = append(sizes, "epochs", o.Epochs, "epoch_chosen_by", o.Select)
	}
	p.Log.Info("training", append(sizes, "threads", p.Threads, "memory_about", shell.Size(plan.Memory))...)
	if own, is := o.Own.(graphs.Node2vecOptions); is && own.P == 1 && own.Q == 1 && data.Split != nil && len(data.Split.Weights) == 0 {
		p.Log.Warn("node2vec with p = 1 and q = 1 is DeepWalk: --p and --q say otherwise, and a sweep with hold-out chooses them")
	}
	if data.Split != nil && len(data.Split.Weights) > 0 && !m.Weights {
		p.Log.Warn(m.Name+" ignores the weights of links", "methods_that_use_them", strings.Join(weighing(), ", "))
	}
}

// weighing returns the names of the methods on links that use weights.
func weighing() (names []string) {
	for _, m := range methods.All() {
		if m.Weights && !m.Typed {
			names = append(names, m.Name)
		}
	}
	return names
}

// kept is where the results of a run are; "" where they are not.
type kept struct {
	out, store string
	aspects    *aspects.Aspects // nil for vertices of several types, and where they were not found
}

// keep writes the folder of a run, and its record into the store. A failed run leaves a record only, unless it had a best
// epoch.
func (p program) keep(out string, force bool, stored string, outcome *run.Outcome) (k kept, err error) {
	var errs []error
	if res := outcome.Result; out != "" && res != nil {
		e := res.Embedding
		run := vectors.Run{
			Names: res.Names, D: e.D, Center: e.Center, Final: e.Final, Record: outcome.Record,
			Aspects: e.Vectors, First: e.First, Share: e.Share,
		}
		for _, t := range e.Learned {
			run.Learned = append(run.Learned, vectors.Array{Name: t.Name, Shape: t.Shape(), Data: t.X})
		}
		if outcome.Input.Network != nil {
			run.Model = hetnet.Keep(outcome.Input, res.Learner)
		}
		if err := vectors.WriteRun(out, force, run); err != nil {
			errs = append(errs, shell.OutError(err))
		} else {
			k.out = out
		}
	}
	if p.Results != "" {
		if err := outcome.Record.Write(stored); err != nil {
			errs = append(errs, shell.Bad(err))
		} else {
			k.store = p.Results
		}
	}
	return k, errors.Join(errs...)
}

// checkMemory returns an error for a run that needs more memory than there is: it would end in the middle, without a word.
func (p program) checkMemory(plan run.Plan) error {
	there := p.Available()
	if there.Bytes == 0 || uint64(plan.Memory) <= there.Bytes {
		return nil
	}
	return shell.Badf("this needs about %s of memory, and there are %s (%s): expected a lower --dim, --aspects or --batch, fewer --walks, or a larger --memory-limit",
		shell.Size(plan.Memory), shell.Size(there.Bytes), there.Bound)
}

// runData returns what a run learns from. Where links come without a split all of them are embedded, but for what the options hold out.
func runData(ctx context.Context, l source.Loaded, o graphs.Options) (run.Data, error) {
	d, err := run.DataOf(ctx, l, true, o)
	if err != nil {
		if l.Split == nil && o.Select == graphs.SelectValidation && ctx.Err() == nil {
			err = fmt.Errorf("%w; --select %s needs none", err, graphs.SelectLast)
		}
		return d, shell.Bad(err)
	}
	return d, nil
}
