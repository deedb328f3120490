package store

import (
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
)

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
