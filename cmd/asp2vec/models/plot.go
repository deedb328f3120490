package models

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/data"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
)

func Plot(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage: shell.ModelArgument,
		Description: "The map has a point for each vertex; vertices with a high cosine are near each other. With --vertex it shows the aspects of\n" +
			"one vertex and who is near in each.\n" +
			"Links, for communities and aspects, are those named in the run's record, or by --network or --split.\n\n" +
			shell.Example("asp2vec plot links.asp2vec --labels labels.tsv --out map.pdf", "asp2vec plot links.asp2vec --vertex 17 --out aspects-of-17.svg"),
		Flags: slices.Concat(pictureFlags(), colorFlags(), []cli.Flag{
			shell.NewFlag("vertex", "", "show the aspects of the vertex `ID`"),
			shell.Between(shell.NewFlag("top", 8, "with --vertex, show `N` vertices per aspect"), 1, 100),
			vectorsFlag(""),
		}, mapFlags(mapTSNE), embeddingFlags(), data.Flags()),
		Action: program{p}.plotEmbedding,
	}
}
