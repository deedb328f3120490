package models

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/explore"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/plot"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// Plot is the command plot, which draws a map of an embedding, or the aspects of one vertex.
func Plot(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage: shell.ModelArgument,
		Description: "The map has a point for each vertex; vertices with a high cosine are near each other. With --vertex it shows the aspects of\n" +
			"one vertex and who is near in each.\n" +
			"Links, for communities and aspects, are those named in the run's record, or by --network or --split.\n\n" +
			shell.Example("asp2vec plot links.asp2vec --labels labels.tsv --out map.svg", "asp2vec plot links.asp2vec --vertex 17 --out aspects-of-17.svg"),
		Flags: slices.Concat(pictureFlags(), colorFlags(), []cli.Flag{
			shell.NewFlag("vertex", "", "show the aspects of the vertex `ID`"),
			shell.Between(shell.NewFlag("top", 8, "with --vertex, show `N` vertices per aspect"), 1, 100),
			vectorsFlag(""),
		}, mapFlags(mapTSNE), linkedFlags()),
		Action: program{p}.plotEmbedding,
	}
}

// mostNamed is up to how many vertices a map has the names of all.
const mostNamed = 100

// nameFew has the names of all points drawn if they are few, after those that are named already.
func nameFew(m *plot.Map) {
	if n := len(m.At) / 2; n <= mostNamed {
		for v := range int32(n) {
			m.Named = append(m.Named, v)
		}
	}
}

func (p program) plotEmbedding(c *cli.Context) error {
	files, err := pictureFiles(c, "embedding")
	if err != nil {
		return err
	}
	switch {
	case c.IsSet("top") && !c.IsSet("vertex"):
		return shell.Badf("--top without --vertex: expected the vertex whose aspects are shown")
	case c.IsSet("vertex") && (c.IsSet("color") || wantsLabels(c)):
		return shell.Badf("--vertex with --color or --labels: expected one of them, since colours are those of its aspects")
	case c.IsSet("vertex") && c.IsSet("vectors"):
		return shell.Badf("--vertex with --vectors: expected one of them, since aspects are those of the final vectors")
	}
	e, err := p.withLinks(c)
	if err != nil {
		return err
	}
	if c.IsSet("vertex") {
		return p.plotVertex(c, e, files)
	}
	table, err := e.table(c.String("vectors"))
	if err != nil {
		return err
	}
	g, err := p.colored(c, e)
	if err != nil {
		return err
	}
	at, err := p.lay(c, table, c.Float64("perplexity"))
	if err != nil {
		return err
	}
	m := plot.Map{Title: mapTitle(e), At: at, Name: e.show, Note: mapNote(c, c.String("vectors"))}
	colour(&m, g)
	nameFew(&m)
	return p.writeMap(c, m, g, files, "embedding")
}

// mapNote says how a map was made.
func mapNote(c *cli.Context, table string) string {
	of := table
	if table == vectors.TableCenter {
		of = "centre"
	}
	if c.String("map") == mapPCA {
		return "First two principal components of the " + of + " vectors."
	}
	return fmt.Sprintf("t-SNE of the %s vectors by cosine: neighbours are meaningful, distances between groups are not.", of)
}

// plotVertex draws the aspects of one vertex among the vertices that are near in each.
func (p program) plotVertex(c *cli.Context, e *embedding, files []string) error {
	v, err := e.vertex(c.String("vertex"))
	if err != nil {
		return fmt.Errorf("--vertex: %w", err)
	}
	a, err := p.findAspects(c.Context, e)
	if err != nil {
		return err
	}
	lo, hi := a.Vectors.First[v], a.Vectors.First[v+1]
	if lo == hi {
		return shell.Badf("--vertex: %q has no links, so no aspects, in %s: expected another vertex", e.show(v), e.path)
	}
	const around = 30 // vertices of each aspect that are shown, if they have no colour in the background
	near, err := a.Near(c.Context, lo, hi, max(around, c.Int("top")), p.Threads)
	if err != nil {
		return err
	}
	shown := map[int32]int32{v: 0} // place of each vertex in the picture
	picked := []int32{v}
	for _, of := range near {
		for _, n := range of {
			if _, there := shown[n.Row]; !there {
				shown[n.Row] = int32(len(picked))
				picked = append(picked, n.Row)
			}
		}
	}
	n := len(picked)
	laid := a.Laid(picked, lo, hi)
	at, err := p.lay(c, laid, min(c.Float64("perplexity"), max(float64(n)/8, 4)))
	if err != nil {
		return err
	}
	m := plot.Map{
		Title: fmt.Sprintf("The aspects of %s, and who is near in each: %s", e.show(v), mapTitle(e)), At: at[:2*n],
		Group: make([]int32, n), KeyTitle: "near in", Rest: "further away", Name: func(i int32) string { return e.show(picked[i]) },
		Note: "Lines lead from each aspect, a numbered diamond, to the vertices nearest to it. " + mapNote(c, vectors.TableFinal) + " What vectors say of degrees is left out.",
	}
	for i := range m.Group {
		m.Group[i] = -1
	}
	m.Named = []int32{0}
	highest := make([]float64, n) // of the cosines of a vertex with the aspects; it has the colour of that aspect
	for k := range hi - lo {
		m.Groups = append(m.Groups, fmt.Sprintf("aspect %d, %s", k+1, shell.Many(int(a.Links[lo+k]), "link")))
		i := 2 * (n + int(k))
		mark := plot.MapMark{At: [2]float64{at[i], at[i+1]}, Text: shell.Count(int(k) + 1), Group: k}
		for _, other := range near[k][:min(c.Int("top"), len(near[k]))] {
			i := shown[other.Row]
			if other.Cosine <= 0 {
				break // in a small network the list goes on with vertices that are not near
			}
			mark.To = append(mark.To, i)
			if other.Cosine > highest[i] {
				m.Group[i], highest[i] = k, other.Cosine
			}
		}
		m.Marks = append(m.Marks, mark)
	}
	m.Marks = append(m.Marks, plot.MapMark{At: [2]float64{at[0], at[1]}, Group: -1})
	for nth := range c.Int("top") { // the nearest first, as long as there is room
		for _, k := range m.Marks {
			if nth < len(k.To) {
				m.Named = append(m.Named, k.To[nth])
			}
		}
	}
	return p.writeMap(c, m, &explore.Coloring{Title: "aspects of " + e.show(v), Names: m.Groups, Of: m.Group}, files, "aspects of "+e.show(v))
}

