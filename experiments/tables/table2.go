package tables

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/render"
)

// table2 counts the networks as their files have them, before anything is taken away.
func table2() Spec {
	const title = "The networks"
	table := func(s sweep.Scope) render.Table {
		t := published(2, title, "raw network",
			"Counted in the files, before the largest component is taken; an undirected link counts once. The paper's counts of PPI and Wikipedia are of both directions.",
			"DBLP: the published files, without authors who only have test papers.")
		t.Rows = slices.DeleteFunc(t.Rows, func(r render.Row) bool { return len(s.Datasets) > 0 && !s.Names(datasetOf(r.Label)) })
		return t
	}
	spec := withoutRuns(2, title, table)
	spec.Data = func(dataDir string, s sweep.Scope) (render.Table, error) {
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
		b, _, err := papers.Read(filepath.Dir(path))
		if err != nil {
			return nil, false, fmt.Errorf("experiments: table 2: %w", err)
		}
		return map[string]int{"Num. authors": b.Vertices(papers.Author), "Num. papers": b.Papers(), "Num. venues": b.Vertices(papers.Venue)}, true, nil
	}
	n, _, err := network.Read(path, network.ReadOptions{Directed: d.Directed})
	if err != nil {
		return nil, false, fmt.Errorf("experiments: table 2: %w", err)
	}
	return map[string]int{"Num. nodes": n.Vertices(), "Num. edges": n.Links()}, true, nil
}
