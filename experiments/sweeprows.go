package experiments

import (
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
	if score, ok := r.Metrics[validationAUC]; ok {
		return score, onValidation
	}
	for _, e := range r.Epochs {
		dev, ofPapers := e.Metrics[DevPrefix+ValidatedChoice]
		switch {
		case e.Stage != r.BestStage || e.Epoch != r.BestEpoch:
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
