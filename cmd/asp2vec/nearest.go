package main

import (
	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
)

func (p *program) nearestCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage: modelAndVertexArgument,
		Description: "With --aspect, lists the vertices that are near in an aspect of the vertex, a group of its links (asp2vec aspects --help). With --learned they are\n" +
			"near an aspect that the model has learned: for asp2vec those whose centre vectors are near the aspect vector, for PolyDW those with the\n" +
			"nearest vectors of the same facet, for Splitter those with the nearest persona.\n\n" +
			example("asp2vec nearest links.asp2vec 17", "asp2vec nearest links.asp2vec 17 --aspect 2 --top 5", "asp2vec nearest vectors.vec 17"),
		Flags: append(append(embeddingFlags(), sourceFlags()...), vectorsFlag(""),
			newFlag("aspect", 0, "use the `K`th aspect of the vertex, from 1"), learnedFlag(),
			topFlag(10, "show `N` vertices"),
		),
		Action: p.nearestVertices,
	}
}

func (p *program) nearestVertices(c *cli.Context) error {
	switch {
	case c.IsSet("aspect") && c.IsSet("vectors"):
		return badf("--aspect with --vectors: expected one of them")
	case c.Bool("learned") && !c.IsSet("aspect"):
		return badf("--learned without --aspect: expected the aspect's number")
	}
	e, v, err := p.asked(c)
	if err != nil {
		return err
	}
	d := p.answer()
	d.facts("model", e.path, "vertex", e.Names[v])
	var near []eval.Neighbor
	if k := c.Int("aspect"); c.IsSet("aspect") {
		d.facts("aspect", k, "learned", c.Bool("learned"))
		var all []aspect
		if all, _, err = p.vertexAspects(c, e, v); err == nil {
			if k < 1 || k > len(all) {
				return badf("--aspect %d: vertex %q has %s: expected 1 to %d", k, e.show(v), many(len(all), "aspect"), len(all))
			}
			near = all[k-1].near
		}
	} else {
		name := c.String("vectors")
		d.facts("vectors", name)
		var table eval.Embedding
		if table, err = e.table(name); err == nil {
			near, err = eval.Nearest(c.Context, table, table.Row(int(v)), c.Int("top"), func(row int32) bool { return row == v }, p.threads)
		}
	}
	if err != nil {
		return err
	}
	var rows [][]any
	for i, n := range near {
		rows = append(rows, []any{i + 1, e.Names[n.Row], auc(n.Cosine)})
	}
	d.table("nearest", rows, "rank", "vertex", "cosine")
	return p.show(d)
}
