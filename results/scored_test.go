package results

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// Scores of a record come later, and reading joins them with it: those of the same code together, those of another in
// their place.
func TestScores(t *testing.T) {
	r, other := sample(), sample()
	other.Seed++
	r.Scores, other.Scores = nil, nil
	scores := []Scored{
		{Of: r.ID(), Score: "dot", Metrics: Metrics{"auc": .5}},
		{Of: r.ID(), Score: "dot", Metrics: Metrics{"ap": .25}},
		{Of: r.ID(), Score: "max", Metrics: Metrics{"auc": .5}},
		{Of: r.ID(), Score: "max", Definition: "other", Metrics: Metrics{"ap": .75}},
		{Of: r.ID(), Score: "sum", Definition: r.ScoreDefinition, Metrics: Metrics{"ap": .125}},
		{Of: "nobody", Score: "sum", Metrics: Metrics{"ap": 1}},
	}
	packed := filepath.Join(t.TempDir(), "store.jsonl") // as earlier versions wrote them: a line each
	text := slices.Concat(call.Of(r.Line())(t), call.Of(other.Line())(t))
	for _, s := range scores {
		line := call.Of(s.Line())(t)
		text = append(text, line...)
	}
	call.File(t, packed, text)
	folders := t.TempDir() // a file each, with all metrics
	written := r
	for _, s := range scores[:5] {
		written.AddScore(s)
		s.Metrics = written.MetricsBy(s.Score)
		call.OK(t, s.Write(filepath.Join(folders, "a")))
	}
	call.OK(t, r.Write(filepath.Join(folders, "a")), other.Write(filepath.Join(folders, "b")))
	for _, store := range []string{packed, folders} {
		got, problems, err := ReadStore(store)
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
	}
	call.OK(t, scores[5].Write(filepath.Join(folders, "b")))
	if _, problems, err := ReadStore(folders); err != nil || len(problems) != 1 {
		t.Errorf("a score of another run: problems %v, %v", problems, err)
	}
	for _, s := range map[string]Scored{"no record": {Score: "dot"}, "no name": {Of: "x"}} {
		call.Refused(t, "score")(s.Write(t.TempDir()))
	}
}
