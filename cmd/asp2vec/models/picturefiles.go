package models

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/explore"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/plot"
	"github.com/urfave/cli/v2"
)

// pictureFlags say where a picture goes.
func pictureFlags() []cli.Flag {
	return append(shell.SizeFlags(), []cli.Flag{
		shell.NewFlag("out", "", "`PATH` of the picture, ending in ."+strings.Join(plot.PictureFormats, ", .")+"; or a folder for all formats"),
		shell.ListFlag(shell.NewFlag("format", "", "`FORMATS` of the pictures in a folder", "", strings.Join(plot.PictureFormats, ",")), plot.PictureFormats...),
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
	files := shell.InFolder(out, name, shell.PictureFormats(c, plot.PictureFormats))
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

// warnOfLetters warns of names that PNG and PDF pictures cannot show.
func (p program) warnOfLetters(m plot.Map) {
	texts := append([]string{m.Title}, m.Groups...)
	for _, v := range m.Named {
		texts = append(texts, m.Name(v))
	}
	slices.Sort(texts)
	lacking := slices.DeleteFunc(slices.Compact(texts), func(s string) bool { _, lacks := plot.Lacks(s); return !lacks })
	if len(lacking) > 0 {
		p.Log.Warn("the font of png and pdf lacks letters of some names; svg shows them", "names", len(lacking), "such_as", lacking[0])
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
