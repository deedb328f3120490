package runs

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/compare"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/internal/paired"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
)

func (p program) compareCommand() *cli.Command {
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
			shell.Example("asp2vec results compare --a selection=gumbel --b selection=softmax",
				"asp2vec results compare --a method=asp2vec,dim=20 --b method=deepwalk,dim=100 --store results/measured",
				"asp2vec results compare before after          # all runs that both have",
				"asp2vec results compare --a commit=1f2e3d --b commit=4c5b6a",
				"asp2vec results compare claims --store results/measured"),
		Flags: []cli.Flag{
			shell.NewFlag("a", "", "`FILTER` of set A", sets, "everything"),
			shell.NewFlag("b", "", "`FILTER` of set B", sets, "that of A, in another store"),
			storeFlag(sets),
			shell.NewFlag("store-b", "", "`PATH` of the records of set B", sets, "--store"),
			shell.NewFlag("metric", "auc", "`NAME` of a metric in records, such as auc or auc_random", how),
			shell.ListFlag(shell.NewFlag("ignore", "", "`OPTIONS` that may also differ within a pair, separated by commas", how)),
			shell.NewFlag("seed", uint64(1), "`SEED` of randomized tests, which are used for more than 20 pairs", how),
			shell.FormatFlag("of verdicts: `FORMAT` is "),
		},
		Action: p.compare,
	}
}

func (p program) compare(c *cli.Context) error {
	if word := c.Args().First(); c.NArg() == 1 && (word == "claims" || sweep.IsFile(word)) {
		return p.claims(c, word)
	}
	a, b, err := p.sides(c)
	if err != nil {
		return err
	}
	comparison, err := compare.Compare(a, b, compare.Options{Metric: c.String("metric"), Seed: c.Uint64("seed"), Ignore: shell.List(c, "ignore")})
	if err != nil {
		return shell.WithNearest(err)
	}
	d := p.Answer()
	writeComparison(d, comparison)
	return p.Show(d)
}

// claims judges the comparisons of a file, or those of the paper.
func (p program) claims(c *cli.Context, name string) error {
	_, runs, err := p.readStore(c)
	if err != nil {
		return err
	}
	file := compare.PaperClaims
	if name != "claims" {
		if file, err = os.ReadFile(name); err != nil {
			return shell.Bad(err)
		}
	}
	claims, err := compare.Claims(runs, file)
	if err != nil {
		return shell.WithNearest(fmt.Errorf("%s: %w", name, err))
	}
	if p.JSON {
		return p.Emit(shell.Fields{"claims", claims})
	}
	return p.PrintTables(c.String("format"), verdicts(claims))
}

// verdicts has a row for each claim, and a column for each kind of negatives under the default protocol, and under each other that some claim has runs of.
func verdicts(claims []compare.Claim) render.Table {
	t := render.Table{Name: "claims", Title: "what is claimed, and whether the runs bear it out, by protocol and negatives", Corner: "claim"}
	under := func(x compare.Claim) string { return x.Protocol + "/" + cmp.Or(x.Negatives, "published") }
	rows := map[string]int{}
	for _, x := range claims {
		if _, there := rows[x.Name]; !there {
			rows[x.Name] = len(t.Rows)
			t.Rows, t.Notes = append(t.Rows, render.Row{Label: x.Name}), append(t.Notes, x.Name+": "+x.Text)
		}
		if (x.Verdict != compare.TooFewRuns || x.Protocol == run.DefaultProtocol) && !slices.Contains(t.Columns, under(x)) {
			t.Columns = append(t.Columns, under(x))
		}
	}
	other := func(column string) int { return strings.Index(column, run.DefaultProtocol) } // 0 for columns of the default
	slices.SortStableFunc(t.Columns, func(a, b string) int { return cmp.Compare(other(b), other(a)) })
	for i := range t.Rows {
		t.Rows[i].Values = make([]render.Value, len(t.Columns))
	}
	for _, x := range claims {
		if i := slices.Index(t.Columns, under(x)); i >= 0 {
			row := rows[x.Name]
			t.Rows[row].Values[i].Text = x.Verdict
			if n := len(x.Networks); n > 0 {
				t.Rows[row].Values[i].Text += fmt.Sprintf(", %d of %d", x.Agree, n)
				if x.Negatives != "matched" { // which have the same
					t.Notes[row] += fmt.Sprintf(" Under %s: %s.", x.Protocol, strings.Join(x.Networks, ", "))
				}
			}
		}
	}
	t.Notes = append(t.Notes, compare.VerdictRule, "The numbers behind each verdict: --json.")
	return t
}

