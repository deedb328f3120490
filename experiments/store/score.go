package store

import (
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/results"
)

// ScoreOf returns the AUC of a run, or the Recall@20 of one that ranks targets, and what records call it: of the test links or, where
// they were not looked at, of those held out.
func ScoreOf(m results.Metrics) (name string, score float64) {
	for _, name := range []string{run.ValidationPrefix + run.RankingChoice, run.RankingChoice} {
		if has(m, name) && (has(m, "ndcg@20") || has(m, run.ValidationPrefix+"ndcg@20")) { // authors have no such metric
			return name, m[name]
		}
	}
	if score, there := m[run.ValidationAUC]; there && !has(m, "auc") {
		return run.ValidationAUC, score
	}
	return "auc", m["auc"]
}

// TestScore returns the ScoreOf a run whose test links or pairs were looked at, if it is a number: JSON has no NaN.
func TestScore(m results.Metrics) (float64, bool) {
	name, x := ScoreOf(m)
	return x, has(m, name) && !strings.HasPrefix(name, run.ValidationPrefix) && x == x
}

func has(m results.Metrics, name string) bool {
	_, there := m[name]
	return there
}

// ScoreTitle returns how a table heads a score that ScoreOf names: AUC, or Recall@20.
func ScoreTitle(name string) string {
	if strings.TrimPrefix(name, run.ValidationPrefix) == run.RankingChoice {
		return "Recall@20"
	}
	return "AUC"
}

// ScoreHeading returns the heading of a column of scores with these titles: "AUC or Recall@20" where there are both, AUC for none.
func ScoreHeading(titles []string) string {
	titles = slices.Compact(slices.Sorted(slices.Values(titles)))
	titles = slices.DeleteFunc(titles, func(title string) bool { return title == "" })
	if len(titles) == 0 {
		return ScoreTitle("auc")
	}
	return strings.Join(titles, " or ")
}
