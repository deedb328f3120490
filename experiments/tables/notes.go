package tables

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// notes returns what is to be said of a table, and what its file says.
func (p *projection) notes(t render.Table) (all []string) {
	seeds := t.Seeds()
	p.seen.seeds = seeds
	if p.Typed() {
		all = typedNotes(p.Part.Datasets, p.protocol, p.seen)
	} else {
		directed := slices.ContainsFunc(p.Part.Datasets, func(d source.DataSet) bool { return d.Directed })
		all = aucNotes(p.protocol, p.View.Number > 0, seeds, directed, p.seen.lost)
	}
	if filled := p.filled(t.Rows, seeds); filled != "" && seeds > 0 {
		all = append([]string{filled}, all...)
	}
	return slices.Concat(all, p.runs.Notes(p.cells()), p.View.Notes)
}

// cells returns what each cell of the table shows one of, seed by seed.
func (p *projection) cells() (all [][]store.Job) {
	for _, d := range p.Part.Datasets {
		for _, c := range p.Columns {
			for _, seed := range p.Part.Seeds {
				all = append(all, c.Jobs(d, p.protocol, seed))
			}
		}
	}
	return all
}

// filled says how much of a table of the paper there is, how much of it with fewer seeds, and of which rows nothing; "" of a whole one.
func (p *projection) filled(rows []render.Row, seeds int) string {
	there, fewer, all := 0, 0, 0
	var empty []string
	for _, r := range rows {
		n := seq.Count(r.Values, func(v render.Value) bool { return v.N > 0 })
		if there, all = there+n, all+len(r.Values); n == 0 {
			empty = append(empty, r.Label)
		}
		fewer += seq.Count(r.Values, func(v render.Value) bool { return 0 < v.N && v.N < seeds })
	}
	if there == all && fewer == 0 || p.View.Number == 0 {
		return ""
	}
	how := ""
	if fewer > 0 {
		how = fmt.Sprintf(", %d of them with fewer than %d seeds", fewer, seeds)
	}
	if there > 0 && len(empty) > 0 {
		how += ", none of " + strings.Join(empty, ", ")
	}
	command := p.TableName() + " --protocol " + p.protocol
	if p.negatives != "" {
		command += " --negatives " + p.negatives
	}
	return fmt.Sprintf("%d of %d cells are filled%s; asp2vec reproduce %s does the runs that are missing, and with --dry-run says how long they take.", there, all, how, command)
}

// aucNotes returns what is to be said of a table of AUCs, of the paper or not, with so many seeds to a cell.
func aucNotes(protocol string, inPaper bool, seeds int, directed bool, lost int) []string {
	how, beside := "The epoch is chosen by test AUC, as published", ""
	switch protocol {
	case "validated":
		how, beside = "The epoch is chosen by held-out training links", "; the paper's numbers are from epochs chosen by test AUC"
	case run.StandardProtocol:
		how, beside = "Training ends after a fixed number of pairs, and test links choose nothing", "; the paper's numbers are from epochs chosen by test AUC"
	}
	if !inPaper {
		beside = ""
	}
	all := []string{over(seeds, lost) + " " + how + beside + "."}
	if inPaper {
		all = append(all, fmt.Sprintf("The paper gives one run, the best epsilon of five by test AUC; here epsilon is %v unless stated.", graphs.Default().Epsilon))
	}
	if inPaper && protocol == "paper" {
		all = append(all, fmt.Sprintf("Marked: asp2vec more than %v from the paper's number.", band))
	}
	if directed {
		all = append(all, "Directed networks use the paper's test negatives, which include the reverse of every arc.")
	}
	if lost > 0 {
		all = append(all, fmt.Sprintf("Left out: %d runs whose records have no finite AUC of this kind.", lost))
	}
	return all
}

// over says what the number of a cell is over; lost is how many runs have none.
func over(seeds, lost int) string {
	switch {
	case seeds == 0 && lost > 0:
		return "The runs of this table have no score on test links; results best shows what they have on links held out."
	case seeds == 0:
		return "No run is shown."
	case seeds == 1:
		return "One seed per cell."
	}
	return fmt.Sprintf("Mean ± sample standard deviation over %d seeds, or over the number in parentheses.", seeds)
}

// typedNotes returns the notes of a table on data sets of several types of vertices, each once.
func typedNotes(datasets []source.DataSet, protocol string, seen audit) []string {
	var all []string
	for _, d := range datasets {
		for _, note := range authorNotes(d, protocol, seen) {
			if !slices.Contains(all, note) {
				all = append(all, note)
			}
		}
	}
	return all
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
	if d.Name == sweep.PaperBibliography {
		all = append(all, "From titles of papers. The paper uses abstracts, which are published in TaPEm's repository but were not used here: this is a different experiment from the one whose numbers are shown.")
	}
	if d.Own != nil {
		all = append(all, fmt.Sprintf("From the bibliography in %s, which is not the paper's.", d.Own.Bibliography))
	}
	all = append(all, over(seen.seeds, 0)+" "+how, choice)
	if d.Own == nil { // with a hundred candidates for each paper
		all = append(all, "A random order of the candidates has Recall@5 .05, Recall@10 .10 and AUC .50.")
	}
	if seen.baselines != nil {
		text := fmt.Sprintf("Not trained, on the same papers: %s ranks candidates by the number of their training papers, %s by the words that they share with the paper; its two constants are chosen on the development papers.",
			hetnet.Popularity, hetnet.TFIDF)
		if _, there := seen.baselines[hetnet.WordMeans]; there {
			text += fmt.Sprintf(" So are those of %s, which compares means of the word vectors that the methods begin with, weighted by tf-idf.", hetnet.WordMeans)
		}
		if _, there := seen.baselines[hetnet.CoAuthors]; there {
			text += fmt.Sprintf(" %s ranks candidates by how many of the other candidates of the paper they have written with: authors of a paper know one another, candidates drawn at random do not, and no method sees the list.", hetnet.CoAuthors)
		}
		all = append(all, text)
	}
	if len(seen.spreads) > 1 {
		all = append(all, fmt.Sprintf("How far apart the scores of the aspects lie by which one is selected, beside 1.28 of the Gumbel noise: %s. Below %.3f the aspects are alike: a row then says nothing of several aspects or of what selects them.",
			strings.Join(seq.Map(seen.spreads, func(s spread) string { return fmt.Sprintf("%s %.2g", s.row, s.of) }), ", "), results.LeastSpread))
	}
	if seen.lost > 0 {
		all = append(all, fmt.Sprintf("Left out: %d scores that are missing or not finite.", seen.lost))
	}
	return all
}
