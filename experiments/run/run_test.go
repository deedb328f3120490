package run

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

func data(t *testing.T, directed bool) Data {
	return Data{Name: "planted", Split: tiny.Split(t, directed)}
}

func execute(t *testing.T, d Data, o graphs.Options, watch Watch) *Outcome {
	t.Helper()
	return call.Of(Run(context.Background(), d, o, "custom", 2, watch))(t)
}

// checkEpochs compares the epochs of a record with those of the result.
func checkEpochs(t *testing.T, r results.Record, res *graphs.Result, selectBy string) {
	t.Helper()
	i := 0
	var seconds float64
	for _, stage := range res.Stages {
		name := map[string]string{graphs.StageWarmUp: "warm-up", graphs.StageMain: "asp2vec"}[stage.Name]
		for _, want := range stage.Epochs {
			if i == len(r.Epochs) {
				t.Fatalf("only %d epochs in the record", i)
			}
			e := r.Epochs[i]
			if e.Stage != name || e.Epoch != want.Number || float64(e.LossNats) != want.Loss.Pairs || float64(e.Penalty) != want.Loss.Penalty || e.Pairs != want.Pairs || !(e.PairsPerSecond > 0) {
				t.Errorf("epoch %+v, expected %+v", e, want)
			}
			if (e.ValidationAUC != nil) != (selectBy == graphs.SelectValidation) || (e.TestAUC != nil) != (selectBy == graphs.SelectTest) {
				t.Errorf("selected by %s: validation AUC %v, test AUC %v", selectBy, e.ValidationAUC, e.TestAUC)
			}
			for _, auc := range []*float64{e.ValidationAUC, e.TestAUC} {
				if auc != nil && *auc != want.Score {
					t.Errorf("AUC %v, expected %v", *auc, want.Score)
				}
			}
			seconds += e.Seconds
			i++
		}
	}
	last := res.Stages[len(res.Stages)-1]
	if i != len(r.Epochs) || r.BestStage != "asp2vec" || r.BestEpoch != last.Best || math.Abs(r.TrainSeconds-seconds) > 1e-9 {
		t.Errorf("%d epochs, expected %d; best %s %d, expected %d; %v s of training, expected %v", len(r.Epochs), i, r.BestStage, r.BestEpoch, last.Best, r.TrainSeconds, seconds)
	}
	// The AUC that chose the epoch by test is the one reported, but for the tolerance of the classifier, which starts elsewhere.
	if selectBy == graphs.SelectTest && math.Abs(r.Metrics["auc"]-last.BestScore) > 1e-3 {
		t.Errorf("AUC %v, chosen for %v", r.Metrics["auc"], last.BestScore)
	}
}

// Unless the epoch is selected on them, test links have no part in training: with others in their place, or none, everything
// but the measurement stays the same. Selected on them, they do have one.
func TestTestLinksAreNotSeen(t *testing.T) {
	for _, directed := range []bool{false, true} {
		d := data(t, directed)
		swapped := *d.Split
		swapped.Test, swapped.TestNeg = d.Split.TestNeg, d.Split.Test
		if directed {
			swapped.TestNegDirected = slices.Clone(swapped.TestNeg)
		}
		without := *d.Split
		without.Test, without.TestNeg, without.TestNegDirected = nil, nil, nil
		for _, selectBy := range []string{graphs.SelectValidation, graphs.SelectLast} {
			first := execute(t, d, tiny.Options(selectBy), nil)
			for name, split := range map[string]*network.Split{"swapped": &swapped, "without": &without} {
				other := execute(t, Data{Name: "other", Split: split}, tiny.Options(selectBy), nil)
				if !slices.Equal(other.Result.Embedding.Final, first.Result.Embedding.Final) {
					t.Errorf("directed %v, %s, %s: another embedding", directed, selectBy, name)
				}
				if scores(other.Record) != scores(first.Record) {
					t.Errorf("directed %v, %s, %s: validation AUCs differ", directed, selectBy, name)
				}
				if name == "without" && (other.Record.Metrics != nil || other.Record.Dataset.Test != 0) {
					t.Errorf("metrics %v without test links", other.Record.Metrics)
				}
				if name == "swapped" && other.Record.Metrics["auc"] == first.Record.Metrics["auc"] {
					t.Error("the swap does not change the measurement: nothing was tested")
				}
				if other.Record.Dataset.SHA256 == first.Record.Dataset.SHA256 {
					t.Error("other test links, but the same checksum")
				}
			}
		}
		a := execute(t, d, tiny.Options(graphs.SelectTest), nil)
		b := execute(t, Data{Split: &swapped}, tiny.Options(graphs.SelectTest), nil)
		if scores(a.Record) == scores(b.Record) {
			t.Error("selected on test links, yet they do not matter")
		}
	}
}

// scores returns the AUCs of all epochs.
func scores(r results.Record) string {
	var list []any
	for _, e := range r.Epochs {
		list = append(list, e.ValidationAUC, e.TestAUC)
	}
	b, _ := json.Marshal(list)
	return string(b)
}

// Validation links are held out of the walks: the embedding with select = last, which holds nothing out, is another one.
func TestValidationLinksAreHeldOut(t *testing.T) {
	d := data(t, false)
	held := call.Of(d.Split.HoldOut(HoldOutFraction, 1))(t)
	o := tiny.Options(graphs.SelectValidation)
	o.WarmUp = false // its epochs number those of the main stage, also the ones after the best
	out := execute(t, d, o, nil)
	net := call.Of(held.TrainNetwork())(t)
	o.Select, o.Epochs = graphs.SelectLast, out.Record.BestEpoch
	want := call.Of(graphs.Train(context.Background(), graphs.Input{Network: net}, o, 2, graphs.Monitor{}))(t)
	if !slices.Equal(out.Result.Embedding.Final, want.Embedding.Final) {
		t.Error("not what training on the links that are left, for as many epochs, gives")
	}
	if whole := execute(t, d, o, nil); slices.Equal(whole.Result.Embedding.Final, want.Embedding.Final) {
		t.Error("holding links out makes no difference: nothing was tested")
	}
}

