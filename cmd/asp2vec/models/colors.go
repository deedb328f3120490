package models

import (
	"context"
	"fmt"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/explore"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/layout"
	"github.com/asp2vec/asp2vec/results/plot"
	"github.com/asp2vec/asp2vec/results/render"
	"github.com/urfave/cli/v2"
)

// What --color tells vertices apart by.
const (
	colorLabel     = "label"
	colorCommunity = "community"
	colorAspect    = "aspect"
	colorNone      = "none"
)

// colorFlags choose what the colours of a picture say.
func colorFlags() []cli.Flag {
	return append([]cli.Flag{
		shell.OneOf(shell.NewFlag("color", "", "colour by `WHAT`: label; community of the links (Louvain's method); "+
			"aspect, the group of the aspect that most of its links have; none", "", "label with --labels, otherwise community if the links are known"), colorLabel, colorCommunity, colorAspect, colorNone),
	}, labelsFlags("", "")...)
}

// colour gives the points of a map the colours of their groups, one each; nil leaves them.
func colour(m *plot.Map, g *explore.Coloring) {
	if g == nil {
		return
	}
	if m.Group, m.Groups, m.KeyTitle = g.Of, g.Names, g.Title; g.All != nil {
		m.KeyTitle = "most frequent " + g.Title
	}
}

// colored returns the groups that the flags of colorFlags ask for, nil for none.
func (p program) colored(c *cli.Context, e *embedding) (*explore.Coloring, error) {
	what := c.String("color")
	switch {
	case what == "" && wantsLabels(c):
		what = colorLabel
	case what == "" && e.links != nil:
		what = colorCommunity
	case what == "":
		what = colorNone
	}
	if what != colorLabel && wantsLabels(c) {
		return nil, shell.Badf("--labels with --color %s: expected --color %s, or no labels", what, colorLabel)
	}
	if what == colorNone {
		return nil, nil
	}
	g, err := p.coloring(c, e, what)
	if err != nil {
		err = fmt.Errorf("--color %s: %w", what, err)
	}
	return g, err
}

// coloring puts vertices into groups, by what they are told apart by.
func (p program) coloring(c *cli.Context, e *embedding, what string) (*explore.Coloring, error) {
	switch {
	case what == colorLabel:
		of, names, _, err := p.labelsOf(c, e)
		return explore.ByLabel(of, seq.Map(names, render.Printable)), err
	case what == colorCommunity && e.links == nil:
		return nil, shell.Badf("the links are not known: expected --network or --split, or --labels FILE")
	case what == colorCommunity:
		return explore.ByCommunity(c.Context, e.links.net, c.Uint64("seed"))
	}
	a, err := p.findAspects(c.Context, e)
	if err != nil {
		return nil, err
	}
	g := explore.ByAspects(a.Vectors.First, a.Group, a.Groups)
	g.All = nil // a picture shows one group of each vertex
	return g, nil
}

// Ways to lay vectors out in the plane.
const (
	mapTSNE = "tsne"
	mapPCA  = "pca"
)

// mapFlags choose how vectors become a map, by default in the usual way.
func mapFlags(usual string) []cli.Flag {
	return []cli.Flag{
		shell.OneOf(shell.NewFlag("map", usual, "projection: `WAY` is tsne, which places similar vectors near each other, or pca, the first two principal components"),
			mapTSNE, mapPCA),
		&cli.Float64Flag{Name: "perplexity", Value: 30, Usage: "approximate number of `NEIGHBOURS` per vertex in t-SNE", Action: checkPerplexity},
		shell.NewFlag("seed", uint64(1), "`SEED` of t-SNE and of communities"),
	}
}

func checkPerplexity(c *cli.Context, x float64) error {
	switch {
	case c.String("map") == mapPCA:
		return shell.Badf("--perplexity with --map %s: expected --map %s", mapPCA, mapTSNE)
	case !(x > 0 && x <= 1000):
		return shell.Badf("--perplexity %v: expected a number above 0, to 1,000", x)
	}
	return nil
}

// slowMap is from how many vertices on t-SNE takes a minute or more.
const slowMap = 20000

// lay returns the map (N,2) of vectors that the flags of mapFlags ask for; a picture of few has a lower perplexity than these.
func (p program) lay(c *cli.Context, e eval.Embedding, perplexity float64) ([]float64, error) {
	if c.String("map") == mapPCA {
		return principal(c.Context, e)
	}
	if e.N >= slowMap {
		p.Log.Info("t-SNE takes minutes; --map pca takes a moment", "vertices", e.N)
	}
	at, err := layout.TSNE(c.Context, e, layout.TSNEOptions{Perplexity: perplexity, Seed: c.Uint64("seed"), Threads: p.Threads, Step: shell.ShowSteps[int](p.Program, "t-SNE")})
	p.ClearBar()
	return at, err
}

// principal returns the first two principal components of vectors, the second 0 of vectors of one number.
func principal(ctx context.Context, e eval.Embedding) ([]float64, error) {
	dims := min(2, e.D)
	at, _, err := eval.Principal(ctx, e, dims)
	if err != nil || dims == 2 {
		return at, err
	}
	out := make([]float64, 2*e.N)
	for v, x := range at {
		out[2*v] = x
	}
	return out, nil
}

// mapTitle says what a map shows.
func mapTitle(e *embedding) string {
	title := render.Printable(e.path)
	if e.Record != nil {
		title = fmt.Sprintf("%s on %s", e.Record.Method, render.Printable(e.Record.Dataset.Name))
	}
	return title
}
