package tables

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/run"
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
}

// Rows returns a row for each data set and setting of a sweep's jobs, in their order.
//
// Best is the row of a data set with the highest mean Choice, among those with a record for every seed: by the validation
// links or papers or, only under the paper's protocol, by the test links. Rows whose epochs were chosen on different links are not
// ranked against each other, and those without such links not at all.
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
	for _, i := range best {
		rows[i].Best = true
	}
	return rows
}

// row returns what came of a cell, under the seeds for which it was asked for.
func row(s *sweep.File, c sweep.Cell, asked map[string]bool, runs *store.Runs) Row {
	row := Row{Dataset: c.Data.Name}
	var test, choice []float64
	first := runs.BestOf(c.Jobs(c.Data, c.Protocol, store.FirstSeed))
	var shown store.Job
	chosen := false
	for _, seed := range s.Seeds {
		jobs := c.Jobs(c.Data, c.Protocol, seed)
		if !slices.ContainsFunc(jobs, func(j store.Job) bool { return asked[j.Key()] }) {
			continue
		}
		row.Seeds++
		j, there := runs.Pick(jobs, first)
		if !chosen {
			if shown = jobs[0]; there {
				shown = j
			}
			chosen = there
		}
		if !there {
			continue
		}
		record, _ := runs.Find(j)
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

// Shown returns the AUC to show of a row: that of the test links or, where every run held links out and looked at no test
// links, that of the links held out.
func (r Row) Shown() render.Value {
	if r.AUC.N == 0 && r.ChosenOn == store.OnValidation {
		return r.Choice
	}
	return r.AUC
}

// RowsTable returns the rows of a sweep as a table, in texts.
func RowsTable(s *sweep.File, rows []Row, notes []string) render.Table {
	t := render.Table{Name: "sweep", Title: s.Title(), Corner: "data set", Columns: append(slices.Clone(s.Varied()), ScoreName(s), "seeds", "chosen on", "score", "best"), Notes: notes}
	for _, r := range rows {
		best := ""
		if r.Best {
			best = "best"
		}
		words := append(slices.Clone(r.Values), render.Spread(r.Shown()), r.Counted(), r.ChosenOn, render.Spread(r.Choice), best)
		t.Rows = append(t.Rows, render.Row{Label: r.Dataset, Values: render.Texts(words...)})
	}
	return t
}

// ScoreName says what rows show: the AUC, or the Recall@20 where links of a schema are ranked.
func ScoreName(s *sweep.File) string {
	var titles []string
	for _, d := range s.Datasets {
		if d.Schema != "" {
			titles = append(titles, store.ScoreTitle(run.RankingChoice))
		} else {
			titles = append(titles, store.ScoreTitle("auc"))
		}
	}
	return store.ScoreHeading(titles)
}

// Counted says how many seeds of a row have the AUC that is shown.
func (r Row) Counted() string {
	if n := r.Shown().N; n < r.Seeds {
		return fmt.Sprintf("%d of %d", n, r.Seeds)
	}
	return fmt.Sprint(r.Seeds)
}
