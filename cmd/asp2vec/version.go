package main

import (
	"cmp"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/results"
	"github.com/urfave/cli/v2"
)

func (p *program) versionCommand() *cli.Command {
	return &cli.Command{
		Description: example("asp2vec version --json"),
		Action: func(*cli.Context) error {
			code, host := results.Environment()
			doc := struct {
				results.Code
				OS     string `json:"os"`
				Arch   string `json:"arch"`
				Kernel string `json:"kernel"`
			}{code, host.OS, host.Arch, kernel.Variant()}
			commit := cmp.Or(code.Commit, "unknown: built without a repository")
			if code.Commit != "" && code.Dirty {
				commit += " and changes"
			}
			return p.emitTable(doc, 2, []string{"asp2vec", code.Version}, [][]string{
				{"commit", commit}, {"Go", code.Go}, {"Gorgonia", code.Gorgonia}, {"tensor", code.Tensor},
				{"system", host.OS + "/" + host.Arch}, {"kernels", kernel.Variant()},
			})
		},
	}
}
