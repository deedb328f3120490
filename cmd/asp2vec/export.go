package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/vectors"
	"github.com/urfave/cli/v2"
)

// exportFormat is a way to write an embedding for other tools.
type exportFormat struct {
	name, about string
	vectors     bool // one table, which --vectors or --aspect chooses
	links       bool // the training links, --labels and --attributes
	write       func(x *export) (func(io.Writer) error, error)
}

func exportFormats() []exportFormat {
	return []exportFormat{
		{"word2vec", "word2vec text, one table", true, false, (*export).word2vec},
		{"npz", "all tables for NumPy: names, final, center, aspects, shares; can be read back if called .npz", false, false,
			func(x *export) (func(io.Writer) error, error) {
				return func(w io.Writer) error { return vectors.WriteNPZ(w, x.e.Embedding) }, nil
			}},
		{"graphml", "the network for Gephi, Cytoscape or networkx, with positions or vectors as attributes", true, true, (*export).graphml},
	}
}

// What --attributes gives the vertices of GraphML.
const (
	attributesPositions = "positions"
	attributesVectors   = "vectors"
)

func (p *program) exportCommand() *cli.Command {
	var names, about []string
	for _, f := range exportFormats() {
		names = append(names, f.name)
		about = append(about, fmt.Sprintf("   %-16s %s", f.name, f.about))
	}
	return &cli.Command{
		ArgsUsage: modelArgument,
		Description: "Formats:\n" + strings.Join(about, "\n") + "\n\n" +
			example("asp2vec export links.asp2vec --format npz --out mine.npz",
				"asp2vec export links.asp2vec --format graphml --network links.tsv --out mine.graphml"),
		Flags: append(slices.Concat(embeddingFlags(), sourceFlags(), mapFlags(mapPCA)), vectorsFlag(""),
			newFlag("format", "", "`NAME` is "+strings.Join(names, ", ")),
			newFlag("aspect", 0, "export the `K`th learned aspect of each vertex, from 1", "", "none"),
			labelsFlag(", for graphml"), labelsFromFlag(),
			oneOf(cli.StringFlag{Name: "attributes", Value: attributesPositions, Usage: "for graphml: positions (x and y of the map that plot draws) or vectors"},
				attributesPositions, attributesVectors),
			namesFlag(),
			newFlag("out", "", "`PATH` of the file"),
			newFlag("force", false, "replace --out"),
		),
		Action: p.export,
	}
}

// export is an embedding on its way out.
type export struct {
	p      *program
	c      *cli.Context
	e      *embedding
	table  *vectors.Vectors // the one that was chosen
	rows   []int32          // of the embedding, of each of its vectors
	links  *linked          // nil where not known
	labels [][]int32        // of the embedding's vertices; nil without --labels
	names  []string         // of labels
}

func (p *program) export(c *cli.Context) error {
	format, err := exportFormatOf(c)
	if err != nil {
		return err
	}
	out := c.String("out")
	if out == "" {
		return badf("no file to write to: expected --out FILE")
	}
	if err := checkFile(out, c.Bool("force")); err != nil {
		return err
	}
	x := &export{p: p, c: c}
	if x.e, err = p.embedding(c); err != nil {
		return err
	}
	if err := x.choose(format); err != nil {
		return err
	}
	write, err := format.write(x)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(out, write); err != nil {
		return bad(fmt.Errorf("--out: %w", err))
	}
	d := p.answer()
	d.facts("model", x.e.path, "format", format.name, "vertices", len(x.e.Names), "out", out)
	return p.show(d)
}

// exportFormatOf returns the format that is asked for, or an error if flags are not for it.
func exportFormatOf(c *cli.Context) (exportFormat, error) {
	var names []string
	asked := c.String("format")
	for _, f := range exportFormats() {
		names = append(names, f.name)
		if f.name != asked {
			continue
		}
		for name, fits := range map[string]bool{
			"vectors": f.vectors, "aspect": f.vectors, "labels": f.links, "labels-from": f.links, "network": f.links, "dataset": f.links, "split": f.links,
			"attributes": f.links, "map": f.links, "perplexity": f.links, "seed": f.links,
		} {
			if c.IsSet(name) && !fits {
				return f, badf("--%s with --format %s: that format has no such flag", name, f.name)
			}
		}
		if c.IsSet("aspect") && c.IsSet("vectors") {
			return f, badf("--aspect with --vectors: expected one of them")
		}
		return f, nil
	}
	if asked == "" {
		return exportFormat{}, badf("no format given: expected --format with one of %s", strings.Join(names, ", "))
	}
	return exportFormat{}, badf("--format %q: expected one of %s", asked, strings.Join(names, ", "))
}

