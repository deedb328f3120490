package models

import (
	"bytes"
	"context"
	"io"
	"slices"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/explore"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
	"github.com/asp2vec/asp2vec/results/vectors"
	"github.com/urfave/cli/v2"
)

// mostExplored is how many vertices a page has: it holds who is near each, and is drawn in a browser.
const mostExplored = 100000

// Explore is the command explore, which writes a page about an embedding.
func Explore(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage: shell.ModelArgument,
		Description: "The page is one HTML file that works offline. Colours show labels, communities of the links, and the groups\n" +
			"of the aspects of vertices, as far as they are known.\n\n" +
			shell.Example("asp2vec explore links.asp2vec --out mine.html", "asp2vec explore links.asp2vec --labels labels.tsv --out mine.html"),
		Flags: slices.Concat(linkedFlags(), mapFlags(mapTSNE), labelsFlags("", ""), []cli.Flag{
			shell.Between(shell.NewFlag("top", 10, "show `N` vertices near each vertex, and near each aspect"), 1, 100),
		}, outFlags("`FILE` of the page")),
		Action: program{p}.explore,
	}
}

func (p program) explore(c *cli.Context) error {
	out := c.String("out")
	if out == "" {
		return shell.Badf("nowhere to write the page: expected --out FILE.html")
	}
	e, err := p.withLinks(c)
	if err != nil {
		return err
	}
	if n := len(e.Names); n > mostExplored {
		return shell.Badf("%s has %s vertices: expected at most %s", e.path, shell.Count(n), shell.Count(mostExplored))
	}
	page, err := p.explorePage(c, e)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := explore.Write(&b, page); err != nil {
		return err
	}
	if err := shell.WriteOut(out, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err }); err != nil {
		return err
	}
	return p.ShowFacts("model", e.path, "vertices", len(e.Names), "bytes", shell.Size(b.Len()), "colors", seq.Map(page.Colorings, func(g explore.Coloring) string { return g.Title }), "out", out)
}

// explorePage collects what the page shows.
func (p program) explorePage(c *cli.Context, e *embedding) (page explore.Page, err error) {
	page = explore.Page{Title: mapTitle(e), Note: mapNote(c, vectors.TableFinal), Names: seq.Map(e.Names, render.Printable)}
	if err := p.exploreColors(c, e, &page); err != nil {
		return page, err
	}
	final, err := e.table(vectors.TableFinal)
	if err != nil {
		return page, err
	}
	top := c.Int("top")
	if page.Near, err = eval.Neighbors(c.Context, final, final, top, func(v, u int32) bool { return u == v }, p.Threads); err != nil {
		return page, err
	}
	if e.links != nil {
		page.Links = seq.Map(seq.Upto(int32(len(e.Names))), e.links.net.Simple().Out)
		if err := p.exploreAspects(c.Context, e, top, &page); err != nil {
			return page, err
		}
	}
	page.At, err = p.lay(c, final, c.Float64("perplexity"))
	return page, err
}

// exploreColors adds what colours can say: labels that are asked for or lie with the run's data, communities.
func (p program) exploreColors(c *cli.Context, e *embedding, page *explore.Page) error {
	var known []string
	if _, err := p.labelsBeside(e.Record, e.path); wantsLabels(c) || err == nil {
		known = append(known, colorLabel)
	}
	if e.links != nil {
		known = append(known, colorCommunity)
	}
	for _, what := range known {
		g, err := p.coloring(c, e, what)
		if err != nil {
			return err
		}
		if len(g.Names) > 0 {
			page.Colorings = append(page.Colorings, *g)
		}
	}
	return nil
}

// exploreAspects adds the aspects of vertices: who is near in each, how many links it has, its group.
func (p program) exploreAspects(ctx context.Context, e *embedding, top int, page *explore.Page) error {
	a, err := p.findAspects(ctx, e)
	if err != nil {
		return err
	}
	page.First, page.Counts, page.Groups = a.Vectors.First, a.Links, a.Group
	page.Colorings = append(page.Colorings, *explore.ByAspects(page.First, page.Groups, a.Groups))
	page.Aspects, err = a.Near(ctx, 0, int32(len(a.Links)), top, p.Threads)
	return err
}