func TestProtocols(t *testing.T) {
	for _, name := range Protocols {
		o := graphs.OptionsOf(graphs.MethodOf(graphs.MethodAsp2vec), graphs.Protocol(name))
		if err := o.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if (name == "paper") != (o.Select == graphs.SelectTest) {
			t.Errorf("%s selects by %s: only the paper's may look at test links", name, o.Select)
		}
	}
}

// An epoch that no clock has seen pass must not put an infinity in the record.
func TestEpochWithoutDuration(t *testing.T) {
	for _, took := range []time.Duration{0, time.Second} {
		var r results.Record
		describe(&r, &graphs.Result{Stages: []graphs.StageResult{{Name: graphs.StageMain, Epochs: []graphs.Epoch{{Number: 1, Pairs: 12, Train: took}}}}}, graphs.Default())
		if got, want := r.Epochs[0].PairsPerSecond, 12*took.Seconds(); got != want {
			t.Errorf("12 pairs in %v: %v pairs/s, expected %v", took, got, want)
		}
	}
}

// The steps of sgd may have fewer pairs than asked for, those of Adam have as many as there are, and the record says it.
func TestRecordedSteps(t *testing.T) {
	for _, c := range []struct {
		optimizer string
		batch     int
		least     int64
		most      int64
	}{{graphs.OptimizerAdam, 5000, 4500, 5500}, {graphs.OptimizerSGD, 5000, 1, 4000}, {graphs.OptimizerSGD, 20, 10, 30}} {
		o := tiny.Options(graphs.SelectLast)
		o.SetMethod(graphs.MethodOf(graphs.MethodDeepWalk))
		o.Optimizer, o.Batch, o.Epochs = c.optimizer, c.batch, 1
		if got := execute(t, data(t, false), o, nil).Record.StepPairs; got < c.least || got > c.most {
			t.Errorf("%s, batch %d: steps of %d pairs, expected %d to %d", c.optimizer, c.batch, got, c.least, c.most)
		}
	}
}

// A graph that fails a check is named before it trains.
func TestBrokenModel(t *testing.T) {
	models := call.Of(graphs.GuardModels(tiny.Options(graphs.SelectLast)))(t)
	if err := checkModels(models); err != nil {
		t.Errorf("standard models: %v", err)
	}
	build := models[0].Build
	models[0].Build = func(g *G.ExprGraph, dt tensor.Dtype) (guard.Graph, error) {
		graph, err := build(g, dt)
		graph.Inputs = append(graph.Inputs, graph.Inputs[0])
		return graph, err
	}
	if err := checkModels(models); !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), "asp2vec: inputs are distinct") {
		t.Errorf("error %v: expected one that names the check", err)
	}
}

// All that the numbers depend on is in the record, and the numbers are those of the embedding that comes with it.
func TestRecordIsComplete(t *testing.T) {
	for _, directed := range []bool{false, true} {
		for selectBy, selection := range map[string]string{
			graphs.SelectValidation: "validation-best", graphs.SelectTest: "test-best", graphs.SelectLast: "last",
		} {
			d, o := data(t, directed), tiny.Options(selectBy)
			out := execute(t, d, o, nil)
			r, split := out.Record, d.Split
			t.Run(selection, func(t *testing.T) {
				recorded := graphs.Default() // with what asp2vec does not read
				if err := json.Unmarshal(r.Options, &recorded); err != nil || !recorded.Equal(o.Complete()) {
					t.Errorf("options %s (%v), expected %+v", r.Options, err, o.Complete())
				}
				want := results.Dataset{
					Name: "planted", SHA256: split.Checksum(), Vertices: len(split.Names), Directed: directed,
					Links: len(split.Train) + len(split.Test), Train: len(split.Train), Test: len(split.Test),
				}
				if r.Dataset != want {
					t.Errorf("data set %+v, expected %+v", r.Dataset, want)
				}
				if r.Method != "asp2vec" || r.Protocol != "custom" || r.Seed != o.Seed || r.Selection != selection || r.Host.Threads != 2 || r.Host.Kernel != kernel.Variant() ||
					r.Schema != results.Schema || r.Error != "" || r.Interrupted || r.Finished.Before(r.Started) {
					t.Errorf("record %+v", r)
				}
				checkEpochs(t, r, out.Result, selectBy)
				score := call.Of(eval.Measure(context.Background(), "lr", VectorsOf(o.Method, *out.Result.Embedding), split, eval.ScoreOptions{Threads: 1}, eval.Measurement{}))(t)
				score[LengthsByDegree] = r.Metrics[LengthsByDegree]
				if !maps.Equal(r.Metrics, score) || len(score) != 5 {
					t.Errorf("metrics %v, expected those of the embedding, %v", r.Metrics, score)
				}
				if len(r.Scores) != len(Untrained) || r.Scores[0].Score != Untrained[0] || !(r.Scores[1].Metrics["auc_degree"] > 0) {
					t.Errorf("scores %+v, expected those of %v", r.Scores, Untrained)
				}
				if directed == (score["auc"] == score["auc_random"]) {
					t.Errorf("AUC %v with all negatives and %v with random ones, directed: %v", score["auc"], score["auc_random"], directed)
				}
				call.Of(r.Line())(t)
			})
		}
	}
}
