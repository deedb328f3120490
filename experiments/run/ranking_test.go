package run

import (
	"context"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
)

func music(t *testing.T) Data {
	n, task := tiny.Music(t)
	return Data{Name: "music", Typed: n, Task: task}
}

// The last epoch is measured by test pairs, with hold-out by links that were held out, and with select = validation these choose the
// epoch; baselines are measured by the same pairs. Runs go on from checkpoints to the same record.
func TestRanking(t *testing.T) {
	d := music(t)
	for name, change := range map[string]func(o *graphs.Options){
		"standard":   func(o *graphs.Options) {},
		"held out":   func(o *graphs.Options) { o.HoldOut = 0.2 },
		"validation": func(o *graphs.Options) { o.Select, o.Patience = graphs.SelectValidation, 2 },
	} {
		t.Run(name, func(t *testing.T) {
			o := typedOptions(t, hetnet.MethodMetapath2vec, "standard")
			o.Select, o.Epochs = graphs.SelectLast, 3
			change(&o)
			out := execute(t, d, o, Watch{})
			m, r := out.Record.Metrics, out.Record
			_, ofTest := m[RankingChoice]
			x, held := m[ValidationPrefix+RankingChoice]
			if held != (name == "held out") || ofTest == held || held && !(x > 0) || r.Baselines["popularity"]["auc"] == 0 {
				t.Errorf("metrics %v, baselines %v", m, r.Baselines)
			}
			chosen := r.Epochs[0].Metrics[ValidationPrefix+RankingChoice]
			if (chosen > 0) != (name == "validation") {
				t.Errorf("the first epoch's Recall@20 of validation pairs is %v", chosen)
			}
			if known := out.Known(); known.Source != "user" || known.Target != "item" || ofTest && name == "standard" && len(known.Links) != 40*8 {
				t.Errorf("%d links from %s to %s are known", len(known.Links), known.Source, known.Target)
			}
			got, n := lives(t, 20, func(ctx context.Context, c *Checkpoints, threads int, watch Watch) (*Outcome, error) {
				d := d
				d.Checkpoints = c
				return Run(ctx, d, o, "custom", threads, watch)
			})
			if n < 1 {
				t.Error("never resumed")
			}
			sameOutcome(t, got, out)
		})
	}
	without := d
	without.Task = nil
	o := typedOptions(t, hetnet.MethodMetapath2vec, "standard")
	if out := execute(t, without, o, Watch{}); len(out.Record.Metrics) != 0 || out.Known() != nil {
		t.Errorf("without a task: metrics %v", out.Record.Metrics)
	}
	o.HoldOut = 0.1
	if _, err := Run(context.Background(), without, o, "custom", 1, Watch{}); err == nil || !strings.Contains(err.Error(), "ranks nothing") {
		t.Errorf("held out without a task: error %v", err)
	}
	links := graphs.OptionsOf(graphs.MethodOf(graphs.MethodDeepWalk), graphs.Standard)
	if _, err := Run(context.Background(), d, links, "custom", 1, Watch{}); err == nil || !strings.Contains(err.Error(), "expected m2v++, camel") {
		t.Errorf("a method on links: error %v", err)
	}
}