// sides returns the sets that the flags and the words say.
func (p program) sides(c *cli.Context) (a, b compare.Side, err error) {
	storeA, storeB := c.String("store"), c.String("store-b")
	if storeA == "" && p.Results != "" {
		storeA = p.Results
	}
	switch words := c.Args().Slice(); {
	case len(words) == 0:
	case len(words) != 2:
		return a, b, shell.Badf("%d stores: expected none or two", len(words))
	case c.IsSet("store") || c.IsSet("store-b"):
		return a, b, shell.Badf("%q with --store or --store-b: expected the stores either way", words)
	default:
		storeA, storeB = words[0], words[1]
	}
	filterB := c.String("b")
	if !c.IsSet("b") && storeB != "" {
		filterB = c.String("a")
	}
	switch {
	case storeA == "":
		return a, b, shell.Badf("no store given: expected --store PATH, or --results")
	case storeB == "" && c.String("a") == filterB:
		return a, b, shell.Badf("both sets are the same runs: expected different --a FILTER and --b FILTER, or a second store")
	}
	if a.Filter, err = store.ParseFilter(c.String("a")); err != nil {
		return a, b, shell.WithNearest(fmt.Errorf("--a: %w", err))
	}
	if b.Filter, err = store.ParseFilter(filterB); err != nil {
		return a, b, shell.WithNearest(fmt.Errorf("--b: %w", err))
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

func writeComparison(d *shell.Doc, c *compare.Comparison) {
	d.Say("A: %s\nB: %s\n%s, mean ± standard deviation over pairs; in the last line, over data sets", c.A, c.B, c.Metric)
	d.Data("a", c.A, "b", c.B, "metric", c.Metric, "networks", c.Networks, "overall", c.Overall, "pairs", c.Pairs, "unpaired", c.Unpaired)
	rows := seq.Map(c.Networks, func(n compare.NetworkDifference) []any {
		return []any{n.Dataset, render.Spread(n.A), render.Spread(n.B), difference(n.Difference), n.Difference.N}
	})
	if len(c.Networks) > 1 {
		rows = append(rows, []any{"mean of " + shell.Count(len(c.Networks)), nil, nil, difference(c.Overall), c.Pairs})
	}
	d.Rows(rows, "data set", "A", "B", "A - B", "pairs")
	d.Table("tests", seq.Map(c.Tests, func(t paired.Test) []any {
		return []any{t.Name, t.Pairs, t.P, t.Least, shell.Known(t.Draws)}
	}), "two-sided_test", "differences", "p", "least_p", "random_draws")
	notes(d, "notes", "Notes", c.Notes)
	notes(d, "contradictions", "Contradictions in the store", c.Contradictions)
	notes(d, "", "Without a partner", seq.Map(c.Unpaired, func(u compare.Unpaired) string {
		return fmt.Sprintf("%s, %s, seed %s: %s", u.Set, u.Dataset, strings.Trim(strings.ReplaceAll(fmt.Sprint(u.Seeds), " ", ", "), "[]"), u.Why)
	}))
}

// notes adds lines under a heading, if there are any; many are cut short for people.
func notes(d *shell.Doc, key, heading string, lines []string) {
	const most = 20
	if len(lines) == 0 {
		return
	}
	if key != "" {
		d.Data(key, lines)
	}
	shown := lines[:min(most, len(lines))]
	text := heading + ":\n- " + strings.Join(shown, "\n- ")
	if more := len(lines) - len(shown); more > 0 {
		text += "\n- and " + shell.Count(more) + " more; --json has all"
	}
	d.Say("%s", text)
}

// difference writes a mean difference with its sign, and the standard deviation.
func difference(v render.Value) string {
	text := fmt.Sprintf("%+.4f", v.Mean)
	if v.N > 1 {
		text += " ± " + shell.AUC(v.SD).String()
	}
	return text
}
