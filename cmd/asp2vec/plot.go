package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

func (p *program) plotCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage: "[MODEL|FILE]",
		Description: "Of a model, the map has a point for each vertex; vertices with a high cosine are near each other. With --vertex it shows the aspects of\n" +
			"one vertex and who is near in each. A network of up to 5,000 vertices is drawn with its links.\n" +
			"Links, for communities and aspects, are those named in the run's record, or by --network or --split.\n\n" +
			example("asp2vec plot links.asp2vec --labels labels.tsv --out map.pdf", "asp2vec plot links.asp2vec --vertex 17 --out aspects-of-17.svg",
				"asp2vec plot links.tsv --out network.svg", "asp2vec plot --network links.tsv --model links.asp2vec --color aspect --out network.png"),
		Flags: slices.Concat(pictureFlags(), colorFlags(), []cli.Flag{
			&cli.StringFlag{Name: "vertex", Usage: "show the aspects of the vertex `ID`"},
			between(cli.IntFlag{Name: "top", Value: 8, Usage: "with --vertex, show `N` vertices per aspect"}, 1, 100),
			vectorsFlag(""),
		}, mapFlags(mapTSNE), embeddingFlags(), sourceFlags()),
		Action: p.plot,
	}
}

// plot draws the model or the network that its one argument is; without one, what the flags name.
func (p *program) plot(c *cli.Context) error {
	path := c.Args().First()
	if network := path != "" && !isModel(path) || path == "" && !c.IsSet("model"); network {
		if err := refuseFlags(c, "a network", "vertex", "top", "vectors", "map", "perplexity"); err != nil {
			return err
		}
	}
	if path == "" && (c.IsSet("network") || c.IsSet("dataset") || c.IsSet("split")) {
		return p.plotNetwork(c)
	}
	switch model := isModel(path); {
	case path == "":
	case c.NArg() > 1 || model && c.IsSet("model") || !model && c.IsSet("network"):
		return badf("several things to draw: expected one MODEL or FILE")
	case model:
		if err := c.Set("model", path); err != nil {
			return bad(err)
		}
	default:
		if err := c.Set("network", path); err != nil {
			return bad(err)
		}
		return p.plotNetwork(c)
	}
	return p.plotEmbedding(c)
}

// modelEndings are those of files of vectors.
var modelEndings = []string{".vec", ".bin", ".npy", ".npz"}

// isModel says whether a path is rather that of a model than of a network.
func isModel(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.IsDir() || slices.Contains(modelEndings, filepath.Ext(strings.TrimSuffix(path, ".gz")))
}
