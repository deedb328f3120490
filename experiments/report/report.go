// Package report makes a page of a store: tables, what the paper claims, learning curves and all runs.
package report

import (
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/compare"
	"github.com/asp2vec/asp2vec/experiments/figures"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
)

// Title is the title of the page.
const Title = "asp2vec: measured results"

// New puts a page together. It begins with the best settings of data of the user's own, and leaves out tables, rows and columns of which
// nothing was run, and sections that are empty.
func New(own render.Table, claims []compare.Claim, tables []render.Table, curves, figures []Picture, runs []render.Table) Page {
	sections := []Section{
		{Title: "Your networks", Tables: measured([]render.Table{own})},
		{Title: "What the paper claims, and what these runs say", Note: compare.VerdictRule, Tables: measured([]render.Table{claimsTable(claims)})},
		{Title: "Tables", Tables: measured(tables), Note: "Mean ± standard deviation over seeds (n); below it the paper's number and the difference, ours less the paper's. " +
			"A dash: never run. A click on a header sorts."},
		{Title: "Learning curves", Pictures: curves, Note: "AUC and loss after each epoch, warm-up first and thin; one line per seed, with a mark at the reported epoch. " +
			"Runs with the defaults of their protocol are shown, or, for a method without such runs, those with the most seeds. Methods that choose by the training loss, or not at all, have no curve."},
		{Title: "Figures", Pictures: figures},
		{Title: "All runs", Tables: measured(runs), Folded: true},
	}
	return Page{
		Title: Title,
		Lead: []string{
			"Multi-aspect network embedding: Park, Yang, Zhu, Kim, Yu and Han, “Unsupervised Differentiable Multi-aspect Network Embedding”, KDD 2020, arXiv:2006.04239.",
			"Scores are areas under the ROC curve (AUC) of link prediction on the test links. Every number here is computed from the records of runs. Under the protocol “paper” the epoch is chosen on the test links, as published, which makes the score too high; under “validated” it is chosen on held-out training links; under “standard” it is not chosen, because training ends after a fixed number of pairs. Every record also has the AUC of scores that need no training. On DBLP, authors of papers are ranked among other candidates (Tables 5 and 6), and other test papers are used instead of held-out links.",
		},
		Sections: seq.Filter(sections, func(s Section) bool { return len(s.Tables)+len(s.Pictures) > 0 }),
	}
}

// Caption says what a figure shows, by the name of its file, as asp2vec figure names it.
func Caption(file string) string {
	name := strings.TrimPrefix(strings.TrimPrefix(file, "figure"), "-")
	f, err := figures.Find(name)
	switch {
	case err != nil:
		return name
	case f.Paper():
		return "Figure " + name + ": " + f.Title
	}
	return f.Title
}

// measured returns tables without the columns and rows of which nothing was run, and without tables that have no number of ours.
func measured(tables []render.Table) (all []render.Table) {
	shown := func(v render.Value) bool { return v.N > 0 || v.Text != "" }
	for _, t := range tables {
		columns := seq.Filter(seq.Upto(len(t.Columns)), func(j int) bool {
			return slices.ContainsFunc(t.Rows, func(r render.Row) bool { return shown(r.Values[j]) })
		})
		some := t
		some.Columns = seq.Map(columns, func(j int) string { return t.Columns[j] })
		some.Rows = seq.Map(t.Rows, func(r render.Row) render.Row {
			return render.Row{Label: r.Label, Values: seq.Map(columns, func(j int) render.Value { return r.Values[j] })}
		})
		some.Rows = seq.Filter(some.Rows, func(r render.Row) bool { return slices.ContainsFunc(r.Values, shown) })
		if len(some.Rows) > 0 {
			all = append(all, some)
		}
	}
	return all
}

// claimsTable has a row for each claim of which anything was run, a column for each protocol, and the numbers behind the verdicts as notes.
func claimsTable(claims []compare.Claim) render.Table {
	t := render.Table{Name: "claims", Title: "verdicts by protocol", Corner: "claim", Columns: []string{"in the paper"}}
	texts := map[string][]string{} // of a row
	var names []string
	for _, c := range claims {
		name, protocol, _ := strings.Cut(c.Name, "/")
		if texts[name] == nil {
			names, texts[name] = append(names, name), []string{c.Text}
		}
		if !slices.Contains(t.Columns, protocol) {
			t.Columns = append(t.Columns, protocol)
		}
		texts[name] = append(texts[name], c.Verdict)
		for _, line := range c.Evidence {
			t.Notes = append(t.Notes, c.Name+": "+line)
		}
	}
	for _, name := range names {
		if slices.ContainsFunc(claims, func(c compare.Claim) bool { return strings.HasPrefix(c.Name, name+"/") && len(c.Evidence) > 0 }) {
			t.Rows = append(t.Rows, render.Row{Label: name, Values: render.Texts(texts[name]...)})
		}
	}
	return t
}
