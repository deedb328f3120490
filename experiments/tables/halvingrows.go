package tables

import (
	"cmp"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/results/render"
)

// halvingRows returns a row for each combination on each data set, the farthest first: how far it came, its score there and, of what was
// found, the AUC on test links.
func halvingRows(s *sweep.File, cells []sweep.Cell, runs *store.Runs) (rows []Row) {
	for _, j := range s.Contests(cells) {
		rungs := len(s.Halving.Rungs)
		found, known := runs.Alive(j.Job, rungs)
		type placed struct {
			Row
			rung int
		}
		var all []placed
		for i, c := range j.Cells {
			row := placed{Row{Dataset: c.Data.Name, Seeds: 1, Halved: true}, -1}
			shown := j.Rung(0, true, 0).Jobs[i]
			for number := range rungs {
				job := j.Rung(number, true, 0).Jobs[i]
				if record, there := runs.Find(job); there {
					if score, on := store.ChosenBy(record); on != "" {
						row.Choice, row.ChosenOn, row.rung, shown = render.ValueOf([]float64{score}), on, number, job
					}
				}
			}
			if row.Best = known && slices.Contains(found, i); row.Best {
				var test []float64
				for _, seed := range s.Seeds {
					record, there := runs.Find(j.Rung(rungs-1, false, seed).Jobs[i])
					if x, ok := store.TestScore(record.Metrics); there && ok {
						test = append(test, x)
					}
				}
				row.AUC, row.Seeds, row.rung = render.ValueOf(test), len(s.Seeds), rungs
			}
			if row.Values = s.Values(c, shown, true); row.rung < 0 {
				row.Values[len(row.Values)-1] = ""
			}
			all = append(all, row)
		}
		slices.SortStableFunc(all, func(a, b placed) int {
			return cmp.Or(cmp.Compare(b.rung, a.rung), cmp.Compare(b.Choice.Mean, a.Choice.Mean))
		})
		for _, row := range all {
			rows = append(rows, row.Row)
		}
	}
	return rows
}
