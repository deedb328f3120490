package runs

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
)

func (p program) bestCommand() *cli.Command {
	return &cli.Command{
		Name: "best", Usage: "list the settings with the best validation scores, in a store or a sweep", ArgsUsage: "[FILE.yaml]",
		Description: "For each data set: the mean score on validation or held-out links or papers, for settings with as many seeds as the setting with the\n" +
			"most seeds. The test score is shown but plays no part. Runs whose epoch was chosen on test links are left out.\n\n" +
			shell.Example("asp2vec results best", "asp2vec results best epsilon.yaml --top 3", "asp2vec results best --datasets cora --methods asp2vec --json"),
		Flags: append(tableFlags("all"),
			shell.CountFlag("top", 1, "show the best `N` of each data set"), shell.FormatFlag("`FORMAT` is ")),
		Action: p.resultsBest,
	}
}

func (p program) resultsBest(c *cli.Context) error {
	if c.NArg() > 1 {
		return shell.Badf("%d files: expected one sweep file, or none for all runs", c.NArg())
	}
	_, runs, err := p.readStore(c)
	if err != nil {
		return err
	}
	var data []string // of the user's own too
	for _, r := range runs.All() {
		data = append(data, r.Dataset.Name)
	}
	s, err := p.tableSelection(c, data...)
	if err != nil {
		return err
	}
	var asked map[store.ID]bool // groups of a sweep; nil for all
	if c.NArg() == 1 {
		jobs, err := jobsOf(c.Args().First(), sweep.ToShow)
		if err != nil {
			return err
		}
		asked = seq.Set(jobs, runs.Group)
	}
	best := runs.Best(c.Int("top"), func(j store.Job) bool {
		return s.Has(j.Dataset, j.Options.Method.Name, j.Protocol) && (asked == nil || asked[runs.Group(j)])
	})
	if len(best) == 0 {
		return shell.Badf("no runs to choose from by validation: expected runs with --protocol validated, or with --hold-out 0.1 under standard")
	}
	if p.JSON {
		return p.Emit(shell.Fields{"best", best})
	}
	return p.PrintTables(c.String("format"), bestTable(best))
}

// jobsOf returns the runs of a sweep's or a table's file.
func jobsOf(path string, use sweep.Use) ([]store.Job, error) {
	s, err := sweep.Read(path, use)
	if err != nil {
		return nil, shell.WithNearest(err)
	}
	jobs, err := s.Jobs(sweep.MaxRuns)
	return jobs, shell.Bad(err)
}

func bestTable(best []store.BestSetting) render.Table {
	t := render.Table{Name: "best", Title: "the best settings by validation", Corner: "data set", Columns: []string{"rank", "of", "chosen on", "score", "seeds", "test AUC", "options of train"}}
	fewer := 0
	for _, x := range best {
		t.Rows = append(t.Rows, render.Row{Label: x.Dataset, Values: render.Texts(fmt.Sprint(x.Rank), fmt.Sprint(x.Compared), x.ChosenOn, render.Spread(x.Choice), fmt.Sprint(x.Choice.N), render.Spread(x.Test), x.Flags)})
		if x.Rank == 1 {
			fewer += x.Fewer
		}
	}
	t.Notes = []string{"Test links played no part in the ranking. Scores: mean ± standard deviation over seeds."}
	if fewer > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d settings have fewer seeds and are not compared.", fewer))
	}
	return t
}
