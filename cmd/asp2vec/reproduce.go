package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments"
	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/fetch"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// product is a table or a figure that reproduce makes of records.
type product struct {
	name string
	jobs func(experiments.Selection) []store.Job
	// model says that it shows models, of which a record has nothing: their runs leave more than that.
	model bool
	// ownData says that it names its data sets, which need not be the paper's.
	ownData bool
	// show returns what is printed; a figure is drawn by it, and these are its numbers.
	show func(context.Context, *store.Runs, experiments.Selection) ([]render.Table, error)
}

// products returns them in the paper's order: the tables, then the figures.
func (p *program) products() (all []product) {
	for _, s := range experiments.Specs() {
		all = append(all, p.tableProduct(s))
	}
	return append(all, p.figureProducts()...)
}

// tableProduct is a table.
func (p *program) tableProduct(s experiments.Spec) product {
	return product{name: s.Name, jobs: s.Jobs, show: func(_ context.Context, runs *store.Runs, sel experiments.Selection) ([]render.Table, error) {
		if s.Data == nil {
			return s.Table(runs, sel), nil
		}
		t, err := s.Data(p.data, sel)
		return []render.Table{t}, err
	}}
}

// ownTable is a table of the user's, from a file. It is of the file's data sets, unless others are named.
func (p *program) ownTable(c *cli.Context, path string) (product, error) {
	s, err := experiments.ReadTable(path)
	if err != nil {
		return product{}, bad(err)
	}
	x := p.tableProduct(s)
	x.ownData = s.OwnDatasets
	own := func(sel experiments.Selection) experiments.Selection {
		if !c.IsSet("datasets") && s.OwnDatasets {
			sel.Datasets = nil
		}
		if !c.IsSet("protocol") && len(s.Protocols) > 0 {
			sel.Protocols = nil
		}
		return sel
	}
	jobs, show := x.jobs, x.show
	x.jobs = func(sel experiments.Selection) []store.Job { return jobs(own(sel)) }
	x.show = func(ctx context.Context, runs *store.Runs, sel experiments.Selection) ([]render.Table, error) {
		return show(ctx, runs, own(sel))
	}
	return x, nil
}

func (p *program) reproduceCommand() *cli.Command {
	const part, how = "Selection", "Running"
	return &cli.Command{
		Name:      "reproduce",
		Usage:     "make a table or figure of the paper: train what is missing, and show the paper's numbers next to ours",
		ArgsUsage: strings.Join(productNames(), "|") + "|FILE.yaml",
		Description: "Each run is stored (--results) when it finishes and is not repeated: you can stop the command, start it again, or start two.\n" +
			"With --json each event is one line, and the last line contains the tables: {\"event\":\"tables\",\"tables\":[...]}.\n" +
			clusterHelp + "\n" + example(
			"asp2vec reproduce table3 --datasets filmtrust,cora --seeds 2 --dry-run # show the runs, and how long they take",
			"asp2vec reproduce table3 --datasets filmtrust,cora --seeds 2",
			"asp2vec reproduce table5 --bibliography TapEM/data # your own papers and authors",
			"asp2vec reproduce my-table.yaml # a table of your own: docs/tables.md"),
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "datasets", Category: part, DefaultText: "those of the paper in the data folder", Usage: "`NAMES` of data sets, separated by commas"},
			tableBibliographyFlag(part),
			&cli.StringFlag{Name: "methods", Category: part, DefaultText: "the table's", Usage: "`NAMES` of methods, separated by commas: " + strings.Join(methods.Names(), ", ")},
			&cli.StringFlag{Name: "dims", Category: part, DefaultText: "the table's", Usage: "total dimensions per vertex: `NUMBERS` separated by commas"},
			&cli.IntFlag{Name: "seeds", Category: part, DefaultText: seedsText, Usage: "seeds 1 to `N`"},
			&cli.StringFlag{Name: "protocol", Category: part, Value: run.DefaultProtocol, Usage: protocolsUsage},
			&cli.IntFlag{Name: "jobs", Category: how, Value: 1, Usage: "do `N` runs at a time, which share the threads"},
			&cli.BoolFlag{Name: "dry-run", Category: how, Usage: "list the runs with their time and memory, and run nothing"},
			checkpointEveryFlag(how),
			&cli.DurationFlag{Name: "max-time", Category: how, DefaultText: "none", Usage: "start no run after `TIME`, such as 10m or 2h"},
			&cli.BoolFlag{Name: "retry", Category: how, Usage: "repeat runs that failed before"},
			fullFlag(how),
		}, clusterFlags()...),
		Action: p.reproduce,
	}
}

// productNames returns the names of products, and all. No file of a table is read for it: help of every command asks.
func productNames() []string {
	all := experiments.TableNames()
	for _, name := range experiments.FigureNames() {
		all = append(all, "figure"+name)
	}
	return append(all, "all")
}

