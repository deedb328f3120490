package grid

import (
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
)

// A grid is every combination of values; what is no option, no value or no choice is refused.
func TestTry(t *testing.T) {
	o, err := methods.Options(graphs.MethodNode2vec, graphs.Validated)
	if err != nil {
		t.Fatal(err)
	}
	grid, err := Try(o, []string{"p=0.5,2", "order=shuffled,grouped"})
	if err != nil || len(grid) != 4 {
		t.Fatalf("%d candidates, %v: want 4", len(grid), err)
	}
	want := graphs.Node2vecOptions{P: 2, Q: 1}
	if c := grid[3]; c.Name != "p=2 order=grouped" || c.Options.Own != want || c.Options.Order != "grouped" {
		t.Errorf("the last candidate is %+v", c)
	}
	for setting, want := range map[string]string{
		"p": "want option=value", "p=": "want option=value", "tau=1": "has no option", "p=x": "option p: x: want a number",
		"p=null": "option p: null: want a number", "p=-1": "p = -1: want a number from 1e-100 to 1e+100", "p=1e200,1": "p = 1e+200: want a number from 1e-100 to 1e+100",
		"q=0": "q = 0: want a number from", "p=1,1": "1 is given twice",
		"select=test": "each option once", "dim=1.5": "dim: 1.5: want a whole number",
	} {
		if _, err := Try(o, []string{setting}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q in it", setting, err, want)
		}
	}
	several, err := methods.Options(graphs.MethodPolyDW, graphs.Standard)
	if err != nil {
		t.Fatal(err)
	}
	if grid, err := Try(several, []string{"scoring=sum,max"}); err != nil || len(grid) != 2 || grid[1].Options.Scoring != graphs.ScoringMax {
		t.Errorf("two ways to rank links: %+v, %v", grid, err)
	}
	many := "dim=1"
	for range MaxCandidates {
		many += ",2"
	}
	if _, err := Try(o, []string{many}); err == nil {
		t.Error("more runs than a choice may need are taken")
	}
}

// What a grid tries takes nothing back of what it tries beside it, in whatever order.
func TestTryTakesNothingBack(t *testing.T) {
	o, err := methods.Options(graphs.MethodDeepWalk, graphs.Standard)
	if err != nil {
		t.Fatal(err)
	}
	for _, settings := range [][]string{{"rate-sum=1,2", "final-learning-rate=0,0.001"}, {"final-learning-rate=0,0.001", "rate-sum=1,2"}} {
		grid, err := Try(o, settings)
		if err != nil || len(grid) != 4 || slices.ContainsFunc(grid, func(c run.Candidate) bool { return c.Options.RateSum == 0 }) {
			t.Errorf("%q: %+v, %v", settings, grid, err)
		}
	}
	if grid, err := Try(o, []string{"learning-rate=0.01,0.02"}); err != nil || grid[0].Options.RateSum != 0 || o.RateSum == 0 {
		t.Errorf("%+v, %v: want learning rates instead of their sum", grid, err)
	}
}

// What --try tries is as what a sweep sweeps.
func TestTryHyperparameters(t *testing.T) {
	all, err := Try(graphs.Default(), []string{"selection=gumbel,softmax", "tau=0.1,0.5"})
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
	}
	if want := []string{"selection=gumbel tau=0.1", "selection=gumbel tau=0.5", "selection=softmax"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%q, error %v, want %q", names, err, want)
	}
	if _, err := Try(graphs.Default(), []string{"pair-loss-margin=0.1,0.5"}); err == nil || !strings.Contains(err.Error(), "pair-loss skipgram does not read it") {
		t.Errorf("error %v", err)
	}
	if all, err = Try(graphs.Default(), []string{"pair-loss=margin", "pair-loss-margin=0.1,0.5"}); err != nil || len(all) != 2 || all[0].Options.Hyper["pair-loss-margin"] != 0.1 {
		t.Errorf("%+v, error %v", all, err)
	}
}
