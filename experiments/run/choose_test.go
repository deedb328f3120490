package run

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/graphs"
)

// candidates returns a model with each of some values of an option.
func candidates(selectBy string, option func(*graphs.Options) *float64, values ...float64) (all []Candidate) {
	for _, x := range values {
		o := tiny.Options(selectBy)
		*option(&o) = x
		all = append(all, Candidate{fmt.Sprintf("it=%v", x), o})
	}
	return all
}

func lambda(o *graphs.Options) *float64 { return &o.Lambda }

// The candidate with the best validation score is reported, as it would be if it were run alone; one that fails is told of.
func TestChoose(t *testing.T) {
	d := data(t, false)
	all := candidates(graphs.SelectValidation, func(o *graphs.Options) *float64 { return &o.LearningRate }, 0.001, 0.02, 1e30)
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
	if !o.Equal(all[best].Options) {
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
	out, o, err := Choose(ctx, data(t, false), candidates(graphs.SelectValidation, lambda, 0, 0.01), "custom", 2, func(Candidate) Watch {
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
