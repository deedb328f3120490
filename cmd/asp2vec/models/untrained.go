package models

import (
	"fmt"
	"maps"
	"slices"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/results"
)

// rankedBetter says that a baseline, which needs no training, is above a model by a metric, and by how much: the best of them, and of equals the
// first by name. It is "" where none is. title is the metric's for people.
func rankedBetter(metric, title string, model float64, baselines map[string]results.Metrics) string {
	best := ""
	for _, name := range slices.Sorted(maps.Keys(baselines)) {
		if name == hetnet.CoAuthors {
			continue // which sees the other candidates
		}
		if x := baselines[name][metric]; x > model && (best == "" || x > baselines[best][metric]) {
			best = name
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("%s, which needs no training, ranks better: %s %s, here %s", best, title, shell.AUC(baselines[best][metric]), shell.AUC(model))
}
