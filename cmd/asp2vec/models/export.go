package models

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/vectors"
	"github.com/urfave/cli/v2"
)

// Formats of files for other tools.
const (
	FormatWord2vec = "word2vec"
	FormatNPZ      = "npz"
	FormatGraphML  = "graphml"
)

// What --attributes gives the vertices of GraphML.
const (
	attributesPositions = "positions"
	attributesVectors   = "vectors"
)

// Export is the command export, which writes an embedding for other programs.
func Export(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage: shell.ModelArgument,
		Description: "Formats:\n" +
			"   word2vec         word2vec text, one table\n" +
			"   npz              all tables for NumPy: names, final, center, aspects, shares; can be read back if called .npz\n" +
			"   graphml          the network for Gephi, Cytoscape or networkx, with positions or vectors as attributes\n\n" +
			shell.Example("asp2vec export links.asp2vec --format npz --out mine.npz",
				"asp2vec export links.asp2vec --format graphml --network links.tsv --out mine.graphml"),
		Flags: slices.Concat(linkedFlags(), mapFlags(mapPCA), []cli.Flag{vectorsFlag(""),
			shell.OneOf(shell.NewFlag("format", "", "`NAME` is word2vec, npz, graphml"), FormatWord2vec, FormatNPZ, FormatGraphML),
			shell.NewFlag("aspect", 0, "export the `K`th learned aspect of each vertex, from 1", "", "none"),
		}, labelsFlags(", for graphml", ""), []cli.Flag{
			shell.OneOf(shell.NewFlag("attributes", attributesPositions, "for graphml: positions (x and y of the map that plot draws) or vectors"),
				attributesPositions, attributesVectors),
			shell.OneOf(shell.NewFlag("names", vectors.SpellingEscaped, "write ids with spaces `HOW` in the columns of word2vec"+
				": escaped (a space as \\s, a backslash as \\\\), underscores, or plain (unchanged)"), vectors.Spellings()...),
			shell.NewFlag("out", "", "`PATH` of the file"),
			shell.NewFlag("force", false, "replace --out"),
		}),
		Action: program{p}.export,
	}
}

func (p program) export(c *cli.Context) error {
	out, format := c.String("out"), c.String("format")
	switch {
	case format == "":
		return shell.Badf("no format given: expected --format with one of word2vec, npz, graphml")
	case out == "":
		return shell.Badf("no file to write to: expected --out FILE")
	case c.IsSet("aspect") && c.IsSet("vectors"):
		return shell.Badf("--aspect with --vectors: expected one of them")
	}
	var others []string // flags of other formats
	if format == FormatNPZ {
		others = []string{"vectors", "aspect"}
	}
	if format != FormatGraphML {
		others = append(others, "labels", "labels-from", "network", "dataset", "split", "attributes", "map", "perplexity", "seed")
	}
	if err := cmp.Or(shell.RefuseFlags(c, "--format "+format, others...), shell.CheckFile(out, c.Bool("force"))); err != nil {
		return err
	}
	e, err := p.embedding(c)
	if err != nil {
		return err
	}
	write := func(w io.Writer) error { return vectors.WriteNPZ(w, e.Embedding) }
	if format != FormatNPZ {
		table, err := p.chosen(c, e)
		if err != nil {
			return err
		}
		if format == FormatWord2vec {
			write, err = word2vec(c, table)
		} else {
			write, err = p.graphml(c, e, table)
		}
		if err != nil {
			return err
		}
	}
	if err := shell.WriteOut(out, write); err != nil {
		return err
	}
	return p.ShowFacts("model", e.path, "format", format, "vertices", len(e.Names), "out", out)
}

// chosen returns the vectors that --vectors or --aspect names.
func (p program) chosen(c *cli.Context, e *embedding) (*vectors.Vectors, error) {
	if !c.IsSet("aspect") {
		t, err := e.table(c.String("vectors"))
		return &vectors.Vectors{Names: e.Names, N: t.N, D: t.D, Data: t.Data}, err
	}
	if _, err := e.multiEmbedding(); err != nil {
		return nil, err
	}
	k := c.Int("aspect")
	if k < 1 || k > e.Most() {
		return nil, shell.Badf("--aspect %d: vertices of %s have up to %s: expected 1 to %d", k, e.path, shell.Many(e.Most(), "aspect"), e.Most())
	}
	t := e.Aspect(k - 1)
	if left := len(e.Names) - t.N; left > 0 {
		p.Log.Info("vertices with fewer aspects are left out", "vertices", left)
	}
	return t, nil
}

// word2vec returns what writes vectors, with their names as --names has them.
func word2vec(c *cli.Context, t *vectors.Vectors) (func(io.Writer) error, error) {
	names, err := vectors.Spell(t.Names, c.String("names"))
	return func(w io.Writer) error { return vectors.WriteSpelledVec(w, names, t.Data, t.D) }, err
}

// graphml returns what writes the network, with what is known of its vertices.
func (p program) graphml(c *cli.Context, e *embedding, table *vectors.Vectors) (func(io.Writer) error, error) {
	if err := p.readLinks(c, e); err != nil {
		return nil, err
	}
	links := e.links
	rows := seq.Map(table.Names, func(name string) int32 { return e.at[name] })
	g := vectors.GraphML{Names: table.Names}
	attribute := func(name, kind string, of func(i int) string) {
		g.Attributes = append(g.Attributes, vectors.Attribute{Name: name, Type: kind, Of: of})
	}
	if links == nil {
		p.Log.Warn("links are not known, so the file has none: give --network or --split")
	} else {
		attribute("degree", "int", func(i int) string { return strconv.Itoa(links.net.Degree(rows[i])) })
		g.Directed = links.net.Directed()
		at := seq.Places[int32, int32](rows) // aspects that not all vertices have
		for _, l := range links.net.List() {
			u, ok := at[l.From]
			v, too := at[l.To]
			if ok && too {
				g.Links = append(g.Links, [2]int32{u, v})
			}
		}
	}
	if wantsLabels(c) {
		labels, names, _, err := p.labelsOf(c, e)
		if err != nil {
			return nil, err
		}
		attribute("label", "string", func(i int) string { return joined(names, labels[rows[i]]) })
	}
	t := eval.Embedding{N: table.N, D: table.D, Data: table.Data}
	if c.String("attributes") == attributesVectors {
		for j := range t.D {
			attribute(fmt.Sprintf("v%d", j+1), "double", func(v int) string { return strconv.FormatFloat(float64(t.Row(v)[j]), 'g', -1, 32) })
		}
	} else {
		at, err := p.lay(c, t, c.Float64("perplexity"))
		if err != nil {
			return nil, err
		}
		for j, name := range []string{"x", "y"} {
			attribute(name, "double", func(v int) string { return strconv.FormatFloat(at[2*v+j], 'g', 7, 64) })
		}
	}
	return func(w io.Writer) error { return vectors.WriteGraphML(w, g) }, nil
}
