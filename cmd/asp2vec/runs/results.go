package runs

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/experiments/tables"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
)

// Results is the command results: its subcommands show, compare, export and tidy the records of runs.
func Results(p *shell.Program) *cli.Command {
	return &cli.Command{
		Subcommands: []*cli.Command{
			{
				Name: "show", Usage: "print tables of the paper with measured and published numbers, or the runs themselves", ArgsUsage: "[table1 ...|all|runs|FILE.yaml]",
				Description: "Without a name, lists the tables and how many runs each has.\n\n" + shell.Example(
					"asp2vec results show table3 --datasets filmtrust,cora --protocol paper",
					"asp2vec results show table1 --dims 100,200 --format latex",
					"asp2vec results show runs --store results/measured",
					"asp2vec results show runs --where dataset=cora,aspects=5 --sort validation --last 10",
					"asp2vec results show my-table.yaml # a table of your own: docs/reproducing.md"),
				Flags: append(tableFlags(run.DefaultProtocol+"; all for runs"), tableBibliographyFlag(""), shell.FormatFlag("`FORMAT` is "),
					shell.Between(shell.NewFlag("last", 0, "for runs: show the last `N`, or with --sort the first; 0 for all", "", fmt.Sprintf("%d on a terminal, otherwise all", lastRuns)), 0, math.Inf(1)),
					shell.NewFlag("sort", "", "for runs: sort by `KEY`, one of "+strings.Join(store.SortKeys, ", ")+"; - before it reverses the order", "", "as in the store"),
					shell.NewFlag("where", []string(nil), "for runs: show those with `KEY=VALUE`; keys are options, method, protocol, dataset, seed, commit, definition; separate several by commas, or repeat the flag")),
				Action: program{p}.resultsShow,
			},
			{
				Name: "export", Usage: "write every table in every format to a folder",
				Description: shell.Example("asp2vec results export --out tables", "asp2vec results export --out tables --force --store results/measured"),
				Flags: append(tableFlags(run.DefaultProtocol), tableBibliographyFlag(""),
					shell.NewFlag("out", "", "`DIR` for the files"),
					shell.NewFlag("force", false, "replace the tables in --out")),
				Action: program{p}.resultsExport,
			},
			program{p}.cleanCommand(),
			program{p}.packCommand(),
			program{p}.bestCommand(),
			program{p}.compareCommand(),
		},
	}
}

// What there is beside the paper's tables: all of those, and every run.
const allTables, AllRuns = "all", "runs"

// tablesOf returns what a name stands for. Of a table of the data themselves, it reads them.
func (p program) tablesOf(name string, runs *store.Runs, s sweep.Scope) (all []render.Table, err error) {
	var known []string
	if sweep.IsFile(name) {
		spec, err := tables.Read(name, sweep.ToShow)
		if err != nil {
			return nil, shell.WithNearest(err)
		}
		if len(spec.Protocols) == 0 {
			s = withProtocol(s)
		}
		return spec.Table(runs, s), nil
	}
	s = withProtocol(s)
	for _, spec := range tables.Specs() {
		known = append(known, spec.Name)
		switch {
		case name != allTables && name != spec.Name:
		case spec.Data != nil:
			t, err := spec.Data(p.Data, s)
			if err != nil {
				return nil, shell.Bad(err)
			}
			all = append(all, t)
		default:
			all = append(all, spec.Table(runs, s)...)
		}
	}
	if name != allTables && !slices.Contains(known, name) {
		return nil, shell.Badf("no table %q: %s", name, shell.DidYouMean(name, append(known, allTables, AllRuns)))
	}
	return all, nil
}

// lastRuns is how many runs are listed on a terminal where nothing is said.
const lastRuns = 1000

// shown reads the store, and returns it with what the flags select of tables.
func (p program) shown(c *cli.Context) (s *store.Store, runs *store.Runs, selection sweep.Scope, err error) {
	if selection, err = p.tableSelection(c); err == nil {
		s, runs, err = p.readStore(c)
	}
	return s, runs, selection, err
}

func (p program) resultsShow(c *cli.Context) error {
	store, runs, s, err := p.shown(c)
	if err != nil {
		return err
	}
	names := c.Args().Slice()
	var tables []render.Table
	for _, name := range names {
		var each []render.Table
		if name == AllRuns {
			each, err = p.runsTable(c, store, s)
		} else {
			each, err = p.tablesOf(name, runs, s)
		}
		if err != nil {
			return err
		}
		tables = append(tables, each...)
	}
	if (c.IsSet("sort") || c.IsSet("where")) && !slices.Contains(names, AllRuns) {
		return shell.Badf("--sort and --where apply to runs: expected asp2vec results show runs")
	}
	if len(names) == 0 {
		tables = []render.Table{overview(runs, withProtocol(s))}
	}
	if len(tables) == 0 {
		return shell.Badf("no row of %s is left: expected other --methods", strings.Join(names, ", "))
	}
	if p.JSON {
		return p.PrintTables("json", tables...)
	}
	return p.PrintTables(c.String("format"), tables...)
}

// overview says which tables there are, and how many of their runs.
func overview(runs *store.Runs, s sweep.Scope) render.Table {
	t := render.Table{Name: "tables", Title: "asp2vec results show NAME", Corner: "name", Columns: []string{"what", "runs", "of"}}
	for _, spec := range tables.Specs() {
		jobs, there := spec.Jobs(s), 0
		for _, j := range jobs {
			if runs.NeedsNoRun(j) {
				there++
			}
		}
		counts := []string{shell.Count(there), shell.Count(len(jobs))}
		if len(jobs) == 0 {
			counts = []string{"", ""} // needs none
		}
		t.Rows = append(t.Rows, render.Row{Label: spec.Name, Values: render.Texts(append([]string{spec.Title}, counts...)...)})
	}
	return t
}

func (p program) resultsExport(c *cli.Context) error {
	endings := seq.Map(render.Formats(), render.Ending)
	err := shell.CheckFolder(c, "the tables", func(name string) bool {
		return strings.HasPrefix(name, "table") && slices.Contains(endings, filepath.Ext(name))
	})
	if err != nil {
		return err
	}
	out := c.String("out")
	_, runs, s, err := p.shown(c)
	if err != nil {
		return err
	}
	tables, err := p.tablesOf(allTables, runs, s)
	if err != nil {
		return err
	}
	var names []string
	err = atomicfile.Dir(out, c.Bool("force"), func(tmp string) error {
		for _, t := range tables {
			for _, format := range render.Formats() {
				name := t.Name + render.Ending(format)
				if err := atomicfile.Write(filepath.Join(tmp, name), func(w io.Writer) error { return render.Write(w, t, format) }); err != nil {
					return err
				}
				names = append(names, name)
			}
		}
		return nil
	})
	if err != nil {
		return shell.OutError(err)
	}
	d := p.Answer()
	d.Data("out", out, "files", names)
	d.Say("%d tables in %d formats are in %s", len(tables), len(render.Formats()), out)
	return p.Show(d)
}
