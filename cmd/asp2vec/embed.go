package main

import (
	"cmp"
	"errors"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/vectors"
)

func (p *program) embedCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage: modelArgument,
		Description: "The new vectors minimise the loss of the model, which must be asp2vec or DeepWalk, on random walks around the new vertices. The walks\n" +
			"use the network that the model was trained on (from the run's record, --network or --split) together with the links of\n" +
			"--links. --out is the folder of a run with all vertices, old and new.\n\n" +
			example("asp2vec embed links.asp2vec --links new.tsv --out grown.asp2vec"),
		Flags: slices.Concat([]cli.Flag{
			newFlag("model", "", "`DIR` that train wrote"),
			newFlag("links", "", "`FILE` of links of the new vertices, to old ones and to each other"),
		}, sourceFlags(), []cli.Flag{
			newFlag("out", "", "`DIR` of the vectors of all vertices"),
			newFlag("force", false, "replace the run in --out"),
		}),
		Action: p.embed,
	}
}

func (p *program) embed(c *cli.Context) error {
	out, dir := c.String("out"), c.String("model")
	switch {
	case dir == "":
		return badf("no model given: expected --model DIR, which train --out wrote")
	case c.String("links") == "":
		return badf("no links given: expected --links FILE, of the new vertices")
	case out == "":
		return badf("nowhere to write the vectors: expected --out DIR")
	}
	if err := p.checkOutputs(c, out, c.Bool("force")); err != nil {
		return err
	}
	e, err := p.withLinks(c)
	if err != nil {
		return err
	}
	if e.method != graphs.MethodAsp2vec && e.method != graphs.MethodDeepWalk {
		return badf("--model %s holds vectors of %s: expected a run of %s or %s", dir, cmp.Or(e.method, "no known method"), graphs.MethodAsp2vec, graphs.MethodDeepWalk)
	}
	parent, err := run.ReadInit(dir)
	if err != nil {
		return badf("--model: %w", err)
	}
	if e.links == nil {
		return badf("the network that %s was trained on is not known: expected --network, --dataset or --split", dir)
	}
	source := source.Source{Network: c.String("links"), Directed: e.links.net.Directed(), Input: p.in}
	source.Read.Memory = p.available().Bytes
	later, err := source.Load(c.Context)
	if err != nil {
		return badf("--links: %w", err)
	}
	grown, err := run.Grow(e.links.net, later.Network)
	if err != nil {
		return badf("--links %s: %w", c.String("links"), err)
	}
	added := grown.Network.Vertices() - grown.Old
	var notes network.Notes
	notes.Add("of_them_between_old_vertices", grown.Inner, "")
	notes.Add("links_known_already", grown.Known, "")
	notes.Warn("vertices", grown.Apart, "", "no path of links joins some new vertices to old ones, so their vectors cannot be compared with those")
	p.tell(later.Path, []any{"new_vertices", added, "old", grown.Old, "new_links", grown.Links}, notes)
	steps := showSteps[int64](p, "embed")
	run, err := parent.Extend(c.Context, grown, later.Name, p.threads, func(done, all int64) {
		if steps != nil {
			steps(done, all)
		}
	})
	p.clearBar()
	if err != nil {
		return bad(err)
	}
	run.Record.Command = append([]string{"asp2vec"}, p.args...)
	if err := vectors.WriteRun(out, c.Bool("force"), run); err != nil {
		return badf("--out: %w", err)
	}
	_, unfound := p.addAspects(c.Context, out, grown.Network, run.Names, run.Final)
	return errors.Join(unfound, p.showFacts("model", dir, "new_vertices", added, "old_vertices", grown.Old, "new_links", grown.Links, "seconds", run.Record.Finished.Sub(run.Record.Started).Seconds(), "out", out))
}
