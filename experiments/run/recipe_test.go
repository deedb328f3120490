package run

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/methods"
)

// standard returns options of the protocol standard that train in milliseconds.
func standard(t *testing.T, method string) graphs.Options {
	t.Helper()
	o := call.Of(methods.Options(method, graphs.Standard))(t)
	o.Dim, o.Aspects, o.PairsPerVertex, o.Steps = 8, 3, 200, 50
	return o
}

// Links that are held out score the run; test links are not looked at: without them it comes to the same.
func TestHoldOut(t *testing.T) {
	for _, directed := range []bool{false, true} {
		d, o := data(t, directed), standard(t, graphs.MethodDeepWalk)
		o.HoldOut = 0.2
		judged := 0
		out := execute(t, d, o, graphs.On(func(links Judged) { judged = int(links) }))
		held := call.Of(d.Split.HoldOutAlike(0.2, o.Seed))(t)
		score := call.Of(eval.Measure(context.Background(), o.Scorer(), VectorsOf(o.Method, *out.Result.Embedding), held, eval.ScoreOptions{Threads: 1}, eval.Measurement{}))(t)
		m := out.Record.Metrics
		if len(m) != len(score)+1 || m["validation_auc"] != score["auc"] || m["validation_auc_random"] != score["auc_random"] || judged != len(held.Test) {
			t.Errorf("metrics %v by %d links, expected %v and %v by %d, and no test AUC", m, judged, score["auc"], score["auc_random"], len(held.Test))
		}
		swapped := *d.Split // as many others in the place of the test links
		swapped.Test, swapped.TestNeg = d.Split.TestNeg, d.Split.Test
		swapped.TestNegDirected = nil
		other := execute(t, Data{Name: "other", Split: &swapped}, o, nil)
		if !slices.Equal(other.Result.Embedding.Final, out.Result.Embedding.Final) || other.Record.Metrics["validation_auc"] != m["validation_auc"] {
			t.Errorf("with other test links: metrics %v, and with these %v", other.Record.Metrics, m)
		}
		net := call.Of(held.TrainNetwork())(t)
		direct, err := graphs.Train(context.Background(), graphs.Input{Network: net}, o, 1, graphs.Monitor{})
		if err != nil || !slices.Equal(direct.Embedding.Final, out.Result.Embedding.Final) {
			t.Errorf("another embedding than of the links that were not held out, or %v", err)
		}
		if o.HoldOut = 0; slices.Equal(execute(t, d, o, nil).Result.Embedding.Final, out.Result.Embedding.Final) {
			t.Error("nothing was held out")
		}
	}
}

// chosenUntil returns how long each stage of a validated run is to train.
func chosenUntil(out *Outcome) map[string]int {
	until := map[string]int{}
	for _, s := range out.Result.Stages {
		until[s.Name] = s.Best
	}
	return until
}

// A refit run is as long as the one that validation chose, on all training links: the bytes are those of a run that was told so.
func TestRefit(t *testing.T) {
	for _, method := range []string{graphs.MethodDeepWalk, graphs.MethodAsp2vec} {
		d, o := data(t, false), tiny.Options(graphs.SelectValidation)
		o.SetMethod(graphs.MethodOf(method))
		chosen := execute(t, d, o, nil)
		until := chosenUntil(chosen)
		o.Refit = true
		out := execute(t, d, o, nil)
		direct := o
		direct.Refit, direct.Select, direct.Epochs, direct.WarmUpEpochs = false, graphs.SelectLast, until[graphs.StageMain], max(until[graphs.StageWarmUp], 1)
		want := execute(t, d, direct, nil)
		if !slices.Equal(out.Result.Embedding.Final, want.Result.Embedding.Final) || out.Record.Metrics["auc"] != want.Record.Metrics["auc"] {
			t.Errorf("%s: another embedding than that of %v epochs on all training links", method, until)
		}
		if slices.Equal(out.Result.Embedding.Final, chosen.Result.Embedding.Final) {
			t.Errorf("%s: the embedding of the links that were not held out", method)
		}
		if got, want := scores(out.Record), scores(chosen.Record); got != want || out.Record.BestEpoch != chosen.Record.BestEpoch {
			t.Errorf("%s: the course is %s, expected that of the choice, %s", method, got, want)
		}
		if r := out.Record; !(r.RefitSeconds > 0) || r.RefitSeconds >= r.TrainSeconds || chosen.Record.RefitSeconds != 0 {
			t.Errorf("%s: %v s of %v s again, and %v s without", method, r.RefitSeconds, r.TrainSeconds, chosen.Record.RefitSeconds)
		}
		var epochs float64
		for _, e := range out.Record.Epochs {
			epochs += e.Seconds
		}
		if math.Abs(out.Record.TrainSeconds-out.Record.RefitSeconds-epochs) > 1e-9 {
			t.Errorf("%s: %v s of training with %v s again, and epochs of %v s", method, out.Record.TrainSeconds, out.Record.RefitSeconds, epochs)
		}
	}
}

// A run that is interrupted while it trains once more is what had been chosen, and says that it was interrupted.
func TestRefitInterrupted(t *testing.T) {
	d, o := data(t, false), tiny.Options(graphs.SelectValidation)
	o.SetMethod(graphs.MethodOf(graphs.MethodDeepWalk))
	o.Refit = true
	ctx, cancel := context.WithCancel(context.Background())
	begun := 0
	out, err := Run(ctx, d, o, "custom", 2, func(e graphs.Event) {
		switch e.(type) {
		case graphs.Begun:
			begun++
		case graphs.Progress:
			if begun == 2 {
				cancel()
			}
		}
	})
	if err != nil || !out.Record.Interrupted || !out.Result.Interrupted || out.Record.Error != "" {
		t.Fatalf("%+v, %v: expected an interrupted run", out.Record, err)
	}
	o.Refit = false
	chosen := execute(t, d, o, nil)
	if !slices.Equal(out.Result.Embedding.Final, chosen.Result.Embedding.Final) || out.Record.Metrics["auc"] != chosen.Record.Metrics["auc"] {
		t.Error("another embedding than the chosen one")
	}
}

// Papers have parts of their own: none are held out beside, and nothing is trained once more.
func TestNothingIsHeldOutOfPapers(t *testing.T) {
	papers := Data{Name: "papers", Bibliography: tiny.Papers(t)}
	o := call.Of(methods.Options("camel", graphs.Validated))(t)
	refit := o
	refit.Refit = true
	if err := refit.Validate(); err == nil || !strings.Contains(err.Error(), "refit = ") || !strings.Contains(err.Error(), "with a method on") || o.Method.Reads("refit") {
		t.Errorf("refit: error %v", err)
	}
	o.Select, o.HoldOut = graphs.SelectLast, 0.1 // which methods on papers read for heterogeneous networks of one's own
	call.Refused(t, "hold-out = 0.1 on papers and authors: expected 0")(Run(t.Context(), papers, o, "validated", 1, nil))
}

// A run that is interrupted while others than its own score are worked out ends at once, and says so.
func TestInterruptedWhileScored(t *testing.T) {
	d, o := data(t, false), tiny.Options(graphs.SelectLast)
	out := execute(t, d, o, nil)
	out.Record.Metrics, out.Record.Scores = nil, nil
	d.Scores = []string{"pagerank", "fitted"}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := out.finish(ctx, d, o, 1, nil); err != nil || !out.Record.Interrupted || out.Record.Metrics["auc"] == 0 || len(out.Record.Scores) > 0 {
		t.Errorf("%v, interrupted %v, %v, %d other scores", err, out.Record.Interrupted, out.Record.Metrics, len(out.Record.Scores))
	}
}
