package main

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
)

// What config prints is a sweep of that run.
func TestConfig(t *testing.T) {
	enter(t)
	text := must(t, "config", "--method", "splitter", "--dim", "7", "--seed", "3").out
	write(t, "sweep.yaml", text)
	plan := must(t, "sweep", "sweep.yaml", "--dry-run", "--full").out
	if !strings.Contains(plan, "splitter") || strings.Contains(text, "features:") {
		t.Errorf("%s\n%s", text, plan)
	}
	o, err := methods.Options(graphs.MethodSplitter, graphs.Standard)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"dim: 7\n", "seeds: [3]\n", "protocol: standard\n", "method: splitter\n", "clustering: labels\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	want, got := map[string]any{}, decode[struct{ Options map[string]any }](t, must(t, "config", "--method", "splitter", "--dim", "7", "--seed", "3", "--json").out).Options
	o.Dim = 7
	recorded, err := json.Marshal(o.Complete())
	if err != nil || json.Unmarshal(recorded, &want) != nil {
		t.Fatal(err)
	}
	delete(want, "method")
	delete(want, "seed")
	if !maps.Equal(got, want) {
		t.Errorf("options %v, want %v", got, want)
	}
}
