package experiments

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// sheet describes a table of AUCs: a row for each data set, a column for each setting.
type sheet struct {
	number  int    // in the paper; 0 for another table
	name    string // of another table
	title   string
	metric  string // "" for AUC
	typed   bool   // of papers and authors
	columns func(Selection) []column
	notes   []string
}

// column is one setting, or a gain of one setting over another.
type column struct {
	name   string // as in the paper's table, if it is there
	method string
	set    func(*graphs.Options)   // what differs from the method's defaults; nil: nothing
	among  []func(*graphs.Options) // and from these the run that the links that choose epochs like best; nil: no choice
	stray  bool                    // the paper's number is of another setting, so that ours need not be near it

	// Of a gain, in percent: of the best of some columns, by its mean, over another one.
	best []string
	over string
}

// spec returns the sheet as a table's spec.
func (t sheet) spec() Spec {
	return Spec{Name: tableName(t.number, t.name), Title: t.title, Jobs: t.jobs, Table: t.tables}
}

// selected returns the columns of the selected methods.
func (t sheet) selected(s Selection) []column {
	return slices.DeleteFunc(t.columns(s), func(c column) bool {
		return len(s.Methods) > 0 && !slices.Contains(s.Methods, c.method)
	})
}

// jobs is the one place that says which runs a cell is made of under a seed: one, or those that it chooses from; see trials
// for the runs that choose.
func (c column) jobs(dataset, protocol string, seed uint64) []Job {
	o, err := methods.Options(c.method, Protocols[protocol])
	if err != nil || c.over != "" {
		return nil // a gain has no runs of its own
	}
	o.Seed = seed
	if c.set != nil {
		c.set(&o)
	}
	if c.among == nil {
		return []Job{{dataset, protocol, o}}
	}
	var jobs []Job
	for _, choice := range c.among {
		each := o
		choice(&each)
		jobs = append(jobs, Job{dataset, protocol, each})
	}
	return jobs
}

// jobs returns the runs of all cells, and those that choose among them: all of one seed before the next, so that a table is
// whole early and gains precision.
func (t sheet) jobs(s Selection) []Job {
	var all []Job
	seen := map[string]bool{}
	for seed := uint64(1); seed <= s.seeds(); seed++ {
		for _, d := range s.ofKind(t.typed) {
			for _, protocol := range s.protocols() {
				for _, c := range t.selected(s) {
					jobs := c.jobs(d.Name, protocol, seed)
					if len(jobs) > 1 && seed == firstSeed {
						jobs = append(trials(jobs), jobs...)
					}
					for _, j := range jobs {
						if key := j.Key(); !seen[key] {
							seen[key] = true
							all = append(all, j)
						}
					}
				}
			}
		}
	}
	return all
}

// each returns a table for each protocol, with the selected columns and what fill adds to it; none if the selection leaves no
// column or no row.
func (t sheet) each(s Selection, fill func(out *results.Table, protocol string, columns []column)) []results.Table {
	columns := t.selected(s)
	if len(columns) == 0 || len(s.ofKind(t.typed)) == 0 {
		return nil
	}
	var all []results.Table
	for _, protocol := range s.protocols() {
		var out results.Table
		for _, c := range columns {
			out.Columns = append(out.Columns, c.heading())
		}
		fill(&out, protocol, columns)
		all = append(all, out)
	}
	return all
}

// tables returns a table of AUCs for each protocol.
func (t sheet) tables(r *Runs, s Selection) []results.Table {
	return t.each(s, func(out *results.Table, protocol string, columns []column) {
		out.Name, out.Title = fmt.Sprintf("%s-%s", tableName(t.number, t.name), protocol), fmt.Sprintf("%s (protocol %s)", t.title, protocol)
		out.Corner = "test " + cmp.Or(t.metric, "AUC")
		lost, directed := 0, false
		for _, d := range s.ofKind(t.typed) {
			directed = directed || d.Directed
			row, without := t.row(r, d.Name, protocol, s.seeds(), columns)
			out.Rows = append(out.Rows, row)
			lost += without
		}
		out.Notes = append(notes(protocol, t.number > 0, out.Seeds(), directed, lost), t.notes...)
	})
}

// notes returns what is to be said of a table of AUCs, of the paper or not, with so many seeds to a cell.
func notes(protocol string, inPaper bool, seeds int, directed bool, lost int) []string {
	how, beside := "The epoch is chosen by test AUC, as published", ""
	switch protocol {
	case "validated":
		how, beside = "The epoch is chosen by held-out training links", "; the paper's numbers beside are of epochs chosen by test AUC"
	case standardProtocol:
		how, beside = "Training ends after a number of pairs known beforehand, and no link chooses anything", "; the paper's numbers beside are of epochs chosen by test AUC"
	}
	if !inPaper {
		beside = ""
	}
	all := []string{over(seeds) + " " + how + beside + "."}
	if inPaper {
		all = append(all, fmt.Sprintf("The paper gives one run, the best epsilon of five by test AUC; here epsilon is %v where nothing else is said.", graphs.Default().Epsilon))
	}
	if inPaper && protocol == "paper" {
		all = append(all, fmt.Sprintf("Marked: asp2vec more than %v from the paper's number.", band))
	}
	if directed {
		all = append(all, "Directed networks have the paper's test negatives, with the reverse of every arc.")
	}
	if lost > 0 {
		all = append(all, fmt.Sprintf("Left out: %d runs without a finite AUC.", lost))
	}
	return all
}

// over says what the number of a cell is over.
func over(seeds int) string {
	switch seeds {
	case 0:
		return "Nothing of this has been run."
	case 1:
		return "One seed to a cell."
	}
	return fmt.Sprintf("Mean ± standard deviation of a sample, over %d seeds, or as many as stand in brackets.", seeds)
}

// row returns the values of one data set, and how many runs have no AUC to show.
func (t sheet) row(r *Runs, dataset, protocol string, seeds uint64, columns []column) (row results.TableRow, lost int) {
	row.Label = dataset
	cells := map[string][]sample{}
	for _, c := range columns {
		var without int
		cells[c.name], without = c.samples(r, dataset, metricKey(cmp.Or(t.metric, "AUC")), protocol, seeds)
		lost += without
	}
	for _, c := range columns {
		own := cells[c.name]
		if c.over != "" {
			own = gain(cells, c.best, c.over)
		}
		paper, _ := results.Paper(t.number, dataset, c.name)
		row.Values = append(row.Values, c.value(own, paper, protocol))
	}
	return row, lost
}

// heading returns the name of the column, and its unit where it is not that of the table.
func (c column) heading() string {
	if c.over != "" {
		return c.name + ", %"
	}
	return c.name
}
