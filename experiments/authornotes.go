package experiments

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// metricKeys are the names in records of the paper's metrics; others have the names of records.
var metricKeys = map[string]string{"Recall@5": "recall@5", "Recall@10": "recall@10", "F1@5": "f1@5", "F1@10": "f1@10", "AUC": "auc"}

// metricKey returns the name in records of a metric.
func metricKey(metric string) string {
	if key, ok := metricKeys[metric]; ok {
		return key
	}
	return metric
}

// untrained returns the rows of rankings that need no training: none where no record has them.
func untrained(metrics []string, baselines map[string]results.Metrics) (rows []render.Row) {
	for _, name := range []string{run.BaselinePopularity, run.BaselineTFIDF, run.BaselineNeighbours} {
		m, there := baselines[name]
		if !there {
			continue
		}
		row := render.Row{Label: name + ", not trained"}
		for _, metric := range metrics {
			row.Values = append(row.Values, render.Value{Mean: m[metricKey(metric)], N: 1})
		}
		rows = append(rows, row)
	}
	return rows
}

// audit is what a table's notes say of its runs.
type audit struct {
	seeds, lost int
	collapsed   int // runs on word vectors that have collapsed
	baselines   map[string]results.Metrics
}

// look takes in some runs; baselines are the same in all of them, and the latest record has the last word.
func (a *audit) look(records []results.Record) {
	for _, r := range records {
		if r.Words != nil && r.Words.Collapsed {
			a.collapsed++
		}
		if r.Baselines != nil {
			a.baselines = r.Baselines
		}
	}
}

// records returns those of the setting under some seeds, as far as there are any.
func (c column) records(r *store.Runs, d source.DataSet, protocol string, seeds []uint64) (all []results.Record) {
	for _, seed := range seeds {
		if j, ok := r.Pick(c.jobs(d, protocol, seed), nil); ok {
			record, _ := r.Find(j)
			all = append(all, record)
		}
	}
	return all
}

// typedNotes returns the notes of a table on data sets of several types of vertices, each once.
func typedNotes(datasets []source.DataSet, protocol string, seen audit) []string {
	var all []string
	for _, d := range datasets {
		of := rankingNotes(seen)
		if d.Schema == "" {
			of = authorNotes(d, protocol, seen)
		}
		for _, note := range of {
			if !slices.Contains(all, note) {
				all = append(all, note)
			}
		}
	}
	return all
}

// rankingNotes returns what is to be said of a table of a heterogeneous network.
func rankingNotes(seen audit) []string {
	all := []string{over(seen.seeds) + " For each source, all targets that are not linked to it in training are ranked."}
	if seen.baselines == nil {
		return all
	}
	text := "Not trained, on the same pairs: popularity ranks targets by their number of training links, neighbours by the sum of their cosines with the targets that the source already has"
	if _, texts := seen.baselines[run.BaselineTFIDF]; texts {
		text += ", tf-idf by the cosine of their words with those of the source"
	}
	return append(all, text+".")
}

// authorNotes returns what is to be said of a table.
func authorNotes(d source.DataSet, protocol string, seen audit) []string {
	how := fmt.Sprintf("The epoch is chosen by %s on one half of the papers, and the scores are on the other half.", run.ValidatedChoice)
	choice := "The learning rate and walks of M2V++ and asp2vec-het, and no warm-up for asp2vec-het, were chosen on the development papers of DBLP with seed 1; Camel and TaPEm use published options."
	switch protocol {
	case "paper":
		how = fmt.Sprintf("Each metric is that of the best epoch of the last stage by the metric itself, on the reported half, as printed by the code of TaPEm; %s on the other half ends training.", run.PaperChoice)
	case run.StandardProtocol:
		how = "Trained for a fixed number of epochs; the scores are on one half of the papers, and the other half plays no part in a run."
		choice = "The options of each method were chosen on the development papers of DBLP with seed 1 (results/recipe/authors.md)."
	}
	var all []string
	if d.Name == PaperBibliography {
		all = append(all, "From titles of papers. The paper uses abstracts, which are published in TaPEm's repository but were not used here: this is a different experiment from the one whose numbers are shown.")
	}
	if d.Own != nil {
		all = append(all, fmt.Sprintf("From the bibliography in %s, which is not the paper's.", d.Own.Bibliography))
	}
	all = append(all, over(seen.seeds)+" "+how, choice)
	if d.Own == nil { // with a hundred candidates for each paper
		all = append(all, "A random order of the candidates has Recall@5 .05, Recall@10 .10 and AUC .50.")
	}
	if seen.baselines != nil {
		all = append(all, fmt.Sprintf("Not trained, on the same papers: %s ranks candidates by the number of their training papers, %s by the words that they share with the paper; its two constants are chosen on the development papers.",
			run.BaselinePopularity, run.BaselineTFIDF))
	}
	if seen.collapsed > 0 {
		all = append(all, fmt.Sprintf("The word vectors of %d of the runs have collapsed: words can hardly be distinguished. See word-epochs.", seen.collapsed))
	}
	if seen.lost > 0 {
		all = append(all, fmt.Sprintf("Left out: %d scores that are missing or not finite.", seen.lost))
	}
	return all
}

// PaperBibliography is the paper's data set of Tables 5 and 6, and that of their claims. Others are to be named.
const PaperBibliography = "DBLP"
