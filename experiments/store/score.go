package store

import (
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/results"
)

// ScoreOf returns the AUC of a run and what records call it: of the test links or, where they were not looked at, of those held out.
func ScoreOf(m results.Metrics) (name string, score float64) {
	if score, there := m[run.ValidationAUC]; there && !has(m, "auc") {
		return run.ValidationAUC, score
	}
	return "auc", m["auc"]
}

// TestScore returns the AUC of a run whose test links were looked at, if it is a number: JSON has no NaN.
func TestScore(m results.Metrics) (float64, bool) {
	x := m["auc"]
	return x, has(m, "auc") && x == x
}

func has(m results.Metrics, name string) bool {
	_, there := m[name]
	return there
}