func (p *program) reproduce(c *cli.Context) error {
	chosen, err := p.chooseProducts(c, c.Args().Slice())
	if err != nil {
		return err
	}
	sel, err := p.selection(c, slices.ContainsFunc(chosen, func(x product) bool { return !x.ownData }))
	if err != nil {
		return err
	}
	runner, err := p.runner(c)
	if err != nil {
		return err
	}
	var jobs []store.Job
	var sections []section
	shown := map[string]bool{} // keys of runs whose models figures show
	for _, x := range chosen {
		of := x.jobs(sel)
		if x.model {
			experiments.KeepFigures(runner, of)
			for _, j := range of {
				shown[j.Key()] = true
			}
		}
		jobs, sections = append(jobs, of...), append(sections, section{x.name, of})
	}
	if len(jobs) == 0 && (len(sel.Methods) > 0 || len(sel.Dims) > 0) {
		return badf("--methods %s --dims %s: %s has no such runs", c.String("methods"), c.String("dims"), strings.Join(c.Args().Slice(), ", "))
	}
	if jobs, err = p.shard(c, runner, jobs); err != nil {
		return err
	}
	if c.Bool("dry-run") {
		return p.dryRun(runner, within(sections, jobs), c.Bool("full"))
	}
	if c.String("executor") == executorSlurm {
		return p.submit(c, runner, wordOf(c.Args().Slice()), jobs, func(j store.Job) bool { return shown[j.Key()] })
	}
	release := p.stop.delay()
	report, runErr := runner.Run(c.Context, jobs)
	release()
	if runErr != nil && report.Runs == 0 {
		return bad(runErr) // of the store
	}
	runs, err := p.readRuns()
	if err != nil {
		return err
	}
	var tables []render.Table
	for _, x := range chosen {
		of, err := x.show(c.Context, runs, sel)
		if err != nil {
			return bad(err)
		}
		tables = append(tables, of...)
	}
	if len(tables) == 0 && len(jobs) == 0 {
		flag, given := "datasets", c.String("datasets")
		if given == "" && c.IsSet("bibliography") {
			flag, given = "bibliography", c.String("bibliography")
		}
		return badf("--%s %s: %s has no such rows", flag, given, strings.Join(c.Args().Slice(), ", "))
	}
	if err := p.printTables(tables); err != nil {
		return err
	}
	return p.concludeRuns(report, runErr)
}

// wordOf returns what a submission of tables and files of tables is called.
func wordOf(names []string) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	}
	return strings.Join(words, "-")
}

// chooseProducts returns the products of the names given.
func (p *program) chooseProducts(c *cli.Context, words []string) (chosen []product, err error) {
	if len(words) == 0 {
		return nil, badf("nothing to reproduce: want %s", strings.Join(productNames(), ", "))
	}
	all := p.products()
	for _, word := range words {
		if experiments.IsTableFile(word) {
			x, err := p.ownTable(c, word)
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
			return nil, badf("unknown table or figure %q: want %s", word, nearest(word, productNames(), ""))
		case !slices.ContainsFunc(chosen, func(x product) bool { return x.name == word }):
			chosen = append(chosen, all[i])
		}
	}
	return chosen, nil
}

// list parts a flag's value at commas.
func list(c *cli.Context, flag string) (words []string, err error) {
	if !c.IsSet(flag) {
		return nil, nil
	}
	for word := range strings.SplitSeq(c.String(flag), ",") {
		if word = strings.TrimSpace(word); word == "" {
			return nil, badf("--%s %q: want names separated by commas", flag, c.String(flag))
		}
		words = append(words, word)
	}
	return words, nil
}

// selection returns what part of the tables is asked for. Data sets of the paper are looked for where any of them has these by default.
func (p *program) selection(c *cli.Context, ofPaper bool) (sel experiments.Selection, err error) {
	if sel.Seeds = c.Int("seeds"); c.IsSet("seeds") && sel.Seeds < 1 || sel.Seeds > grid.MaxCandidates {
		return sel, badf("--seeds %d: want 1 to %d", sel.Seeds, grid.MaxCandidates)
	}
	if sel.Protocols, err = protocols(c); err != nil {
		return sel, err
	}
	if sel.Methods, err = list(c, "methods"); err != nil {
		return sel, err
	}
	for _, m := range sel.Methods {
		if _, err := methods.Find(m); err != nil {
			return sel, badf("--methods %q: want %s", m, nearest(m, methods.Names(), ""))
		}
	}
	dims, err := list(c, "dims")
	if err != nil {
		return sel, err
	}
	for _, word := range dims {
		d, err := strconv.Atoi(word)
		if err != nil || d < 1 {
			return sel, badf("--dims %q: want numbers from 1 on, separated by commas", word)
		}
		sel.Dims = append(sel.Dims, d)
	}
	if sel.Own, err = p.ownBibliography(c); err == nil && (sel.Own == nil && ofPaper || c.IsSet("datasets")) {
		sel.Datasets, err = p.datasets(c, c.Bool("dry-run"))
	}
	return sel, err
}

// protocolsUsage says what --protocol of several runs takes.
const protocolsUsage = "`NAME` is standard, paper, validated, both (the latter two) or all"

