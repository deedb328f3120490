package run

import (
	"context"
	"maps"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/hetnet"
)

// Runs that share words and baselines come to the same as those that do not, and records have both.
func TestPaperCache(t *testing.T) {
	b := tiny.Papers(t)
	cache := &PaperCache{}
	for _, seed := range []uint64{1, 1, 2} {
		o := typedOptions(t, hetnet.MethodCamel, "validated")
		o.Seed = seed
		alone := execute(t, Data{Name: "planted", Bibliography: b}, o, Watch{})
		shared := execute(t, Data{Name: "planted", Bibliography: b, Papers: cache}, o, Watch{})
		if !slices.Equal(alone.Input.Words.Vectors, shared.Input.Words.Vectors) || !maps.Equal(alone.Record.Metrics, shared.Record.Metrics) {
			t.Errorf("seed %d: other words or metrics", seed)
		}
		for _, name := range []string{BaselinePopularity, BaselineTFIDF, BaselineWordMeans} {
			if x := alone.Record.Baselines[name]; len(x) == 0 || !maps.Equal(x, shared.Record.Baselines[name]) {
				t.Errorf("%s: %v alone, %v shared", name, x, shared.Record.Baselines[name])
			}
		}
		if w := shared.Record.Words; w == nil || w.Epochs != 5 || w.Dim != hetnet.Own(o).WordDim {
			t.Errorf("words: %+v", w)
		}
	}
	task := taskOf(t, b)
	all, err := Baselines(context.Background(), task, nil, task.Test, 2)
	if err != nil || all[BaselineTFIDF]["auc"] <= all[BaselinePopularity]["auc"] {
		t.Errorf("on planted topics: %v, %v", all, err)
	}
	if _, there := all[BaselineWordMeans]; there {
		t.Error("means of words without words")
	}
}
