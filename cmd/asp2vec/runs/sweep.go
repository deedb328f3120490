package runs

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/experiments/tables"
)

// Sweep is the command sweep, which does the runs of a file.
func Sweep(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage: "FILE",
		Description: "FILE is YAML or JSON:\n" +
			"   datasets: [filmtrust, links.tsv]   # names of data sets, network files, folders of splits\n" +
			"   protocol: standard             # the default; or validated, paper, or a list\n" +
			"   method: asp2vec                # or a list\n" +
			"   seeds: 3                       # seeds 1 to 3, or a list of seeds\n" +
			"   options:                       # named like the flags of train: a value, a list or a range\n" +
			"     epsilon: [0.1, 0.5, 0.9]\n" +
			"     lambda: {from: 0.001, to: 0.1, steps: 3, scale: log}   # or scale: linear\n" +
			"     warm-up: false\n" +
			"   search: grid                   # or {random: 20, seed: 1}: 20 combinations, each on every data set and seed\n" +
			"docs/sweeps.md has more. Each run is stored (--results) when it finishes and is not repeated. The best combination is chosen by\n" +
			"the validation set or, only under the protocol paper, by the test links. With --json each event is a line.\n\n" +
			shell.Example("asp2vec sweep epsilon.yaml --dry-run # the runs, and which of them exist", "asp2vec sweep epsilon.yaml --jobs 2"),
		Flags: append([]cli.Flag{
			shell.CountFlag("limit", sweep.MaxRuns, "refuse a sweep of more than `N` runs"),
			shell.FormatFlag("`FORMAT` of the table: "),
		}, runFlags("")...),
		Action: program{p}.sweep,
	}
}

func (p program) sweep(c *cli.Context) error {
	if c.NArg() != 1 {
		return shell.Badf("%d files: expected one sweep file", c.NArg())
	}
	s, err := sweep.Read(c.Args().First(), sweep.ToRun)
	if err != nil {
		return shell.WithNearest(err)
	}
	jobs, err := s.Jobs(c.Int("limit"))
	if err != nil {
		if s.Count() > float64(c.Int("limit")) {
			err = fmt.Errorf("%w, or a higher --limit", err)
		}
		return shell.Bad(err)
	}
	runner, err := p.runner(c)
	if err != nil {
		return err
	}
	return p.doRuns(c, runner, []section{{s.Title(), jobs}}, func(runs *store.Runs, jobs []store.Job) error {
		return p.showSweep(s, tables.Rows(s, jobs, runs), tables.Left(s, runs), c.String("format"))
	})
}

func (p program) showSweep(s *sweep.File, rows []tables.Row, left []string, format string) error {
	notes := append(sweepNotes(rows), left...)
	if p.JSON { // a line after those of the runs
		return p.JSONLine(shell.Fields{"event", "sweep", "varied", append([]string{}, s.Varied()...), "rows", rows, "notes", notes})
	}
	return p.PrintTables(format, tables.RowsTable(s, rows, notes))
}

// sweepNotes say how the best rows were found.
func sweepNotes(rows []tables.Row) (notes []string) {
	best := func(on string) bool {
		return slices.ContainsFunc(rows, func(r tables.Row) bool { return r.Best && r.ChosenOn == on })
	}
	if slices.ContainsFunc(rows, func(r tables.Row) bool { return r.Best && store.OnPapers(r.ChosenOn) }) {
		notes = append(notes, "best, if epochs were chosen on papers: the highest mean score on these, among rows with every seed. The papers of the test AUC played no part.")
	}
	if best("validation") {
		notes = append(notes, "best: the highest mean score on the validation links of a data set, among rows with every seed. The test links played no part.")
	}
	if best("test") {
		notes = append(notes, "best, if epochs were chosen on test links: the highest mean AUC on these, as in the paper. This estimate is too high.")
	}
	if slices.ContainsFunc(rows, func(r tables.Row) bool { return r.AsGood }) {
		notes = append(notes, "as good: within one standard error of the best, over its seeds; of one seed there is none.")
	}
	if slices.ContainsFunc(rows, func(r tables.Row) bool { return r.AUC.N == 0 && r.Choice.N > 0 }) {
		notes = append(notes, "Links were held out and scored at the end; the test links were not used.")
	}
	if len(notes) == 0 {
		notes = append(notes, "No row is ranked: that needs every seed of a row, and epochs chosen on validation links, or on test links under the paper's protocol.")
	}
	return notes
}
