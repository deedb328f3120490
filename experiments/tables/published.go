package tables

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// published returns a table of the paper as it stands there, with no number of ours.
func published(number int, title, corner string, notes ...string) render.Table {
	t := render.Table{Name: fmt.Sprintf("table%d", number), Title: title, Corner: corner, Notes: notes}
	cells := results.PaperTable(number)
	var rows []string
	for _, c := range cells {
		if !slices.Contains(t.Columns, c.Column) {
			t.Columns = append(t.Columns, c.Column)
		}
		if !slices.Contains(rows, c.Row) {
			rows = append(rows, c.Row)
		}
	}
	for _, label := range rows {
		row := render.Row{Label: label}
		for _, column := range t.Columns {
			v := render.Value{}
			if c, ok := results.Paper(number, label, column); ok {
				if v.Printed = c.Printed; c.Numeric {
					v.Paper = &c.Value
				}
			}
			row.Values = append(row.Values, v)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// withoutRuns returns the spec of a table that no run is needed for.
func withoutRuns(number int, title string, table func(sweep.Scope) render.Table) Spec {
	return Spec{
		Name: fmt.Sprintf("table%d", number), Title: title,
		Jobs:  func(sweep.Scope) []store.Job { return nil },
		Table: func(_ *store.Runs, s sweep.Scope) []render.Table { return []render.Table{table(s)} },
	}
}
