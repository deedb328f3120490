package experiments

import (
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/results"
)

// bibliography is the data set of Tables 5 and 6.
const bibliography = "DBLP"

// authorSheet describes a table of the naming of authors in DBLP: a row for each setting, a column for each metric.
type authorSheet struct {
	number        int // in the paper
	title, corner string
	seeds         uint64 // where the selection does not say
	settings      func(Selection) []column
	metrics       []string // as in the paper's table
	notes         []string
}

// metricKeys are the names in records of the paper's metrics.
var metricKeys = map[string]string{"Recall@5": "recall@5", "Recall@10": "recall@10", "F1@5": "f1@5", "F1@10": "f1@10", "AUC": "auc"}

// spec returns the sheet as a table's spec.
func (t authorSheet) spec() Spec {
	return Spec{Name: fmt.Sprintf("table%d", t.number), Title: t.title, Jobs: t.jobs, Table: t.tables}
}

// selected returns the settings of the selected methods; none where the selection leaves DBLP out.
func (t authorSheet) selected(s Selection) []column {
	if len(s.Datasets) > 0 && !s.names(bibliography) {
		return nil
	}
	return slices.DeleteFunc(t.settings(s), func(c column) bool {
		return len(s.Methods) > 0 && !slices.Contains(s.Methods, c.method)
	})
}

func (t authorSheet) count(s Selection) uint64 {
	if s.Seeds <= 0 {
		return t.seeds
	}
	return s.seeds()
}

// jobs returns the runs of all rows, all of one seed before the next.
func (t authorSheet) jobs(s Selection) []Job {
	var all []Job
	for seed := uint64(1); seed <= t.count(s); seed++ {
		for _, protocol := range s.protocols() {
			for _, c := range t.selected(s) {
				all = append(all, c.jobs(bibliography, protocol, seed)...)
			}
		}
	}
	return all
}

// tables returns a table for each protocol.
func (t authorSheet) tables(r *Runs, s Selection) []results.Table {
	settings := t.selected(s)
	if len(settings) == 0 {
		return nil
	}
	var all []results.Table
	for _, protocol := range s.protocols() {
		out := results.Table{
			Name: fmt.Sprintf("table%d-%s", t.number, protocol), Title: fmt.Sprintf("%s (protocol %s)", t.title, protocol),
			Corner: t.corner, Columns: slices.Clone(t.metrics),
		}
		lost := 0
		for _, c := range settings {
			row := results.TableRow{Label: c.name}
			for _, metric := range t.metrics {
				own, without := c.measured(r, metricKeys[metric], protocol, t.count(s))
				lost += without
				paper, _ := results.Paper(t.number, c.name, metric)
				row.Values = append(row.Values, c.value(own, paper, protocol))
			}
			out.Rows = append(out.Rows, row)
		}
		out.Notes = append(authorNotes(protocol, out.Seeds(), lost), t.notes...)
		all = append(all, out)
	}
	return all
}

// measured returns what there is of a metric in the order of seeds, and how many runs have no finite number of it.
func (c column) measured(r *Runs, metric, protocol string, seeds uint64) (all []sample, lost int) {
	for seed := uint64(1); seed <= seeds; seed++ {
		j, ok := r.pick(c.jobs(bibliography, protocol, seed), nil)
		if !ok {
			continue
		}
		record, _ := r.Find(j)
		x, ok := record.Metrics[metric]
		if !ok || math.IsNaN(x) || math.IsInf(x, 0) {
			lost++
			continue
		}
		all = append(all, sample{seed, x})
	}
	return all, lost
}

// authorNotes returns what is to be said of a table with so many seeds to a cell.
func authorNotes(protocol string, seeds, lost int) []string {
	how := fmt.Sprintf("The epoch is chosen by %s of the papers of one half, and the numbers are of the other half.", ValidatedChoice)
	switch protocol {
	case "standard":
		how = "The last epoch is reported, and no paper chooses anything."
	case "paper":
		how = fmt.Sprintf("Of each metric the best epoch of the last stage by that metric itself, on the half that is reported, as the code of TaPEm prints it; %s of the other half ends the training.", PaperChoice)
	}
	all := []string{
		"From the titles of papers, not their abstracts, which are not published: a different experiment from the paper's, whose numbers stand beside.",
		over(seeds) + " " + how,
		"The learning rate of M2V++ and asp2vec-het, their walks and that asp2vec-het has no warm-up were chosen by the development papers under seed 1; Camel and TaPEm have what is published.",
		"A random order of the candidates has Recall@5 .05, Recall@10 .10 and AUC .50.",
	}
	if lost > 0 {
		all = append(all, fmt.Sprintf("Left out: %d numbers that are not finite, or missing.", lost))
	}
	return all
}