// pictureFlags say where a picture goes.
func pictureFlags() []cli.Flag {
	return append(shell.SizeFlags(), []cli.Flag{
		shell.NewFlag("out", "", "`PATH` of the picture, ending in ."+strings.Join(plot.PictureFormats, ", .")+"; or a folder for all formats"),
		shell.ListFlag(shell.NewFlag("format", strings.Join(plot.PictureFormats, ","), "`FORMATS` of the pictures in a folder", "", strings.Join(plot.PictureFormats, ",")), plot.PictureFormats...),
		shell.NewFlag("force", false, "replace the file"),
	}...)
}

// otherPictures are endings of pictures that nobody means a folder by.
var otherPictures = []string{".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".eps", ".ps", ".html"}

// pictureFiles returns the files that the flags of pictureFlags ask for, of a picture of a name.
func pictureFiles(c *cli.Context, name string) ([]string, error) {
	out := c.String("out")
	if out == "" {
		return nil, shell.Badf("no file given for the picture: expected --out FILE.svg, or --out DIR")
	}
	if ending := strings.ToLower(strings.TrimPrefix(filepath.Ext(out), ".")); slices.Contains(plot.PictureFormats, ending) {
		if c.IsSet("format") {
			return nil, shell.Badf("--format with --out %s: expected the file or a folder", out)
		}
		return []string{out}, shell.CheckFile(out, c.Bool("force"))
	}
	if info, err := os.Stat(out); err == nil && !info.IsDir() || slices.Contains(otherPictures, strings.ToLower(filepath.Ext(out))) {
		return nil, shell.Badf("--out %s: expected a file that ends in .%s, or a folder", out, strings.Join(plot.PictureFormats, ", ."))
	}
	files := shell.InFolder(out, name, shell.List(c, "format"))
	for _, f := range files {
		if err := shell.CheckFile(f, c.Bool("force")); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// groupCount is how many vertices have a colour.
type groupCount struct {
	Name     string `json:"name"`
	Vertices int    `json:"vertices"`
}

// warnOfLetters warns of names that PNG pictures cannot show.
func (p program) warnOfLetters(m plot.Map) {
	texts := append([]string{m.Title}, m.Groups...)
	for _, v := range m.Named {
		texts = append(texts, m.Name(v))
	}
	slices.Sort(texts)
	lacking := slices.DeleteFunc(slices.Compact(texts), func(s string) bool { _, lacks := plot.Lacks(s); return !lacks })
	if len(lacking) > 0 {
		p.Log.Warn("the font of png lacks letters of some names; svg shows them", "names", len(lacking), "such_as", lacking[0])
	}
}

// writeMap writes a picture to files and tells of it.
func (p program) writeMap(c *cli.Context, m plot.Map, g *explore.Coloring, files []string, name string) (err error) {
	if slices.ContainsFunc(files, func(f string) bool { return !strings.EqualFold(filepath.Ext(f), ".svg") }) {
		p.warnOfLetters(m)
	}
	picture, err := shell.Sized(c, plot.DrawMap(m))
	if err != nil {
		return err
	}
	if err := shell.WritePicture(picture, files); err != nil {
		return err
	}
	d := p.Answer()
	d.Facts("picture", name, "vertices", len(m.At)/2, "files", files)
	if g != nil {
		d.Facts("color", g.Title)
		groups := seq.Map(g.Names, func(name string) groupCount { return groupCount{Name: name} })
		for _, i := range g.Of {
			if i >= 0 {
				groups[i].Vertices++
			}
		}
		d.Data("groups", groups)
	}
	return p.Show(d)
}
