package experiments

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/results"
	"gonum.org/v1/gonum/stat"
)

// SweepRow is what the runs of one combination came to on one data set, over the seeds.
type SweepRow struct {
	Dataset  string        `json:"dataset"`
	Values   []string      `json:"values"`              // of Sweep.Varied
	AUC      results.Value `json:"auc"`                 // on the test links
	Choice   results.Value `json:"choice"`              // AUC of the reported epoch on the links that chose it, or as ChosenOn says; N is 0 where none did
	ChosenOn string        `json:"chosen_on,omitempty"` // "validation" or "test" links, "recall@5 of other papers"; "" where Choice is of none, or mixed
	Seeds    int           `json:"seeds"`               // that were asked for
	Best     bool          `json:"best"`
}

// Rows returns a row for each data set and combination of a sweep's jobs, in their order.
//
// Best is the row of a data set with the highest mean Choice, among those with a record for every seed: by the validation
// links or papers or, only under the paper's protocol, by the test links. Rows whose epochs were chosen on different links are not
// ranked against each other, and those without such links not at all.
func (s *Sweep) Rows(jobs []Job, runs *Runs) []SweepRow {
	var rows []SweepRow
	type contest struct{ dataset, chosenOn string }
	best := map[contest]int{}
	for first := 0; first < len(jobs); {
		last := first
		var test, choice []float64
		chosenOn := ""
		for ; last < len(jobs) && butSeed(jobs[last]) == butSeed(jobs[first]); last++ {
			record, there := runs.Find(jobs[last])
			if !there {
				continue
			}
			if x, ok := record.Metrics["auc"]; ok && x == x { // JSON has no NaN
				test = append(test, x)
			}
			x, on := choiceOf(record)
			if on != "" && x == x && (len(choice) == 0 || on == chosenOn) {
				choice, chosenOn = append(choice, x), on
			}
		}
		j := jobs[first]
		row := SweepRow{Dataset: j.Dataset, Values: s.Values(j), AUC: valueOf(test), Choice: valueOf(choice), ChosenOn: chosenOn, Seeds: last - first}
		at := contest{row.Dataset, chosenOn}
		ranked := row.Choice.N == row.Seeds && (chosenOn == onValidation || OnPapers(chosenOn) || chosenOn == onTest && j.Protocol == "paper")
		if leader, there := best[at]; ranked && (!there || row.Choice.Mean > rows[leader].Choice.Mean) {
			best[at] = len(rows)
		}
		rows = append(rows, row)
		first = last
	}
	for _, i := range best {
		rows[i].Best = true
	}
	return rows
}

// Shown returns the AUC to show of a row: that of the test links or, where every run held links out and looked at no test
// links, that of the links held out.
func (r SweepRow) Shown() results.Value {
	if r.AUC.N == 0 && r.ChosenOn == onValidation {
		return r.Choice
	}
	return r.AUC
}

// ScoreOf returns the AUC of a run, or the Recall@20 of one that ranks targets, and what records call it: of the test links or, where
// they were not looked at, of those held out.
func ScoreOf(m results.Metrics) (name string, score float64) {
	for _, name := range []string{ValidationPrefix + RankingChoice, RankingChoice} {
		if has(m, name) && (has(m, "ndcg@20") || has(m, ValidationPrefix+"ndcg@20")) { // authors have no such metric
			return name, m[name]
		}
	}
	if score, there := m[validationAUC]; there && !has(m, "auc") {
		return validationAUC, score
	}
	return "auc", m["auc"]
}

func has(m results.Metrics, name string) bool {
	_, there := m[name]
	return there
}

// SweepTable returns the rows of a sweep as a table, in texts.
func (s *Sweep) SweepTable(rows []SweepRow, notes []string) results.Table {
	t := results.Table{Name: "sweep", Title: s.Title(), Corner: "data set", Columns: append(slices.Clone(s.Varied()), "AUC", "seeds", "chosen on", "score there", "best"), Notes: notes}
	for _, r := range rows {
		best := ""
		if r.Best {
			best = "best"
		}
		row := results.TableRow{Label: r.Dataset}
		for _, text := range append(slices.Clone(r.Values), spreadOf(r.Shown()), r.Counted(), r.ChosenOn, spreadOf(r.Choice), best) {
			row.Values = append(row.Values, results.Value{Text: text})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Title returns the name of the sweep's file, without folder and ending.
func (s *Sweep) Title() string {
	return strings.TrimSuffix(filepath.Base(s.File), filepath.Ext(s.File))
}

// Counted says how many seeds of a row have the AUC that is shown.
func (r SweepRow) Counted() string {
	if n := r.Shown().N; n < r.Seeds {
		return fmt.Sprintf("%d of %d", n, r.Seeds)
	}
	return fmt.Sprint(r.Seeds)
}

// spreadOf writes mean and standard deviation.
func spreadOf(v results.Value) string {
	switch v.N {
	case 0:
		return "-"
	case 1:
		return fmt.Sprintf("%.4f", v.Mean)
	}
	return fmt.Sprintf("%.4f ± %.4f", v.Mean, v.SD)
}

// butSeed returns a job without its seed.
func butSeed(j Job) Job {
	j.Options.Seed = 0
	return j
}

// Links that epochs are chosen on.
const (
	onValidation = "validation"
	onTest       = "test"
	onPapers     = " of other papers" // after the metric
)

// OnPapers says whether a row's epochs were chosen on papers.
func OnPapers(chosenOn string) bool { return strings.HasSuffix(chosenOn, onPapers) }

// choiceOf returns the score of a record's reported epoch on what chose it, and what that is; "" for nothing.
func choiceOf(r results.Record) (score float64, on string) {
	for _, name := range []string{ValidationPrefix + RankingChoice, validationAUC} {
		if score, ok := r.Metrics[name]; ok {
			return score, onValidation
		}
	}
	for _, e := range r.Epochs {
		dev, ofPapers := e.Metrics[DevPrefix+ValidatedChoice]
		recall, ofTargets := e.Metrics[ValidationPrefix+RankingChoice]
		switch {
		case e.Stage != r.BestStage || e.Epoch != r.BestEpoch:
		case r.Selection == results.ValidationBest && ofTargets:
			return recall, onValidation
		case r.Selection == results.ValidationBest && ofPapers:
			return dev, ValidatedChoice + onPapers
		case r.Selection == results.TestBest && ofPapers:
			return e.Metrics[DevPrefix+PaperChoice], PaperChoice + onPapers
		case r.Selection == results.ValidationBest && e.ValidationAUC != nil:
			return *e.ValidationAUC, onValidation
		case r.Selection == results.TestBest && e.TestAUC != nil:
			return *e.TestAUC, onTest
		}
	}
	return 0, ""
}

// valueOf returns mean, standard deviation and number of a sample.
func valueOf(x []float64) results.Value {
	v := results.Value{N: len(x)}
	if v.N > 0 {
		v.Mean = stat.Mean(x, nil)
	}
	if v.N > 1 {
		v.SD = stat.StdDev(x, nil)
	}
	return v
}
