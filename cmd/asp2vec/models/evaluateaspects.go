package models

import (
	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/internal/seq"
)

func (p program) evaluateAspectsCommand() *cli.Command {
	return &cli.Command{
		Name:      "aspects",
		ArgsUsage: shell.ModelArgument,
		Usage:     "how well the aspects of links agree with labels",
		Description: "A link has the label that both its ends share, if that is one. For each vertex whose links have several labels, its links are grouped\n" +
			"by aspects, by those that the model has learned, by k-means of the final vectors of the other ends, and, without vectors, by label\n" +
			"propagation among its neighbours. The normalised mutual information (NMI) of a grouping with the labels is averaged over the vertices; for\n" +
			"groups of aspects of all vertices it is that over all links.\n\n" +
			shell.Example("asp2vec evaluate aspects --model links.asp2vec --labels communities.tsv"),
		Flags: append(append(linkedFlags(), labelsFlags("", runLabels)...),
			shell.CountFlag("groups", aspects.Most, "`K` groups for k-means, at most one for each two links"),
			shell.NewFlag("seed", uint64(1), "`SEED` of k-means and of chance"),
		),
		Action: p.evaluateAspects,
	}
}

func (p program) evaluateAspects(c *cli.Context) error {
	return p.evaluateModel(c, func(e *embedding, d *shell.Doc) error {
		err := p.readLinks(c, e)
		if err == nil {
			err = e.wantLinks()
		}
		if err != nil {
			return err
		}
		of, names, file, err := p.labelsOf(c, e)
		if err != nil {
			return err
		}
		found, err := p.findAspects(c.Context, e)
		if err != nil {
			return err
		}
		at, seed := aspects.ByLabels(e.links.net, of), c.Uint64("seed")
		d.Facts("labels", file, "labels_count", len(names), "vertices", seq.Count(of, func(list []int32) bool { return list != nil }), "seed", seed,
			"labelled_links", len(seq.Flat(at, func(l aspects.VertexLinks) []int32 { return l.Near })))
		ways, err := p.groupings(c, e, found, at)
		if err != nil {
			return err
		}
		var rows [][]any
		var vertices int
		for _, way := range ways {
			a, err := aspects.Within(at, way.of, seed)
			if err != nil {
				return shell.Badf("%s, %s: %w", e.path, file, err)
			}
			rows, vertices = append(rows, agreed(way.by, a)), a.Count
		}
		all, err := aspects.Overall(at, found.ByGroup, seed)
		if err != nil {
			return err
		}
		columns := []string{"grouped_by", "nmi", "by_chance", "beyond_chance", "count"}
		d.Table("links_of_a_vertex", rows, columns...)
		d.Table("all_links", [][]any{agreed("groups of aspects", all)}, columns...)
		d.Say("Links of a vertex are those of %s vertices with links of several labels. Beyond chance: 0 as by chance, 1 if the groups are the labels.", shell.Count(vertices))
		var several [aspects.Most]int // how many vertices have one, two, ...
		for v := range e.Names {
			if n := found.Vectors.First[v+1] - found.Vectors.First[v]; n > 0 {
				several[n-1]++
			}
		}
		rows = nil
		for i, n := range several {
			rows = append(rows, []any{i + 1, n})
		}
		d.Table("vertices_with_aspects", rows, "aspects", "vertices")
		return nil
	})
}

// agreed is a row of how well a grouping agrees with labels.
func agreed(by string, a aspects.Agreement) []any {
	return []any{by, shell.AUC(a.NMI), shell.Spread{Mean: a.Chance, SD: a.ChanceSD}, shell.AUC(a.Adjusted()), a.Count}
}

// grouping is a way to group the links of each vertex.
type grouping struct {
	by string
	of aspects.Grouping
}

// groupings returns the ways that are compared, of which only the first two need the model.
func (p program) groupings(c *cli.Context, e *embedding, found *aspects.Aspects, at []aspects.VertexLinks) ([]grouping, error) {
	all := []grouping{{"aspects", found.To}}
	if e.MultiVectors != nil {
		learned, err := e.learned()
		if err != nil {
			return nil, err
		}
		all = append(all, grouping{"learned aspects", learned.Number})
	}
	final, err := e.table("final")
	if err != nil {
		return nil, err
	}
	byMeans, err := aspects.KMeans(c.Context, final, at, c.Int("groups"), c.Uint64("seed"), p.Threads)
	if err != nil {
		return nil, err
	}
	byEgos, err := aspects.EgoSplitting(c.Context, e.links.net, p.Threads)
	return append(all, grouping{"k-means of final", byMeans}, grouping{"ego-splitting, no vectors", byEgos}), err
}
