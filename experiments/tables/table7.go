package tables

import (
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/render"
)

// table7 links to the published code of the methods that the paper compares with.
func table7() Spec {
	const title = "Published code of the methods"
	return withoutRuns(7, title, func(sweep.Scope) render.Table {
		t := published(7, title, "method")
		t.Columns = append(t.Columns, "here")
		for i, row := range t.Rows {
			row.Values[0].Text = row.Values[0].Printed
			var here render.Value
			for _, m := range methods.All() {
				if strings.EqualFold(m.Title, row.Label) && slices.Contains(methods.OfPaper, m.Name) {
					here.Text = "--method " + m.Name
				}
			}
			t.Rows[i].Values = append(row.Values, here)
		}
		return t
	})
}

// table8 links to the data: the paper's address beside the registry's, and the stand-ins that the paper does not have.
func table8() Spec {
	const title = "Where the networks come from"
	return withoutRuns(8, title, func(s sweep.Scope) render.Table {
		t := published(8, title, "data set", "The paper gives Filmtrust's address for CiaoDVD, which is further down on the same page.")
		for _, d := range network.Datasets() {
			at := slices.IndexFunc(t.Rows, func(r render.Row) bool { return r.Label == d.Name })
			if at < 0 {
				at = len(t.Rows)
				t.Rows = append(t.Rows, render.Row{Label: d.Name, Values: make([]render.Value, 1)})
			}
			t.Rows[at].Values[0].Text = d.URL
		}
		t.Rows = slices.DeleteFunc(t.Rows, func(r render.Row) bool { return len(s.Datasets) > 0 && !s.Names(r.Label) })
		return t
	})
}
