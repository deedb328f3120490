package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/experiments/compare"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
)

func (p *program) compareCommand() *cli.Command {
	const sets, how = "The two sets", "How"
	return &cli.Command{
		Name:      "compare",
		Usage:     "test whether one set of runs is better than another, from differences of paired runs",
		ArgsUsage: "[STORE STORE | FILE.yaml | claims]",
		Description: "A filter selects a set of runs from a store: name=value, separated by commas. Names are method, protocol, dataset,\n" +
			"seed, commit, definition or an option; a name given twice accepts either value; meta-paths=APA,APVPA is one value.\n" +
			"Two runs are a pair if they have the same data set and seed and agree in every option that no filter names. A filter on the\n" +
			"method ignores options that only one method reads, and those (except dim) that the protocol sets for each method; a filter\n" +
			"on the protocol ignores those that protocols set. Positive differences mean that A is better.\n" +
			"A FILE.yaml lists comparisons, each of which gets a verdict; claims are those of the paper.\n\n" +
			example("asp2vec results compare --a selection=gumbel --b selection=softmax",
				"asp2vec results compare --a method=asp2vec,dim=20 --b method=deepwalk,dim=100 --store results/measured",
				"asp2vec results compare before after          # all runs that both have",
				"asp2vec results compare --a commit=1f2e3d --b commit=4c5b6a",
				"asp2vec results compare claims --store results/measured"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "a", Category: sets, DefaultText: "everything", Usage: "`FILTER` of set A"},
			&cli.StringFlag{Name: "b", Category: sets, DefaultText: "that of A, in another store", Usage: "`FILTER` of set B"},
			storeFlag(sets),
			&cli.StringFlag{Name: "store-b", Category: sets, DefaultText: "--store", Usage: "`PATH` of the records of set B"},
			&cli.StringFlag{Name: "metric", Category: how, Value: "auc", Usage: "`NAME` of a metric in records, such as auc or auc_random"},
			listFlag(cli.StringFlag{Name: "ignore", Category: how, Usage: "`OPTIONS` that may also differ within a pair, separated by commas"}),
			&cli.Uint64Flag{Name: "seed", Category: how, Value: 1, Usage: "`SEED` of randomized tests, which are used for more than 20 pairs"},
		},
		Action: p.compare,
	}
}

func (p *program) compare(c *cli.Context) error {
	if word := c.Args().First(); c.NArg() == 1 && (word == "claims" || sweep.IsFile(word)) {
		return p.claims(c, word)
	}
	a, b, err := p.sides(c)
	if err != nil {
		return err
	}
	comparison, err := compare.Compare(a, b, compare.Options{Metric: c.String("metric"), Seed: c.Uint64("seed"), Ignore: list(c, "ignore")})
	if err != nil {
		return withNearest(err)
	}
	return p.emit(comparison, func(b *printout) { writeComparison(b, comparison) })
}

// claims judges the comparisons of a file, or those of the paper.
func (p *program) claims(c *cli.Context, name string) error {
	_, runs, err := p.readStore(c)
	if err != nil {
		return err
	}
	file := compare.PaperClaims
	if name != "claims" {
		if file, err = os.ReadFile(name); err != nil {
			return bad(err)
		}
	}
	claims, err := compare.Claims(runs, file)
	if err != nil {
		return withNearest(fmt.Errorf("%s: %w", name, err))
	}
	rows := seq.Map(claims, func(claim compare.Claim) []string {
		name, protocol, _ := strings.Cut(claim.Name, "/")
		return []string{name, protocol, claim.Verdict}
	})
	return p.emit(claims, func(b *printout) {
		b.table(3, []string{"claim", "protocol", "verdict"}, rows)
		b.printf("\n%s\nThe numbers behind each verdict: --json.\n", compare.VerdictRule)
	})
}

// sides returns the sets that the flags and the words say.
func (p *program) sides(c *cli.Context) (a, b compare.Side, err error) {
	storeA, storeB := c.String("store"), c.String("store-b")
	if storeA == "" && p.results != "" {
		storeA = p.results
	}
	switch words := c.Args().Slice(); {
	case len(words) == 0:
	case len(words) != 2:
		return a, b, badf("%d stores: expected none or two", len(words))
	case c.IsSet("store") || c.IsSet("store-b"):
		return a, b, badf("%q with --store or --store-b: expected the stores either way", words)
	default:
		storeA, storeB = words[0], words[1]
	}
	filterB := c.String("b")
	if !c.IsSet("b") && storeB != "" {
		filterB = c.String("a")
	}
	switch {
	case storeA == "":
		return a, b, badf("no store given: expected --store PATH, or --results")
	case storeB == "" && c.String("a") == filterB:
		return a, b, badf("both sets are the same runs: expected different --a FILTER and --b FILTER, or a second store")
	}
	if a.Filter, err = store.ParseFilter(c.String("a")); err != nil {
		return a, b, withNearest(fmt.Errorf("--a: %w", err))
	}
	if b.Filter, err = store.ParseFilter(filterB); err != nil {
		return a, b, withNearest(fmt.Errorf("--b: %w", err))
	}
	if a.Records, err = p.readRecords(storeA); err != nil {
		return a, b, err
	}
	b.Records = a.Records
	if storeB != "" {
		a.Versions, b.Versions = true, true
		b.Records, err = p.readRecords(storeB)
	}
	return a, b, err
}

func writeComparison(b *printout, c *compare.Comparison) {
	b.printf("A: %s\nB: %s\n%s, mean ± standard deviation over pairs; in the last line, over data sets\n\n", c.A, c.B, c.Metric)
	rows := seq.Map(c.Networks, func(n compare.NetworkDifference) []string {
		return []string{n.Dataset, render.Spread(n.A), render.Spread(n.B), difference(n.Difference), count(n.Difference.N)}
	})
	if len(c.Networks) > 1 {
		rows = append(rows, []string{"mean of " + count(len(c.Networks)), "", "", difference(c.Overall), count(c.Pairs)})
	}
	b.table(1, []string{"data set", "A", "B", "A - B", "pairs"}, rows)
	b.WriteString("\n")
	rows = nil
	for _, t := range c.Tests {
		way := "exact"
		if t.Draws > 0 {
			way = count(t.Draws) + " draws"
		}
		rows = append(rows, []string{t.Name, count(t.Pairs), strconv.FormatFloat(t.P, 'g', 3, 64), strconv.FormatFloat(t.Least, 'g', 3, 64), way})
	}
	b.table(1, []string{"two-sided test", "differences", "p", "least p", "how"}, rows)
	notes(b, "Notes", c.Notes)
	notes(b, "Contradictions in the store", c.Contradictions)
	var alone []string
	for _, u := range c.Unpaired {
		alone = append(alone, fmt.Sprintf("%s, %s, seed %s: %s", u.Set, u.Dataset, strings.Trim(strings.ReplaceAll(fmt.Sprint(u.Seeds), " ", ", "), "[]"), u.Why))
	}
	notes(b, "Without a partner", alone)
}

// notes writes lines under a heading, if there are any; many are cut short.
func notes(b *printout, heading string, lines []string) {
	const most = 20
	if len(lines) > 0 {
		b.printf("\n%s:\n", heading)
	}
	for i, line := range lines {
		if i == most {
			b.printf("- and %s more; --json has all\n", count(len(lines)-most))
			return
		}
		b.printf("- %s\n", line)
	}
}

// difference writes a mean difference with its sign, and the standard deviation.
func difference(v render.Value) string {
	text := fmt.Sprintf("%+.4f", v.Mean)
	if v.N > 1 {
		text += " ± " + auc(v.SD).String()
	}
	return text
}
