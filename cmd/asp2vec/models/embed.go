package models

import (
	"cmp"
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/data"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// Embed is the command embed, which adds vectors of new vertices to a model.
func Embed(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage: shell.ModelArgument,
		Description: "The new vectors minimise the loss of the model, which must be asp2vec or DeepWalk, on random walks around the new vertices. The walks\n" +
			"use the network that the model was trained on (from the run's record, --network or --split) together with the links of\n" +
			"--links. --out is the folder of a run with all vertices, old and new.\n\n" +
			shell.Example("asp2vec embed links.asp2vec --links new.tsv --out grown.asp2vec"),
		Flags: slices.Concat([]cli.Flag{
			shell.NewFlag("model", "", "`DIR` that train wrote"),
			shell.NewFlag("links", "", "`FILE` of links of the new vertices, to old ones and to each other"),
		}, data.Flags(), []cli.Flag{
			shell.NewFlag("out", "", "`DIR` of the vectors of all vertices"),
			shell.NewFlag("force", false, "replace the run in --out"),
		}),
		Action: program{p}.embed,
	}
}

func (p program) embed(c *cli.Context) error {
	out, dir := c.String("out"), c.String("model")
	switch {
	case dir == "":
		return shell.Badf("no model given: expected --model DIR, which train --out wrote")
	case c.String("links") == "":
		return shell.Badf("no links given: expected --links FILE, of the new vertices")
	case out == "":
		return shell.Badf("nowhere to write the vectors: expected --out DIR")
	}
	if err := CheckOutputs(p.Program, c, out, c.Bool("force")); err != nil {
		return err
	}
	e, err := p.withLinks(c)
	if err != nil {
		return err
	}
	if e.method != graphs.MethodAsp2vec && e.method != graphs.MethodDeepWalk {
		return shell.Badf("--model %s holds vectors of %s: expected a run of %s or %s", dir, cmp.Or(e.method, "no known method"), graphs.MethodAsp2vec, graphs.MethodDeepWalk)
	}
	parent, err := run.ReadParent(dir)
	if err != nil {
		return shell.Badf("--model: %w", err)
	}
	if e.links == nil {
		return shell.Badf("the network that %s was trained on is not known: expected --network, --dataset or --split", dir)
	}
	source := source.Source{Network: c.String("links"), Directed: e.links.net.Directed(), Input: p.In}
	source.Read.Memory = p.Available().Bytes
	later, err := source.Load(c.Context)
	if err != nil {
		return shell.Badf("--links: %w", err)
	}
	grown, err := run.Grow(e.links.net, later.Network)
	if err != nil {
		return shell.Badf("--links %s: %w", c.String("links"), err)
	}
	added := grown.Network.Vertices() - grown.Old
	var notes network.Notes
	notes.Add("of_them_between_old_vertices", grown.Inner, "")
	notes.Add("links_known_already", grown.Known, "")
	notes.Warn("vertices", grown.Apart, "", "no path of links joins some new vertices to old ones, so their vectors cannot be compared with those")
	p.Tell(later.Path, []any{"new_vertices", added, "old", grown.Old, "new_links", grown.Links}, notes)
	run, err := parent.Extend(c.Context, grown, later.Name, p.Threads, shell.ShowSteps[int64](p.Program, "embed"))
	p.ClearBar()
	if err != nil {
		return shell.Bad(err)
	}
	run.Record.Command = p.Command
	if err := vectors.WriteRun(out, c.Bool("force"), run); err != nil {
		return shell.OutError(err)
	}
	_, unfound := AddAspects(c.Context, p.Program, out, grown.Network, run.Names, run.Final)
	return errors.Join(unfound, p.ShowFacts("model", dir, "new_vertices", added, "old_vertices", grown.Old, "new_links", grown.Links, "seconds", run.Record.Finished.Sub(run.Record.Started).Seconds(), "out", out))
}
