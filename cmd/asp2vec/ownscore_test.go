package main

import (
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/predict"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// evaluate ranks links as train did, for every method and for scores that are asked for, on a split and on
// links that were held out; predict tries the run's own score.
func TestModelsAreRankedAsTheyWere(t *testing.T) {
	karate(t)
	trains := [][]string{{"--method", "deepwalk", "--scoring", "cosine"}, {"--method", "asp2vec", "--scoring", "max"}, {"--method", "asp2vec", "--network", "karate.tsv", "--hold-out", "0.2"},
		{"--method", "ppr", "--network", "karate.tsv", "--hold-out", "0.2"}}
	for _, m := range methods.All() {
		if !m.Typed {
			trains = append(trains, []string{"--method", m.Name})
		}
	}
	for _, args := range trains {
		whole := slices.Contains(args, "--network")
		if !whole {
			args = append(args, "--split", "split")
		}
		must(t, append(append([]string{"train", "--dim", "4", "--out", "run", "--force"}, args...), "--results", "none")...)
		record := call.Of(results.ReadRecord("run"))(t)
		own, want := record.ScoreName(), record.Metrics["auc"]
		if whole {
			want = record.Metrics[run.ValidationAUC]
		}
		if got := answer[evaluated](t, "evaluate", "run", "--baselines", "none"); want == 0 || got.AUC != want || got.Scoring != own {
			t.Errorf("%v: %+v, and train said %v by %s", args, got, want, own)
		}
		tried := answer[struct{ Candidates []predict.Candidate }](t, "predict", "run").Candidates
		if whole && eval.Scorers.Get(own).Classifier { // for which a network has no negatives
			own = "cosine"
		}
		if !slices.ContainsFunc(tried, func(c predict.Candidate) bool { return c.Score == own && c.NotMeasured == "" }) {
			t.Errorf("%v: predict tries %v: expected %s among them", args, tried, own)
		}
	}
}
