package shell

import (
	"path/filepath"
	"strings"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/plot"
	"github.com/urfave/cli/v2"
)

// SizeFlags say how large a picture is.
func SizeFlags() []cli.Flag {
	return []cli.Flag{
		Between(NewFlag("width", 0., "width of the picture in `CM`", "", "as the drawing needs"), 2, 200),
		Between(NewFlag("height", 0., "height of the picture in `CM`", "", "in proportion"), 2, 200),
		Between(NewFlag("font-size", 10.5, "size of text in `POINTS`; lines and marks scale with it"), 3, 40),
	}
}

// Sized returns a picture as large as the flags of SizeFlags say.
func Sized(c *cli.Context, picture *plot.Picture) (*plot.Picture, error) {
	picture, err := picture.Sized(c.Float64("width"), c.Float64("height"), c.Float64("font-size"))
	return picture, Bad(err)
}

// InFolder returns the paths of a picture in a folder, one for each format.
func InFolder(dir, name string, formats []string) []string {
	return seq.Map(formats, func(format string) string { return filepath.Join(dir, name+"."+format) })
}

// WritePicture writes a picture to files, in the formats that their endings say.
func WritePicture(picture *plot.Picture, files []string) error {
	for _, path := range files {
		if err := picture.Write(path, strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))); err != nil {
			return OutError(err)
		}
	}
	return nil
}
