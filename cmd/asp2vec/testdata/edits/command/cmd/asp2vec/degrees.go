package main

import "github.com/urfave/cli/v2"

func init() {
	more = append(more, command{name: "degrees", usage: "print the mean degree of a network", build: (*program).degreesCommand})
}

func (p *program) degreesCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage: networkArgument, Description: example("asp2vec degrees links.tsv"), Flags: sourceFlags(),
		Action: func(c *cli.Context) error {
			l, err := p.load(c)
			if err != nil {
				return err
			}
			net, err := l.Training()
			if err != nil {
				return bad(err)
			}
			mean := 2 * float64(net.Links()) / float64(net.Vertices())
			return p.showFacts("mean_degree", mean)
		},
	}
}
