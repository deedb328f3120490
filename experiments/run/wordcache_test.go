package run

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// Runs that share words come to the same as those that do not, and records have the baselines.
func TestWordCache(t *testing.T) {
	b := tiny.Papers(t)
	cache := &WordCache{}
	for _, seed := range []uint64{1, 1, 2} {
		o := typedOptions(t, hetnet.MethodCamel, "validated")
		o.Seed = seed
		alone := execute(t, Data{Name: "planted", Bibliography: b}, o, nil)
		shared := execute(t, Data{Name: "planted", Bibliography: b, Words: cache}, o, nil)
		if !slices.Equal(alone.Input.Words.Vectors, shared.Input.Words.Vectors) || !maps.Equal(alone.Record.Metrics, shared.Record.Metrics) {
			t.Errorf("seed %d: other words or metrics", seed)
		}
		for _, name := range []string{hetnet.Popularity, hetnet.TFIDF, hetnet.WordMeans} {
			if x := alone.Record.Baselines[name]; len(x) == 0 || !maps.Equal(x, shared.Record.Baselines[name]) {
				t.Errorf("%s: %v alone, %v shared", name, x, shared.Record.Baselines[name])
			}
		}
	}
	task := taskOf(t, b)
	all, err := Baselines(t.Context(), b.Authorship, task, nil, 2)
	if err != nil || all[hetnet.TFIDF]["auc"] <= all[hetnet.Popularity]["auc"] {
		t.Errorf("on planted topics: %v, %v", all, err)
	}
	if _, there := all[hetnet.WordMeans]; there {
		t.Error("means of words without words")
	}
}

// The words of a network with types are read as those of papers are: the record is told of their file, and of those that it lacks.
func TestWordsOfNetwork(t *testing.T) {
	n := &typed.Network{Words: []string{"red", "blue"}, Contents: []typed.Content{{Texts: [][]int32{{0, 1, 0}}}}}
	path := filepath.Join(t.TempDir(), "words.vec")
	call.File(t, path, "red 1 2\ngreen 3 4\n")
	o := typedOptions(t, hetnet.MethodM2V, "standard")
	given := o
	graphs.Edit(&given, func(p *hetnet.PaperOptions) { p.WordVectors = path })
	var d results.Dataset
	words, err := (*WordCache)(nil).wordsOf(t.Context(), n, given, 1, &d)
	if err != nil || !slices.Equal(words.Vectors, []float32{1, 2, 0, 0}) || d.WordsSHA256 != words.Checksum() || d.WordsMissing != 1 {
		t.Errorf("%+v, %+v, %v", words, d, err)
	}
	cache := &WordCache{}
	trained := call.Of(cache.wordsOf(t.Context(), n, o, 1, &results.Dataset{SHA256: "a"}))(t)
	if again, err := cache.wordsOf(t.Context(), n, o, 1, &results.Dataset{SHA256: "a"}); err != nil || again != trained {
		t.Errorf("trained anew, %v", err)
	}
	if other, err := cache.wordsOf(t.Context(), n, o, 1, &results.Dataset{SHA256: "b"}); err != nil || other == trained {
		t.Errorf("not trained for other data, %v", err)
	}
}
