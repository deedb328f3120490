package runs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/figures"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/experiments/tables"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/fetch"
	"github.com/asp2vec/asp2vec/results/render"
)

// product is a table or a figure that reproduce makes of records.
type product struct {
	name string
	jobs func(sweep.Scope) []store.Job
	// model says that it shows models, of which a record has nothing: their runs leave more than that.
	model bool
	// show returns what is printed; a figure is drawn by it, and these are its numbers.
	show func(*store.Runs, sweep.Scope) ([]render.Table, error)
	// ownData and ownProtocol say that it names data sets and protocols of its own: those it is of unless others are asked for.
	ownData, ownProtocol bool
}

// part returns what a selection asks of the product.
func (x product) part(c *cli.Context, sel sweep.Scope) sweep.Scope {
	if x.ownData && !c.IsSet("datasets") {
		sel.Datasets = nil
	}
	if x.ownProtocol && !c.IsSet("protocol") {
		sel.Protocols = nil
	}
	return sel
}

// products returns them in the paper's order: the tables, then the figures.
func (p program) products() (all []product) {
	for _, s := range tables.Specs() {
		all = append(all, p.tableProduct(s))
	}
	return append(all, p.figureProducts()...)
}

// tableProduct is a table.
func (p program) tableProduct(s tables.Spec) product {
	return product{name: s.Name, jobs: s.Jobs, show: func(runs *store.Runs, sel sweep.Scope) ([]render.Table, error) {
		if s.Data == nil {
			return s.Table(runs, sel), nil
		}
		t, err := s.Data(p.Data, sel)
		return []render.Table{t}, err
	}}
}

// ownTable is a table of the user's, from a file.
func (p program) ownTable(path string) (product, error) {
	s, err := tables.Read(path, sweep.ToRun)
	if err != nil {
		return product{}, shell.Bad(err)
	}
	x := p.tableProduct(s)
	x.ownData, x.ownProtocol = s.OwnDatasets, len(s.Protocols) > 0
	return x, nil
}

// Reproduce is the command reproduce, which makes tables and figures of the paper, after the runs that they lack.
func Reproduce(p *shell.Program) *cli.Command {
	const part = "Selection"
	return &cli.Command{
		ArgsUsage: strings.Join(ProductNames(), "|") + "|FILE.yaml",
		Description: "Each run is stored (--results) when it finishes and is not repeated: you can stop the command, start it again, or start two.\n" +
			"With --json each event is one line, and the last line contains the tables: {\"event\":\"tables\",\"tables\":[...]}.\n" +
			shardHelp + "\n" + shell.Example(
			"asp2vec reproduce table3 --datasets filmtrust,cora --seeds 2 --dry-run # show the runs, and how long they take",
			"asp2vec reproduce table3 --datasets filmtrust,cora --seeds 2",
			"asp2vec reproduce table5 --bibliography TapEM/data # your own papers and authors",
			"asp2vec reproduce my-table.yaml # a table of your own: docs/reproducing.md"),
		Flags: append([]cli.Flag{
			shell.ListFlag(shell.NewFlag("datasets", "", "`NAMES` of data sets, separated by commas", part, "those of the paper in the data folder")),
			tableBibliographyFlag(part),
			shell.ListFlag(shell.NewFlag("methods", "", "`NAMES` of methods, separated by commas: "+strings.Join(methods.Names(), ", "), part, "the table's")),
			shell.ListFlag(shell.NewFlag("dims", "", "total dimensions per vertex: `NUMBERS` separated by commas", part, "the table's")),
			shell.CountFlag("seeds", 0, "seeds 1 to `N`", part, seedsText),
			protocolsFlag(run.DefaultProtocol, part),
			negativesFlag(part),
		}, runFlags("Running")...),
		Action: program{p}.reproduce,
	}
}

// ProductNames returns the names of products, and all. No file of a table is read for it: help of every command asks.
func ProductNames() []string {
	all := tables.TableNames()
	for _, name := range figures.Names() {
		all = append(all, "figure"+name)
	}
	return append(all, "all")
}

func (p program) reproduce(c *cli.Context) error {
	chosen, err := p.chooseProducts(c.Args().Slice())
	if err != nil {
		return err
	}
	others := slices.ContainsFunc(chosen, func(x product) bool { return !x.ownData })
	sel, err := p.runSelection(c, others || c.IsSet("datasets"))
	if err != nil {
		return err
	}
	runner, err := p.runner(c)
	if err != nil {
		return err
	}
	var sections []section
	var models []store.Job
	none := true
	for _, x := range chosen {
		of := x.jobs(x.part(c, sel))
		if x.model {
			models = append(models, of...)
		}
		sections, none = append(sections, section{x.name, of}), none && len(of) == 0
	}
	figures.Keep(runner, models)
	if none && (len(sel.Methods) > 0 || len(sel.Dims) > 0) {
		return shell.Badf("--methods %s --dims %s: %s has no such runs", c.String("methods"), c.String("dims"), strings.Join(c.Args().Slice(), ", "))
	}
	return p.doRuns(c, runner, sections, func(runs *store.Runs, jobs []store.Job) error {
		var tables []render.Table
		for _, x := range chosen {
			of, err := x.show(runs, x.part(c, sel))
			if err != nil {
				return shell.Bad(err)
			}
			tables = append(tables, of...)
		}
		if len(tables) == 0 && len(jobs) == 0 {
			flag, given := "datasets", c.String("datasets")
			if given == "" && c.IsSet("bibliography") {
				flag, given = "bibliography", c.String("bibliography")
			}
			return shell.Badf("--%s %s: %s has no such rows", flag, given, strings.Join(c.Args().Slice(), ", "))
		}
		if p.JSON {
			return p.JSONLine(shell.Fields{"event", "tables", "tables", tables})
		}
		return p.PrintTables("terminal", tables...)
	})
}

