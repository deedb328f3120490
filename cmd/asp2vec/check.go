package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/internal/guard"
)

func checkCommand(p *shell.Program) *cli.Command {
	return &cli.Command{
		Description: shell.Example("asp2vec check", "asp2vec check --selection softmax     # after editing layers or losses"),
		Flags:       shell.OptionFlags(),
		Action:      program{p}.check,
	}
}

func (p program) check(c *cli.Context) error {
	o, _, err := shell.Options(c)
	if err != nil {
		return err
	}
	reports, err := run.Check(o)
	if err != nil {
		return shell.Bad(err)
	}
	var rows [][]any
	failed, checks := 0, 0
	for _, r := range reports {
		for _, f := range r.Findings {
			if f.Status == guard.Failed {
				failed++
			}
			checks++
			rows = append(rows, []any{r.Model, f.Check, f.Status, f.Detail})
		}
	}
	for _, why := range run.NotPlain() {
		rows = append(rows, []any{o.Method.Name, "build", guard.Note, why + ": runs are known by the executable"})
	}
	for _, e := range run.Edits() {
		if !run.Passes(o, e.Unit) {
			continue
		}
		rows = append(rows, []any{o.Method.Name, "edited", guard.Note, e.String()})
	}
	d := p.Answer()
	d.Table("checks", rows, "model", "check", "status", "detail")
	if err := p.Show(d); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d checks failed: fix them before training", failed, checks)
	}
	return nil
}
