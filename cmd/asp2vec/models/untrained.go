package models

import (
	"fmt"
	"maps"
	"slices"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/results"
)

// Metric is a metric of records, and what people are told that it is.
type Metric struct{ Name, Title string }

// RankingMetrics are those of rankings that a run prints, as the paper's Table 5 has them; a run has some of them.
var RankingMetrics = []Metric{
	{"recall@5", "Recall@5"}, {"recall@10", "Recall@10"}, {"f1@5", "F1@5"}, {"f1@10", "F1@10"}, {"auc", "AUC"},
}

// RankedBetter says that a baseline, which needs no training, is above a model by a metric, and by how much: the best of them, and of equals the
// first by name. It is "" where none is.
func RankedBetter(metric Metric, model float64, baselines map[string]results.Metrics) string {
	best := ""
	for _, name := range slices.Sorted(maps.Keys(baselines)) {
		if name == hetnet.CoAuthors {
			continue // which sees the other candidates
		}
		if x := baselines[name][metric.Name]; x > model && (best == "" || x > baselines[best][metric.Name]) {
			best = name
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("%s, which needs no training, ranks better: %s %s, here %s", best, metric.Title, shell.AUC(baselines[best][metric.Name]), shell.AUC(model))
}
