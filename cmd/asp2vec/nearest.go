package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
)

func (p *program) nearestCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage: "VERTEX",
		Description: "With --aspect, lists the vertices that the model expects around the vertex in that aspect: for asp2vec those whose centre vectors are\n" +
			"near the aspect vector, for PolyDW those with the nearest vectors of the same facet, for Splitter those with the nearest persona.\n\n" +
			example("asp2vec nearest 17 --model runs/mine", "asp2vec nearest 17 --model runs/mine --aspect 2 --top 5", "asp2vec nearest 17 --model vectors.bin"),
		Flags: append(embeddingFlags(), vectorsFlag(""),
			&cli.IntFlag{Name: "aspect", Usage: "use the `K`th aspect of the vertex, from 1"},
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
	if c.IsSet("aspect") && c.IsSet("vectors") {
		return badf("--aspect with --vectors: want one of them")
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
		Nearest []nearVertex `json:"nearest"`
	}{Model: e.path, Vertex: e.Names[v]}
	what := c.String("vectors") + " vectors"
	if c.IsSet("aspect") {
		doc.Aspect = c.Int("aspect")
		what = fmt.Sprintf("aspect %d", doc.Aspect)
		s, err := e.multiEmbedding()
		if err != nil {
			return err
		}
		row, err := e.aspect(s, v, doc.Aspect)
		if err != nil {
			return err
		}
		if doc.Nearest, err = p.nearIn(c.Context, e, s, row, top); err != nil {
			return err
		}
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
