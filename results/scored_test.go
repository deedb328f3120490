package results

import (
	"path/filepath"
	"strings"
	"testing"
)

// Scores of a record come later, in lines of their own, and reading joins them with it: those of the same code together, those of another in
// their place.
func TestScores(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.jsonl")
	r, other := sample(), sample()
	other.Seed++
	r.Scores, other.Scores = nil, nil
	for _, one := range []Record{r, other} {
		if err := one.Append(path); err != nil {
			t.Fatal(err)
		}
	}
	err := AppendScores(t.Context(), path, []Scored{
		{Of: r.ID(), Score: "dot", Metrics: Metrics{"auc": .5}},
		{Of: r.ID(), Score: "dot", Metrics: Metrics{"ap": .25}},
		{Of: r.ID(), Score: "max", Metrics: Metrics{"auc": .5}},
		{Of: r.ID(), Score: "max", Definition: "other", Metrics: Metrics{"ap": .75}},
		{Of: r.ID(), Score: "sum", Definition: r.ScoreDefinition, Metrics: Metrics{"ap": .125}},
		{Of: "nobody", Score: "sum", Metrics: Metrics{"ap": 1}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got, problems, err := ReadStore(path)
	if err != nil || len(problems) > 0 || len(got) != 2 {
		t.Fatal(got, problems, err)
	}
	all := map[string]Metrics{}
	for _, s := range got[0].Scores {
		all[s.Score] = s.Metrics
	}
	if len(all) != 2 || len(all["dot"]) != 2 || len(all["max"]) != 1 || all["max"]["ap"] != .75 {
		t.Errorf("scores %v", all)
	}
	if got[0].Metrics["ap"] != .125 || got[0].Metrics["auc"] != r.Metrics["auc"] {
		t.Errorf("metrics of its own score %v", got[0].Metrics)
	}
	if len(got[1].Scores) != 0 || got[1].Metrics["ap"] != 0 {
		t.Errorf("another record got %v", got[1].Scores)
	}
	for name, s := range map[string]Scored{"no record": {Score: "dot"}, "no name": {Of: "x"}} {
		if _, err := s.Line(); err == nil || !strings.Contains(err.Error(), "score") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
