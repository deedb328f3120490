package tables

import (
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
)

// Row is what the runs of one combination came to on one data set, over the seeds.
type Row struct {
	Dataset  string       `json:"dataset"`
	Values   []string     `json:"values"`              // of sweep.File.Varied
	AUC      render.Value `json:"auc"`                 // on the test links
	Choice   render.Value `json:"choice"`              // AUC of the reported epoch on the links that chose it, or as ChosenOn says; N is 0 where none did
	ChosenOn string       `json:"chosen_on,omitempty"` // "validation" or "test" links, "recall@5 of other papers"; "" where Choice is of none, or mixed
	Seeds    int          `json:"seeds"`               // that were asked for
	Best     bool         `json:"best"`
	AsGood   bool         `json:"as_good,omitempty"` // as the best: within a standard error of it
}

// Rows returns a row for each data set and setting of a sweep's jobs, in their order.
//
// Best is the row of a data set with the highest mean Choice, among those with a record for every seed: by the validation
// links or papers or, only under the paper's protocol, by the test links. Rows whose epochs were chosen on different links are not
// ranked against each other, and those without such links not at all. Rows within a standard error of the best, over its seeds, are as good.
func Rows(s *sweep.File, jobs []store.Job, runs *store.Runs) []Row {
	cells, err := s.Cells()
	if err != nil {
		return nil // the jobs are not of this sweep
	}
	asked := seq.Set(jobs, store.Job.Key)
	var rows []Row
	type contest struct{ dataset, chosenOn string }
	best := map[contest]int{}
	for _, c := range cells {
		row := row(s, c, asked, runs)
		if row.Seeds == 0 {
			continue
		}
		at := contest{row.Dataset, row.ChosenOn}
		ranked := row.Choice.N == row.Seeds && (row.ChosenOn == store.OnValidation || store.OnPapers(row.ChosenOn) || row.ChosenOn == store.OnTest && c.Protocol == "paper")
		if leader, there := best[at]; ranked && (!there || row.Choice.Mean > rows[leader].Choice.Mean) {
			best[at] = len(rows)
		}
		rows = append(rows, row)
	}
	for at, i := range best {
		rows[i].Best = true
		margin := rows[i].Choice.SD / math.Sqrt(float64(rows[i].Choice.N))
		for k, other := range rows {
			rows[k].AsGood = other.AsGood || k != i && (contest{other.Dataset, other.ChosenOn}) == at && other.Choice.N == other.Seeds && other.Choice.Mean >= rows[i].Choice.Mean-margin
		}
	}
	return rows
}

// Left returns what the rows of a sweep do not show; see store.Runs.Notes.
func Left(s *sweep.File, runs *store.Runs) []string {
	cells, err := s.Cells()
	if err != nil {
		return nil // Rows has none either
	}
	return runs.Notes(seq.Flat(cells, func(c sweep.Cell) [][]store.Job {
		return seq.Map(s.Seeds, func(seed uint64) []store.Job { return c.Jobs(c.Data, c.Protocol, seed) })
	}))
}

// row returns what came of a cell, under the seeds for which it was asked for.
func row(s *sweep.File, c sweep.Cell, asked map[string]bool, runs *store.Runs) Row {
	row := Row{Dataset: c.Data.Name}
	var test, choice []float64
	var shown store.Job
	chosen := false
	for _, seed := range s.Seeds {
		jobs := c.Jobs(c.Data, c.Protocol, seed)
		if !slices.ContainsFunc(jobs, func(j store.Job) bool { return asked[j.Key()] }) {
			continue
		}
		row.Seeds++
		j, record, there := runs.Shown(jobs)
		if !chosen {
			shown, chosen = j, there
		}
		if !there {
			continue
		}
		if x, ok := store.TestScore(record.Metrics); ok {
			test = append(test, x)
		}
		if x, on := store.ChosenBy(record); on != "" && (len(choice) == 0 || on == row.ChosenOn) {
			choice, row.ChosenOn = append(choice, x), on
		}
	}
	if row.Seeds > 0 {
		row.Values = s.Values(c, shown, chosen)
	}
	row.AUC, row.Choice = render.ValueOf(test), render.ValueOf(choice)
	return row
}

// RowsTable returns the rows of a sweep as a table, in texts. What the test links say, and what chose, have a column each; none where no row has it.
func RowsTable(s *sweep.File, rows []Row, notes []string) render.Table {
	type column struct {
		name string
		of   func(Row) string
		has  func(Row) bool // nil for a column that every table has
	}
	validated := func(r Row) bool { return r.ChosenOn == store.OnValidation }
	otherwise := func(r Row) bool { return r.otherOn() != "" }
	columns := slices.DeleteFunc([]column{
		{"test AUC", func(r Row) string { return render.Spread(r.AUC) }, func(r Row) bool { return r.AUC.N > 0 }},
		{"validation AUC", func(r Row) string { return r.choice(validated(r)) }, validated},
		{"score that chose", func(r Row) string { return r.choice(otherwise(r)) }, otherwise},
		{"on", Row.otherOn, otherwise},
		{"seeds", Row.Counted, nil},
		{"best", Row.mark, nil},
	}, func(c column) bool { return c.has != nil && !slices.ContainsFunc(rows, c.has) })
	t := render.Table{Name: "sweep", Title: s.Title(), Corner: "data set", Columns: append(slices.Clone(s.Varied()), seq.Map(columns, func(c column) string { return c.name })...), Notes: notes}
	for _, r := range rows {
		words := append(slices.Clone(r.Values), seq.Map(columns, func(c column) string { return c.of(r) })...)
		t.Rows = append(t.Rows, render.Row{Label: r.Dataset, Values: render.Texts(words...)})
	}
	return t
}

// choice shows what chose, in the column that is of it.
func (r Row) choice(here bool) string {
	if here {
		return render.Spread(r.Choice)
	}
	return render.Spread(render.Value{})
}

// otherOn says what chose, if that was not the validation links.
func (r Row) otherOn() string {
	if r.ChosenOn == store.OnValidation {
		return ""
	}
	return r.ChosenOn
}

// mark says whether a row is the best.
func (r Row) mark() string {
	switch {
	case r.Best:
		return "best"
	case r.AsGood:
		return "as good"
	}
	return ""
}

// Counted says how many seeds of a row have the AUC that is shown.
func (r Row) Counted() string {
	if n := max(r.AUC.N, r.Choice.N); n < r.Seeds {
		return fmt.Sprintf("%d of %d", n, r.Seeds)
	}
	return fmt.Sprint(r.Seeds)
}
