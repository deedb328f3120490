package tables

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
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
func withoutRuns(number int, title string, table func(sweep.Selection) render.Table) Spec {
	return Spec{
		Name: fmt.Sprintf("table%d", number), Title: title,
		Jobs:  func(sweep.Selection) []store.Job { return nil },
		Table: func(_ *store.Runs, s sweep.Selection) []render.Table { return []render.Table{table(s)} },
	}
}

// table2 counts the networks as their files have them, before anything is taken away.
func table2() Spec {
	const title = "The networks"
	table := func(s sweep.Selection) render.Table {
		t := published(2, title, "raw network",
			"Counted in the files, before the largest component is taken; an undirected link counts once. The paper's counts of PPI and Wikipedia are of both directions.",
			"DBLP: the published files, without authors who only have test papers.")
		t.Rows = slices.DeleteFunc(t.Rows, func(r render.Row) bool { return len(s.Datasets) > 0 && !s.Names(datasetOf(r.Label)) })
		return t
	}
	spec := withoutRuns(2, title, table)
	spec.Data = func(dataDir string, s sweep.Selection) (render.Table, error) {
		t := table(s)
		for i, row := range t.Rows {
			stats, ok, err := rawStats(dataDir, datasetOf(row.Label))
			if err != nil {
				return t, err
			}
			for j, column := range t.Columns {
				if n, counted := stats[column]; ok && counted {
					t.Rows[i].Values[j].Mean, t.Rows[i].Values[j].N = float64(n), 1
				}
			}
		}
		return t, nil
	}
	return spec
}

// datasetOf returns the data set of a row of Table 2, which says more than its name: "Filmtrust (Dir.)".
func datasetOf(label string) string {
	name, _, _ := strings.Cut(label, " (")
	return name
}

// rawStats counts the file of a data set, if there is one.
func rawStats(dataDir, name string) (stats map[string]int, ok bool, err error) {
	d, err := network.Lookup(name)
	if err != nil {
		return nil, false, fmt.Errorf("experiments: table 2: %w", err)
	}
	path, _, err := d.Find(dataDir)
	if err != nil || path == "" {
		return nil, false, nil
	}
	if d.Typed {
		b, _, err := hetnet.Read(filepath.Dir(path))
		if err != nil {
			return nil, false, fmt.Errorf("experiments: table 2: %w", err)
		}
		return map[string]int{"Num. authors": len(b.Authors), "Num. papers": len(b.Papers), "Num. venues": len(b.Venues)}, true, nil
	}
	n, _, err := network.Read(path, network.ReadOptions{Directed: d.Directed})
	if err != nil {
		return nil, false, fmt.Errorf("experiments: table 2: %w", err)
	}
	return map[string]int{"Num. nodes": n.Vertices(), "Num. edges": n.Links()}, true, nil
}

// table7 links to the published code of the methods that the paper compares with.
func table7() Spec {
	const title = "Published code of the methods"
	return withoutRuns(7, title, func(sweep.Selection) render.Table {
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
	return withoutRuns(8, title, func(s sweep.Selection) render.Table {
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
