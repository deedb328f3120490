package experiments

import (
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
	"gonum.org/v1/gonum/stat"
)

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

// testScore returns the ScoreOf a run whose test links or pairs were looked at, if it is a number: JSON has no NaN.
func testScore(m results.Metrics) (float64, bool) {
	name, x := ScoreOf(m)
	return x, has(m, name) && !strings.HasPrefix(name, ValidationPrefix) && x == x
}

func has(m results.Metrics, name string) bool {
	_, there := m[name]
	return there
}

// spreadOf writes mean and standard deviation.
func spreadOf(v render.Value) string {
	switch v.N {
	case 0:
		return "-"
	case 1:
		return fmt.Sprintf("%.4f", v.Mean)
	}
	return fmt.Sprintf("%.4f ± %.4f", v.Mean, v.SD)
}

// valueOf returns mean, standard deviation and number of a sample.
func valueOf(x []float64) render.Value {
	v := render.Value{N: len(x)}
	if v.N > 0 {
		v.Mean = stat.Mean(x, nil)
	}
	if v.N > 1 {
		v.SD = stat.StdDev(x, nil)
	}
	return v
}
