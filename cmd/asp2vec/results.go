package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/experiments/tables"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
)

func (p *program) resultsCommand() *cli.Command {
	return &cli.Command{
		Subcommands: []*cli.Command{
			{
				Name: "show", Usage: "print tables of the paper with measured and published numbers, or the runs themselves", ArgsUsage: "[table1 ...|all|runs|FILE.yaml]",
				Description: "Without a name, lists the tables and how many runs each has.\n\n" + example(
					"asp2vec results show table3 --datasets filmtrust,cora --protocol paper",
					"asp2vec results show table1 --dims 100,200 --format latex",
					"asp2vec results show runs --store results/measured",
					"asp2vec results show runs --where dataset=cora,aspects=5 --sort validation --last 10",
					"asp2vec results show my-table.yaml # a table of your own: docs/reproducing.md"),
				Flags: append(tableFlags(), tableBibliographyFlag(""), formatFlag("`FORMAT` is "),
					atLeast(0, newFlag("last", 0, "for runs: show the last `N`, or with --sort the first; 0 for all", "", fmt.Sprintf("%d on a terminal, otherwise all", lastRuns))),
					newFlag("sort", "", "for runs: sort by `KEY`, one of "+strings.Join(store.SortKeys, ", ")+"; - before it reverses the order", "", "as in the store"),
					newFlag("where", []string(nil), "for runs: show those with `KEY=VALUE`; keys are options, method, protocol, dataset, seed, commit, definition; separate several by commas, or repeat the flag")),
				Action: p.resultsShow,
			},
			{
				Name: "export", Usage: "write every table in every format to a folder",
				Description: example("asp2vec results export --out tables", "asp2vec results export --out tables --force --store results/measured"),
				Flags: append(tableFlags(), tableBibliographyFlag(""),
					newFlag("out", "", "`DIR` for the files"),
					newFlag("force", false, "replace the tables in --out")),
				Action: p.resultsExport,
			},
			p.cleanCommand(),
			p.packCommand(),
			p.bestCommand(),
			p.compareCommand(),
		},
	}
}

// What there is beside the paper's tables: all of those, and every run.
const allTables, allRuns = "all", "runs"

// tablesOf returns what a name stands for. Of a table of the data themselves, it reads them.
func (p *program) tablesOf(name string, there *store.Store, runs *store.Runs, s sweep.Scope) (all []render.Table, err error) {
	var known []string
	if sweep.IsFile(name) {
		spec, err := tables.Read(name, sweep.ToShow)
		if err != nil {
			return nil, withNearest(err)
		}
		if len(spec.Protocols) == 0 {
			s = withProtocols(s, there.Entries)
		}
		return spec.Table(runs, s), nil
	}
	s = withProtocols(s, there.Entries)
	for _, spec := range tables.Specs() {
		known = append(known, spec.Name)
		switch {
		case name != allTables && name != spec.Name:
		case spec.Data != nil:
			t, err := spec.Data(p.data, s)
			if err != nil {
				return nil, bad(err)
			}
			all = append(all, t)
		default:
			all = append(all, spec.Table(runs, s)...)
		}
	}
	if name != allTables && !slices.Contains(known, name) {
		return nil, badf("no table %q: %s", name, nearest(name, append(known, allTables, allRuns)))
	}
	return all, nil
}

// lastRuns is how many runs are listed on a terminal where nothing is said.
const lastRuns = 1000

// shown reads the store, and returns it with what the flags select of tables.
func (p *program) shown(c *cli.Context) (s *store.Store, runs *store.Runs, selection sweep.Scope, err error) {
	if selection, err = p.tableSelection(c); err == nil {
		s, runs, err = p.readStore(c)
	}
	return s, runs, selection, err
}

func (p *program) resultsShow(c *cli.Context) error {
	store, runs, given, err := p.shown(c)
	if err != nil {
		return err
	}
	s := withProtocols(given, store.Entries)
	names := c.Args().Slice()
	var tables []render.Table
	for _, name := range names {
		var each []render.Table
		if name == allRuns {
			each, err = p.runsTable(c, store, s)
		} else {
			each, err = p.tablesOf(name, store, runs, given)
		}
		if err != nil {
			return err
		}
		tables = append(tables, each...)
	}
	if (c.IsSet("sort") || c.IsSet("where")) && !slices.Contains(names, allRuns) {
		return badf("--sort and --where apply to runs: expected asp2vec results show runs")
	}
	if len(names) == 0 {
		tables = []render.Table{overview(runs, s)}
	}
	if len(tables) == 0 {
		return badf("no row of %s is left: expected other --methods", strings.Join(names, ", "))
	}
	if p.json {
		return p.printTables("json", tables...)
	}
	return p.printTables(c.String("format"), tables...)
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
		counts := []string{count(there), count(len(jobs))}
		if len(jobs) == 0 {
			counts = []string{"", ""} // needs none
		}
		t.Rows = append(t.Rows, render.Row{Label: spec.Name, Values: render.Texts(append([]string{spec.Title}, counts...)...)})
	}
	return t
}

func (p *program) resultsExport(c *cli.Context) error {
	endings := seq.Map(render.Formats(), render.Ending)
	err := checkFolder(c, "the tables", func(name string) bool {
		return strings.HasPrefix(name, "table") && slices.Contains(endings, filepath.Ext(name))
	})
	if err != nil {
		return err
	}
	out := c.String("out")
	store, runs, s, err := p.shown(c)
	if err != nil {
		return err
	}
	tables, err := p.tablesOf(allTables, store, runs, s)
	if err != nil {
		return err
	}
	var names []string
	err = atomicfile.Dir(out, c.Bool("force"), func(tmp string) error {
		for _, t := range tables {
			for _, format := range render.Formats() {
				var b bytes.Buffer
				if err := render.Write(&b, t, format); err != nil {
					return err
				}
				name := t.Name + render.Ending(format)
				if err := os.WriteFile(filepath.Join(tmp, name), b.Bytes(), 0o666); err != nil {
					return err
				}
				names = append(names, name)
			}
		}
		return nil
	})
	if err != nil {
		return badf("--out: %w", err)
	}
	d := p.answer()
	d.data("out", out, "files", names)
	d.say("%d tables in %d formats are in %s", len(tables), len(render.Formats()), out)
	return p.show(d)
}
