package main

import (
	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/data"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
)

func init() {
	more = append(more, shell.Command{Name: "degrees", Usage: "print the mean degree of a network", Build: degreesCommand})
}

func degreesCommand(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage: shell.NetworkArgument, Description: shell.Example("asp2vec degrees links.tsv"), Flags: data.Flags(),
		Action: func(c *cli.Context) error {
			l, err := data.Load(p, c)
			if err != nil {
				return err
			}
			net, err := l.Training()
			if err != nil {
				return shell.Bad(err)
			}
			mean := 2 * float64(net.Links()) / float64(net.Vertices())
			return p.ShowFacts("mean_degree", mean)
		},
	}
}