// protocols returns those that --protocol names.
func protocols(c *cli.Context) ([]string, error) {
	switch name := c.String("protocol"); {
	case name == "both":
		return []string{"paper", "validated"}, nil
	case name == "all":
		return slices.Sorted(maps.Keys(run.Protocols)), nil
	case run.Protocols[name] != nil:
		return []string{name}, nil
	default:
		return nil, badf("--protocol %q: want standard, paper, validated or both, or all", name)
	}
}

// datasets returns those asked for that lie in the data folder, by their own names. If absent ones will do it returns all that were asked
// for by name, and all of the paper's where none of those is there.
func (p *program) datasets(c *cli.Context, absent bool) (there []string, err error) {
	words, err := list(c, "datasets")
	if err != nil {
		return nil, err
	}
	asked := len(words) > 0
	var known []string
	for _, d := range network.Datasets() {
		known = append(known, strings.ToLower(d.Name))
		if !asked && d.InPaper {
			words = append(words, d.Name)
		}
	}
	var missing []string
	for _, word := range words {
		d, err := network.Lookup(word)
		if err != nil {
			return nil, badf("--datasets %q: want %s", word, nearest(strings.ToLower(word), known, ""))
		}
		if _, _, err := d.Find(p.data); err != nil && !(absent && asked) {
			missing = append(missing, d.Name)
			if asked {
				p.log.Warn("left out: " + message(err))
			}
		} else if !slices.Contains(there, d.Name) {
			there = append(there, d.Name)
		}
	}
	switch {
	case len(there) == 0 && absent:
		return missing, nil
	case len(there) == 0:
		return nil, badf("none of the data sets %s is in %s: want --data with their folder%s", strings.Join(missing, ", "), p.data, fetchAdvice(missing))
	case len(missing) > 0 && !asked:
		p.log.Warn("data sets that are not on this machine are left out", "missing", strings.Join(missing, ","), "data", p.data, "to_have_them", "asp2vec data fetch NAME")
	}
	return there, nil
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
func (p *program) runner(c *cli.Context) (*runner.Runner, error) {
	switch {
	case c.Int("jobs") < 1:
		return nil, badf("--jobs %d: want at least 1", c.Int("jobs"))
	case c.IsSet("max-time") && c.Duration("max-time") <= 0:
		return nil, badf("--max-time %v: want a time such as 10m", c.Duration("max-time"))
	}
	when, err := every(c, 0)
	if err != nil {
		return nil, err
	}
	r, err := p.newRunner(c.Int("jobs"))
	if err == nil {
		r.MaxTime, r.Retry, r.Every = c.Duration("max-time"), c.Bool("retry"), when
	}
	return r, err
}

// newRunner returns what does runs, so many at a time.
func (p *program) newRunner(jobs int) (*runner.Runner, error) {
	if p.results == "" {
		return nil, badf("--results none: want a folder, because the output is made from its records")
	}
	r := &runner.Runner{
		Store: p.results, DataDir: p.data, Threads: p.threads, Jobs: jobs, Memory: p.available().Bytes, Command: append([]string{"asp2vec"}, p.args[1:]...), Monitor: p.runLog().tell,
	}
	// The records that came with the program, where it is run from its own folder, tell how long things take.
	if measured, _, err := results.ReadStore(filepath.Join(filepath.Dir(p.results), "measured")); err == nil {
		r.Measured = measured
	}
	return r, nil
}

// readRuns returns what the store holds, and warns of what is wrong with it.
func (p *program) readRuns() (*store.Runs, error) {
	store, err := store.ReadStore(p.results)
	if err != nil {
		return nil, bad(err)
	}
	for _, problem := range store.Problems() {
		p.log.Warn("a line of the store is not a record and is left alone: " + problem.Error())
	}
	runs := store.Runs()
	for _, two := range runs.Conflicts {
		p.log.Warn("two records of one run disagree; the later one counts", "dataset", two.Kept.Dataset.Name, "method", two.Kept.Method,
			"seed", two.Kept.Seed, "auc", auc(two.Kept.Metrics["auc"]), "earlier", auc(two.Other.Metrics["auc"]))
	}
	return runs, nil
}

// concludeRuns says what is not in the tables, and why.
func (p *program) concludeRuns(report runner.Report, runErr error) error {
	for _, f := range report.Failed {
		if f.Before {
			p.log.Warn("failed before; --retry repeats it: "+f.Name, "error", message(errors.New(f.Error)))
		}
	}
	switch {
	case runErr != nil && report.Left > 0 && errors.Is(runErr, context.Canceled):
		return fmt.Errorf("interrupted: %d of %d runs are left; the same command continues with them", report.Left, report.Runs)
	case runErr != nil:
		return bad(runErr)
	case len(report.Failed) > 0:
		return fmt.Errorf("%d of %d runs failed", len(report.Failed), report.Runs)
	case report.Left > 0:
		p.log.Warn("the time is up; the same command continues", "runs_left", report.Left)
	}
	return nil
}
