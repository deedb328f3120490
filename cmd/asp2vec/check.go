package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/seq"
)

func (p *program) checkCommand() *cli.Command {
	return &cli.Command{
		Description: example("asp2vec check", "asp2vec check --selection softmax     # after editing layers or losses"),
		Flags:       optionFlags(),
		Action:      p.check,
	}
}

func (p *program) check(c *cli.Context) error {
	o, _, err := options(c)
	if err != nil {
		return err
	}
	reports, err := run.Check(o)
	if err != nil {
		return bad(err)
	}
	type finding struct {
		Model  string       `json:"model"`
		Check  string       `json:"check"`
		Status guard.Status `json:"status"`
		Detail string       `json:"detail,omitempty"`
	}
	var all []finding
	failed, checks := 0, 0
	for _, r := range reports {
		for _, f := range r.Findings {
			if f.Status == guard.Failed {
				failed++
			}
			checks++
			all = append(all, finding{r.Model, f.Check, f.Status, f.Detail})
		}
	}
	for _, e := range run.Edits() {
		if !run.Passes(o, e.Unit) {
			continue
		}
		all = append(all, finding{o.Method.Name, "edited", guard.Note, e.String()})
	}
	rows := seq.Map(all, func(f finding) []string { return []string{f.Model, f.Check, string(f.Status), f.Detail} })
	err = p.emitTable(all, 4, []string{"model", "check", "", "what was checked"}, rows)
	if err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d checks failed: fix them before training", failed, checks)
	}
	return nil
}
