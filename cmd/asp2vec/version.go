package main

import (
	"cmp"
	"strings"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/results"
	"github.com/urfave/cli/v2"
)

func versionCommand(p *shell.Program) *cli.Command {
	return &cli.Command{
		Description: shell.Example("asp2vec version --json"),
		Action: func(*cli.Context) error {
			code, host := results.Environment()
			return p.ShowFacts("version", code.Version, "commit", cmp.Or(code.Commit, "unknown"), "dirty", code.Dirty, "go", code.Go, "gorgonia", code.Gorgonia, "tensor", code.Tensor,
				"os", host.OS, "arch", host.Arch, "goamd64", code.Level, "kernel", kernel.Variant(), "build", cmp.Or(strings.Join(run.NotPlain(), "; "), "plain"))
		},
	}
}
