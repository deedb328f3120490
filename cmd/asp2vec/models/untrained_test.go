package models

import (
	"testing"

	"github.com/asp2vec/asp2vec/results"
)

// The best of the baselines that are above a model is named; none is that is as good, or is not measured by the metric.
func TestRankedBetter(t *testing.T) {
	baselines := map[string]results.Metrics{"popularity": {"auc": 0.6, "mrr": 0.2}, "neighbours": {"auc": 0.7}, "means": {"auc": 0.7}, "tf-idf": {"mrr": 0.9}}
	for model, want := range map[float64]string{
		0.5:  "means, which needs no training, ranks better: AUC 0.7000, here 0.5000",
		0.65: "means, which needs no training, ranks better: AUC 0.7000, here 0.6500",
		0.7:  "",
	} {
		if got := RankedBetter(Metric{"auc", "AUC"}, model, baselines); got != want {
			t.Errorf("a model of %v: %q, expected %q", model, got, want)
		}
	}
	if got := RankedBetter(Metric{"auc", "AUC"}, 0, nil); got != "" {
		t.Errorf("without baselines: %q", got)
	}
}
