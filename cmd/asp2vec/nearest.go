package main

import (
	"fmt"

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
			&cli.IntFlag{Name: "aspect", Usage: "use the `K`th aspect of the vertex, from 1"}, learnedFlag(),
			topFlag(10, "show `N` vertices"),
		),
		Action: p.nearestVertices,
	}
}

// nearVertex is a vertex that is near another.
type nearVertex struct {
	Vertex string  `json:"vertex"`
	Cosine float64 `json:"cosine"`
	Linked *bool   `json:"linked,omitempty"` // where the training links are known
}

func (p *program) nearestVertices(c *cli.Context) error {
	switch {
	case c.IsSet("aspect") && c.IsSet("vectors"):
		return badf("--aspect with --vectors: expected one of them")
	case c.Bool("learned") && !c.IsSet("aspect"):
		return badf("--learned without --aspect: expected the aspect's number")
	}
	top := c.Int("top")
	e, v, err := p.asked(c)
	if err != nil {
		return err
	}
	doc := struct {
		Model   string       `json:"model"`
		Vertex  string       `json:"vertex"`
		Vectors string       `json:"vectors,omitempty"`
		Aspect  int          `json:"aspect,omitempty"`
		Learned bool         `json:"learned,omitempty"`
		Nearest []nearVertex `json:"nearest"`
	}{Model: e.path, Vertex: e.Names[v]}
	what := c.String("vectors") + " vectors"
	if c.IsSet("aspect") {
		doc.Aspect, doc.Learned = c.Int("aspect"), c.Bool("learned")
		what = map[bool]string{true: "learned "}[doc.Learned] + fmt.Sprintf("aspect %d", doc.Aspect)
		near, err := p.nearAspect(c, e, v)
		if err != nil {
			return err
		}
		doc.Nearest = e.named(near)
	} else {
		doc.Vectors = c.String("vectors")
		table, err := e.table(doc.Vectors)
		if err != nil {
			return err
		}
		near, err := eval.Nearest(c.Context, table, table.Row(int(v)), top, func(row int32) bool { return row == v }, p.threads)
		if err != nil {
			return err
		}
		doc.Nearest = e.named(near)
	}
	var rows [][]string
	for i, n := range doc.Nearest {
		rows = append(rows, []string{count(i + 1), printable(n.Vertex), fmt.Sprintf("%.4f", n.Cosine)})
	}
	return p.emitTable(doc, 2, []string{"", "near " + e.show(v) + " by " + what, "cosine"}, rows)
}

// nearAspect returns the vertices that are near in the aspect of a vertex that --aspect numbers.
func (p *program) nearAspect(c *cli.Context, e *embedding, v int32) ([]eval.Neighbor, error) {
	k := c.Int("aspect")
	if c.Bool("learned") {
		x, err := e.learned()
		if err == nil {
			err = e.hasAspect(x.First, v, k)
		}
		if err != nil {
			return nil, err
		}
		return x.Near(c.Context, v, int32(k)-1, c.Int("top"), p.threads)
	}
	links, err := p.links(c, e)
	if err != nil {
		return nil, err
	}
	a, err := p.findAspects(c.Context, e, links)
	if err == nil {
		err = e.hasAspect(a.Vectors.First, v, k)
	}
	if err != nil {
		return nil, err
	}
	row := a.Vectors.First[v] + int32(k) - 1
	near, err := a.Near(c.Context, row, row+1, c.Int("top"), p.threads)
	if err != nil {
		return nil, err
	}
	return near[0], nil
}
