package models

import (
	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
)

// Nearest is the command nearest, which lists the vertices nearest to a vertex.
func Nearest(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage: shell.ModelAndVertexArgument,
		Description: "With --aspect, lists the vertices that are near in an aspect of the vertex, a group of its links (asp2vec aspects --help). With --learned they are\n" +
			"near an aspect that the model has learned: for asp2vec those whose centre vectors are near the aspect vector, for PolyDW those with the\n" +
			"nearest vectors of the same facet, for Splitter those with the nearest persona.\n\n" +
			shell.Example("asp2vec nearest links.asp2vec 17", "asp2vec nearest links.asp2vec 17 --aspect 2 --top 5", "asp2vec nearest vectors.vec 17"),
		Flags: append(linkedFlags(), vectorsFlag(""),
			shell.NewFlag("aspect", 0, "use the `K`th aspect of the vertex, from 1"), learnedFlag(),
			shell.CountFlag("top", 10, "show `N` vertices"),
		),
		Action: program{p}.nearestVertices,
	}
}

func (p program) nearestVertices(c *cli.Context) error {
	switch {
	case c.IsSet("aspect") && c.IsSet("vectors"):
		return shell.Badf("--aspect with --vectors: expected one of them")
	case c.Bool("learned") && !c.IsSet("aspect"):
		return shell.Badf("--learned without --aspect: expected the aspect's number")
	}
	e, v, err := p.asked(c)
	if err != nil {
		return err
	}
	d := p.Answer()
	d.Facts("model", e.path, "vertex", e.Names[v])
	var near []eval.Neighbor
	if k := c.Int("aspect"); c.IsSet("aspect") {
		d.Facts("aspect", k, "learned", c.Bool("learned"))
		var all []aspect
		if all, _, err = p.vertexAspects(c, e, v); err == nil {
			if k < 1 || k > len(all) {
				return shell.Badf("--aspect %d: vertex %q has %s: expected 1 to %d", k, e.show(v), shell.Many(len(all), "aspect"), len(all))
			}
			near = all[k-1].near
		}
	} else {
		name := c.String("vectors")
		d.Facts("vectors", name)
		var table eval.Embedding
		if table, err = e.table(name); err == nil {
			near, err = eval.Nearest(c.Context, table, table.Row(int(v)), c.Int("top"), func(row int32) bool { return row == v }, p.Threads)
		}
	}
	if err != nil {
		return err
	}
	var rows [][]any
	for i, n := range near {
		rows = append(rows, []any{i + 1, e.Names[n.Row], shell.AUC(n.Cosine)})
	}
	d.Table("nearest", rows, "rank", "vertex", "cosine")
	return p.Show(d)
}