// doRuns does what is missing of a shard of the runs, and shows what came of them; a dry run lists them.
func (p program) doRuns(c *cli.Context, r *runner.Runner, sections []section, show func(*store.Runs, []store.Job) error) error {
	all := seq.Flat(sections, func(s section) []store.Job { return s.jobs })
	TellOfShared(p.Program, runOptions(all)...)
	jobs, err := shard(c, r, all)
	switch {
	case err != nil:
		return err
	case c.Bool("dry-run"):
		return p.dryRun(r, sections, jobs, c.Bool("full"))
	}
	report, runErr := r.Run(c.Context, jobs)
	if runErr != nil && report.Runs == 0 {
		return shell.Bad(runErr) // of the store
	}
	runs, err := p.readRuns(r.Data)
	if err != nil {
		return err
	}
	if err := show(runs, jobs); err != nil {
		return err
	}
	return p.concludeRuns(report, runErr)
}

// chooseProducts returns the products of the names given.
func (p program) chooseProducts(words []string) (chosen []product, err error) {
	if len(words) == 0 {
		return nil, shell.Badf("nothing to reproduce: expected %s", strings.Join(ProductNames(), ", "))
	}
	all := p.products()
	for _, word := range words {
		if sweep.IsFile(word) {
			x, err := p.ownTable(word)
			if err != nil {
				return nil, err
			}
			chosen = append(chosen, x)
			continue
		}
		word = strings.ToLower(word)
		i := slices.IndexFunc(all, func(x product) bool { return x.name == word })
		switch {
		case word == "all":
			return all, nil
		case i < 0:
			return nil, shell.Badf("unknown table or figure %q: %s", word, shell.DidYouMean(word, ProductNames()))
		case !slices.ContainsFunc(chosen, func(x product) bool { return x.name == word }):
			chosen = append(chosen, all[i])
		}
	}
	return chosen, nil
}

// fetchAdvice says how to get those of the data sets that can be fetched.
func fetchAdvice(names []string) string {
	var can []string
	for _, name := range names {
		if d, err := network.Lookup(name); err == nil && len(fetch.Files(d)) > 0 {
			can = append(can, strings.ToLower(name))
		}
	}
	if len(can) == 0 {
		return ""
	}
	return ", or asp2vec data fetch " + strings.Join(can, " ")
}

// runner returns what does the runs, as the flags want it.
func (p program) runner(c *cli.Context) (*runner.Runner, error) {
	if c.IsSet("max-time") && c.Duration("max-time") <= 0 {
		return nil, shell.Badf("--max-time %v: expected a time such as 10m", c.Duration("max-time"))
	}
	when, err := CheckpointEvery(c)
	if err != nil {
		return nil, err
	}
	r, err := p.newRunner(c.Int("jobs"))
	if err != nil {
		return nil, err
	}
	r.MaxTime, r.Retry, r.Every = c.Duration("max-time"), c.Bool("retry"), when
	r.Vectors, err = sizeOf(c, "keep")
	return r, err
}

// newRunner returns what does runs, so many at a time.
func (p program) newRunner(jobs int) (*runner.Runner, error) {
	if p.Results == "" {
		return nil, shell.Badf("--results none: expected a folder, because the output is made from its records")
	}
	r := &runner.Runner{
		Store: p.Results, DataDir: p.Data, Threads: p.Threads, Jobs: jobs, Memory: p.Available().Bytes, Command: p.Command, Monitor: p.runLog(false),
	}
	// The records that came with the program, where it is run from its own folder, tell how long things take.
	if measured, err := store.ReadStore(filepath.Join(p.Results, "measured")); err == nil {
		r.Measured = measured.Entries
	}
	return r, nil
}

// concludeRuns returns an error where runs are not in the tables.
func (p program) concludeRuns(report runner.Report, runErr error) error {
	switch {
	case runErr != nil && report.Left > 0 && errors.Is(runErr, context.Canceled):
		return fmt.Errorf("interrupted: %d of %d runs are left; the same command continues with them", report.Left, report.Runs)
	case runErr != nil:
		return shell.Bad(runErr)
	case len(report.Failed) > 0:
		return fmt.Errorf("%d of %d runs failed", len(report.Failed), report.Runs)
	case report.Left > 0:
		p.Log.Warn("the time is up; the same command continues", "runs_left", report.Left)
	}
	return nil
}
