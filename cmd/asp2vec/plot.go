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

// plot draws the model or the network that its one argument is; without one, the network that flags name, or else the model.
func (p *program) plot(c *cli.Context) error {
	path, flag := c.Args().First(), "model"
	if path != "" && !isModel(path) {
		flag = "network"
	}
	switch {
	case c.NArg() > 1 || path != "" && c.IsSet(flag):
		return badf("several things to draw: expected one MODEL or FILE")
	case path != "":
		if err := c.Set(flag, path); err != nil {
			return bad(err)
		}
	}
	if flag == "model" && (path != "" || !c.IsSet("network") && !c.IsSet("dataset") && !c.IsSet("split")) {
		return p.plotEmbedding(c)
	}
	if err := refuseFlags(c, "a network", "vertex", "top", "vectors", "map", "perplexity"); err != nil {
		return err
	}
	return p.plotNetwork(c)
}

// modelEndings are those of files of vectors.
var modelEndings = []string{".vec", ".npy", ".npz"}

// isModel says whether a path is rather that of a model than of a network.
func isModel(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.IsDir() || slices.Contains(modelEndings, filepath.Ext(strings.TrimSuffix(path, ".gz")))
}
