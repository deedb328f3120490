package run

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// A run that fails leaves a record too, with the reason and everything known before.
func TestFailedRunIsRecorded(t *testing.T) {
	tree := &network.Split{ // of which no link can be held out
		Names: []string{"a", "b", "c"}, Train: []network.Link{{From: 0, To: 1}, {From: 1, To: 2}}, TrainNeg: []network.Link{{From: 0, To: 2}},
	}
	cases := []struct {
		name string
		data Data
		edit func(*graphs.Options)
		want string
	}{
		{"options", data(t, false), func(o *graphs.Options) { o.Tau = -1 }, "tau = -1: expected"},
		{"options that JSON cannot hold", data(t, false), func(o *graphs.Options) { o.Tau = math.NaN() }, "tau = NaN: expected"},
		{"divergence", data(t, false), func(o *graphs.Options) { o.LearningRate = 1e30 }, "smaller learning-rate"},
		{"no validation links", Data{Name: "tree", Split: tree}, func(*graphs.Options) {}, "network: HoldOut:"},
		{"no test links", Data{Name: "tree", Split: tree}, func(o *graphs.Options) { o.Select = graphs.SelectTest }, `select = "test" without test links`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := tiny.Options(graphs.SelectValidation)
			c.edit(&o)
			out, err := Run(context.Background(), c.data, o, "validated", 2, nil)
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %v, expected one line that says %q", err, c.want)
			}
			r := out.Record
			if r.Error != err.Error() || out.Result != nil || r.Metrics != nil {
				t.Errorf("record says %q, with metrics %v", r.Error, r.Metrics)
			}
			if r.Dataset.SHA256 != c.data.Split.Checksum() || r.Protocol != "validated" || r.Finished.IsZero() || (r.Options == nil) != math.IsNaN(o.Tau) {
				t.Errorf("record %+v", r)
			}
			call.Of(r.Line())(t)
		})
	}
}

// A run that diverges leaves the course up to then, and the best epoch, measured.
func TestDivergenceKeepsTheBestEpoch(t *testing.T) {
	d, o := data(t, false), tiny.Options(graphs.SelectValidation)
	o.WarmUp, o.Epochs, o.Patience = false, 50, 50
	var model graphs.Learner
	out, err := Run(context.Background(), d, o, "custom", 2, func(e graphs.Event) {
		switch e := e.(type) {
		case graphs.Begun:
			model = e.Learner
		case graphs.Epoch:
			if e.Number == 3 {
				model.Parameters()[0].X[0] = float32(math.NaN())
			}
		}
	})
	r := out.Record
	if err == nil || r.Error != err.Error() || !strings.Contains(r.Error, "learning-rate") || r.Interrupted || out.Result == nil {
		t.Fatalf("error %v, record %+v", err, r)
	}
	if len(r.Epochs) != 3 || r.BestEpoch < 1 || r.BestEpoch > 3 || r.BestStage != "asp2vec" {
		t.Errorf("%d epochs, best %s %d", len(r.Epochs), r.BestStage, r.BestEpoch)
	}
	score, err := eval.Measure(context.Background(), "lr", VectorsOf(graphs.MethodOf(r.Method), *out.Result.Embedding), d.Split, eval.ScoreOptions{Threads: 1}, eval.Measurement{})
	if err != nil || r.Metrics["auc"] != score["auc"] {
		t.Errorf("metrics %v, expected those of the embedding, %v, %v", r.Metrics, score, err)
	}
}
