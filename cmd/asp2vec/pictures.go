package main

import (
	"path/filepath"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/plot"
	"github.com/urfave/cli/v2"
)

// sizeFlags say how large a picture is.
func sizeFlags() []cli.Flag {
	return []cli.Flag{
		between(newFlag("width", 0., "width of the picture in `CM`", "", "as the drawing needs"), 2, 200),
		between(newFlag("height", 0., "height of the picture in `CM`", "", "in proportion"), 2, 200),
		between(newFlag("font-size", 10.5, "size of text in `POINTS`; lines and marks scale with it"), 3, 40),
	}
}

// sized returns a picture as large as the flags of sizeFlags say.
func sized(c *cli.Context, picture *plot.Picture) (*plot.Picture, error) {
	picture, err := picture.Sized(c.Float64("width"), c.Float64("height"), c.Float64("font-size"))
	if err != nil {
		return nil, bad(err)
	}
	return picture, nil
}

// pictureFile is where a picture is written, and how.
type pictureFile struct{ path, format string }

// inFolder returns the files of a picture in a folder.
func inFolder(dir, name string, formats []string) (files []pictureFile) {
	return seq.Map(formats, func(format string) pictureFile { return pictureFile{filepath.Join(dir, name+"."+format), format} })
}

// writePicture writes a picture to files, and returns their paths.
func writePicture(picture *plot.Picture, files []pictureFile) (paths []string, err error) {
	for _, f := range files {
		if err = picture.Write(f.path, f.format); err != nil {
			return paths, badf("--out: %w", err)
		}
		paths = append(paths, f.path)
	}
	return paths, nil
}

// pictureFormats returns the formats that --format names, usual without it.
func pictureFormats(c *cli.Context, usual []string) []string {
	if !c.IsSet("format") {
		return usual
	}
	return list(c, "format")
}
