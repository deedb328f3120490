package run

import (
	"context"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
)

func TestBaselines(t *testing.T) {
	b := tiny.Papers(t)
	task := taskOf(t, b)
	all, err := Baselines(context.Background(), task, nil, task.Test, 2)
	if err != nil || all[BaselineTFIDF]["auc"] <= all[BaselinePopularity]["auc"] {
		t.Errorf("on planted topics: %v, %v", all, err)
	}
	if _, there := all[BaselineWordMeans]; there {
		t.Error("means of words without words")
	}
}
