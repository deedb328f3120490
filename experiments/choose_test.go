package experiments

import (
	"context"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
)

// A grid is every combination of values; what is no option, no value or no choice is refused.
func TestTry(t *testing.T) {
	o, err := methods.Options(graphs.MethodNode2vec, graphs.Default)
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
		"p": "want option=value", "p=": "want option=value", "tau=1": "has no option", "p=x": "p=x: want a number",
		"p=null": "p=null: want a number", "p=-1": "p = -1: want a number from 1e-100 to 1e+100", "p=1e200,1": "p = 1e+200: want a number from 1e-100 to 1e+100",
		"q=0": "q = 0: want a number from", "p=1,1": "each value once",
		"select=test": "each option once", "dim=1.5": "dim=1.5: want a whole number",
	} {
		if _, err := Try(o, []string{setting}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q in it", setting, err, want)
		}
	}
	many := "dim=1"
	for range MaxCandidates {
		many += ",2"
	}
	if _, err := Try(o, []string{many}); err == nil {
		t.Error("more runs than a choice may need are taken")
	}
}

func candidates(t *testing.T, settings ...string) []Candidate {
	t.Helper()
	o := options(graphs.SelectValidation)
	o.WarmUp = false
	all, err := Try(o, settings)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The candidate with the best validation score is reported, as it would be if it were run alone; one that fails is told of.
func TestChoose(t *testing.T) {
	d := data(t, false)
	all := candidates(t, "learning-rate=0.001,0.02,1e30")
	none := func(Candidate) Watch { return Watch{} }
	out, o, err := Choose(context.Background(), d, all, "custom", 2, none)
	if err != nil {
		t.Fatal(err)
	}
	tried := out.Record.Tried
	if len(tried) != 3 || tried[2].Error == "" || tried[0].Error != "" || tried[1].Score <= 0 {
		t.Fatalf("tried %+v: want two scores and a failure", tried)
	}
	best := 0
	if tried[1].Score > tried[0].Score {
		best = 1
	}
	if o != all[best].Options {
		t.Errorf("reported %+v, want those of %s", o, all[best].Name)
	}
	alone, err := Run(context.Background(), d, all[best].Options, "custom", 2, Watch{})
	if err != nil || alone.Record.Metrics["auc"] != out.Record.Metrics["auc"] {
		t.Errorf("AUC %v chosen, %v alone (%v)", out.Record.Metrics, alone.Record.Metrics, err)
	}
	if _, _, err := Choose(context.Background(), d, all[2:], "custom", 2, none); err == nil || !strings.Contains(err.Error(), "learning-rate") {
		t.Errorf("all fail: error %v", err)
	}
}

// A choice that is stopped reports the best of those that had finished.
func TestChooseInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	begun := 0
	out, o, err := Choose(ctx, data(t, false), candidates(t, "lambda=0,0.01"), "custom", 2, func(Candidate) Watch {
		begun++
		if begun == 2 {
			cancel()
		}
		return Watch{}
	})
	if err != nil || !out.Record.Interrupted || len(out.Record.Tried) != 1 || o.Lambda != 0 || out.Record.Metrics["auc"] == 0 {
		t.Errorf("record %+v of %+v, %v: want the first candidate, interrupted", out.Record, o, err)
	}
}
