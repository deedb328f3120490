package models

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/data"
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

func Export(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage: shell.ModelArgument,
		Description: "Formats:\n" +
			"   word2vec         word2vec text, one table\n" +
			"   npz              all tables for NumPy: names, final, center, aspects, shares; can be read back if called .npz\n" +
			"   graphml          the network for Gephi, Cytoscape or networkx, with positions or vectors as attributes\n\n" +
			shell.Example("asp2vec export links.asp2vec --format npz --out mine.npz",
				"asp2vec export links.asp2vec --format graphml --network links.tsv --out mine.graphml"),
		Flags: append(slices.Concat(embeddingFlags(), data.Flags(), mapFlags(mapPCA)), vectorsFlag(""),
			shell.OneOf(shell.NewFlag("format", "", "`NAME` is word2vec, npz, graphml"), FormatWord2vec, FormatNPZ, FormatGraphML),
			shell.NewFlag("aspect", 0, "export the `K`th learned aspect of each vertex, from 1", "", "none"),
			labelsFlag(", for graphml"), labelsFromFlag(),
			shell.OneOf(shell.NewFlag("attributes", attributesPositions, "for graphml: positions (x and y of the map that plot draws) or vectors"),
				attributesPositions, attributesVectors),
			shell.OneOf(shell.NewFlag("names", vectors.SpellingEscaped, "write ids with spaces `HOW` in the columns of word2vec"+
				": escaped (a space as \\s, a backslash as \\\\), underscores, or plain (unchanged)"), vectors.Spellings()...),
			shell.NewFlag("out", "", "`PATH` of the file"),
			shell.NewFlag("force", false, "replace --out"),
		),
		Action: program{p}.export,
	}
}

// export is an embedding on its way out.
type export struct {
	p     program
	c     *cli.Context
	e     *embedding
	table *vectors.Vectors // the one that was chosen
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
	x := &export{p: p, c: c, e: e}
	var write func(io.Writer) error
	switch format {
	case FormatNPZ:
		write = func(w io.Writer) error { return vectors.WriteNPZ(w, e.Embedding) }
	case FormatWord2vec:
		write, err = x.word2vec()
	default:
		write, err = x.graphml()
	}
	if err != nil {
		return err
	}
	if err := shell.WriteOut(out, write); err != nil {
		return err
	}
	return p.ShowFacts("model", e.path, "format", format, "vertices", len(e.Names), "out", out)
}

// choose finds the vectors that --vectors or --aspect names.
func (x *export) choose() error {
	if !x.c.IsSet("aspect") {
		t, err := x.e.table(x.c.String("vectors"))
		x.table = &vectors.Vectors{Names: x.e.Names, N: t.N, D: t.D, Data: t.Data}
		return err
	}
	if _, err := x.e.multiEmbedding(); err != nil {
		return err
	}
	k := x.c.Int("aspect")
	if k < 1 || k > x.e.Most() {
		return shell.Badf("--aspect %d: vertices of %s have up to %s: expected 1 to %d", k, x.e.path, shell.Many(x.e.Most(), "aspect"), x.e.Most())
	}
	x.table = x.e.Aspect(k - 1)
	if left := len(x.e.Names) - x.table.N; left > 0 {
		x.p.Log.Info("vertices with fewer aspects are left out", "vertices", left)
	}
	return nil
}

// word2vec writes vectors, with their names as --names has them.
func (x *export) word2vec() (func(io.Writer) error, error) {
	if err := x.choose(); err != nil {
		return nil, err
	}
	names, err := vectors.Spell(x.table.Names, x.c.String("names"))
	return func(w io.Writer) error { return vectors.WriteSpelledVec(w, names, x.table.Data, x.table.D) }, err
}

// graphml writes the network, with what is known of its vertices.
func (x *export) graphml() (func(io.Writer) error, error) {
	if err := x.choose(); err != nil {
		return nil, err
	}
	if err := x.p.readLinks(x.c, x.e); err != nil {
		return nil, err
	}
	links := x.e.links
	rows := seq.Map(x.table.Names, func(name string) int32 { return x.e.at[name] })
	g := vectors.GraphML{Names: x.table.Names}
	attribute := func(name, kind string, of func(i int) string) {
		g.Attributes = append(g.Attributes, vectors.Attribute{Name: name, Type: kind, Of: of})
	}
	if links == nil {
		x.p.Log.Warn("links are not known, so the file has none: give --network or --split")
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
	if wantsLabels(x.c) {
		labels, names, _, err := x.p.labelsOf(x.c, x.e)
		if err != nil {
			return nil, err
		}
		attribute("label", "string", func(i int) string { return joined(names, labels[rows[i]]) })
	}
	t := eval.Embedding{N: x.table.N, D: x.table.D, Data: x.table.Data}
	if x.c.String("attributes") == attributesVectors {
		for j := range t.D {
			attribute(fmt.Sprintf("v%d", j+1), "double", func(v int) string { return strconv.FormatFloat(float64(t.Row(v)[j]), 'g', -1, 32) })
		}
	} else {
		at, err := x.p.lay(x.c, t, x.c.Float64("perplexity"))
		if err != nil {
			return nil, err
		}
		for j, name := range []string{"x", "y"} {
			attribute(name, "double", func(v int) string { return strconv.FormatFloat(at[2*v+j], 'g', 7, 64) })
		}
	}
	return func(w io.Writer) error { return vectors.WriteGraphML(w, g) }, nil
}