// choose reads what the format takes beside the embedding.
func (x *export) choose(f exportFormat) (err error) {
	if f.vectors {
		if err := x.chooseTable(); err != nil {
			return err
		}
	}
	if f.links {
		if x.links, err = x.p.links(x.c, x.e); err != nil {
			return err
		}
	}
	if wantsLabels(x.c) {
		x.labels, x.names, _, err = x.p.labelsOf(x.c, x.e)
	}
	return err
}

func (x *export) chooseTable() error {
	if !x.c.IsSet("aspect") {
		t, err := x.e.table(x.c.String("vectors"))
		if err != nil {
			return err
		}
		x.table = &vectors.Vectors{Names: x.e.Names, N: t.N, D: t.D, Data: t.Data}
	} else {
		if _, err := x.e.multiEmbedding(); err != nil {
			return err
		}
		k := x.c.Int("aspect")
		if k < 1 || k > x.e.Most() {
			return badf("--aspect %d: vertices of %s have up to %s: expected 1 to %d", k, x.e.path, many(x.e.Most(), "aspect"), x.e.Most())
		}
		x.table = x.e.Aspect(k - 1)
		if left := len(x.e.Names) - x.table.N; left > 0 {
			x.p.log.Info("vertices with fewer aspects are left out", "vertices", whole(left))
		}
	}
	x.rows = seq.Map(x.table.Names, func(name string) int32 { return x.e.at[name] })
	return nil
}

// word2vec writes vectors, with their names as --names has them.
func (x *export) word2vec() (func(io.Writer) error, error) {
	names, err := vectors.Spell(x.table.Names, x.c.String("names"))
	if err != nil {
		return nil, err
	}
	return func(w io.Writer) error { return vectors.WriteSpelledVec(w, names, x.table.Data, x.table.D) }, nil
}

// known is what is known of the vertices of the vectors.
func (x *export) known() (all []vectors.Attribute) {
	if x.links != nil {
		all = append(all, vectors.Attribute{Name: "degree", Type: "int", Of: func(i int) string { return strconv.Itoa(x.links.net.Degree(x.rows[i])) }})
	}
	if x.labels != nil {
		all = append(all, vectors.Attribute{Name: "label", Type: "string", Of: func(i int) string { return joined(x.names, x.labels[x.rows[i]]) }})
	}
	return all
}

func (x *export) graphml() (func(io.Writer) error, error) {
	g := vectors.GraphML{Names: x.table.Names, Attributes: x.known()}
	if x.links == nil {
		x.p.log.Warn("links are not known, so the file has none: give --network or --split")
	} else {
		g.Directed = x.links.net.Directed()
		at := seq.Places[int32, int32](x.rows) // aspects that not all vertices have
		for _, l := range x.links.net.List() {
			u, ok := at[l.From]
			v, too := at[l.To]
			if ok && too {
				g.Links = append(g.Links, [2]int32{u, v})
			}
		}
	}
	t := eval.Embedding{N: x.table.N, D: x.table.D, Data: x.table.Data}
	if x.c.String("attributes") == attributesVectors {
		for j := range t.D {
			g.Attributes = append(g.Attributes, vectors.Attribute{Name: fmt.Sprintf("v%d", j+1), Type: "double", Of: func(v int) string {
				return strconv.FormatFloat(float64(t.Row(v)[j]), 'g', -1, 32)
			}})
		}
	} else {
		at, err := x.p.lay(x.c, t, x.c.Float64("perplexity"))
		if err != nil {
			return nil, err
		}
		for j, name := range []string{"x", "y"} {
			g.Attributes = append(g.Attributes, vectors.Attribute{Name: name, Type: "double", Of: func(v int) string {
				return strconv.FormatFloat(at[2*v+j], 'g', 7, 64)
			}})
		}
	}
	return func(w io.Writer) error { return vectors.WriteGraphML(w, g) }, nil
}
