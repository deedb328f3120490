package graphs

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/network"
)

// small returns options for networks of a few dozen vertices: a few batches an epoch, no warm-up, no selection.
func small() Options {
	o := Default()
	o.Dim, o.Aspects, o.Walks, o.Length, o.Batch, o.LearningRate = 6, 3, 2, 20, 1000, 0.02
	o.Select, o.Epochs, o.WarmUp = SelectLast, 3, false
	return o
}

func train(t *testing.T, net *network.Network, o Options, mon Monitor) *Result {
	t.Helper()
	return trainOn(t, Input{Network: net}, o, 2, mon)
}

func trainOn(t *testing.T, in Input, o Options, threads int, mon Monitor) *Result {
	t.Helper()
	return call.Of(Train(context.Background(), in, o, threads, mon))(t)
}

// model returns the skip-gram model of a result.
func model(r *Result) *SkipGram { return r.Learner.(*skipGramLearner).SkipGram }

func karate() *network.Network {
	net, _ := network.Karate()
	return net
}

// The loss falls, and linked vertices come to score above others. The loss of the paper begins at that of a model that knows nothing.
func TestTrainingLearns(t *testing.T) {
	for _, method := range []string{MethodDeepWalk, MethodAsp2vec} {
		t.Run(method, func(t *testing.T) {
			o := small()
			o.SetMethod(MethodOf(method))
			o.Epochs, o.Walks = 8, 10
			net := karate()
			r := train(t, net, o, Monitor{})
			epochs := r.Stages[0].Epochs
			first, last := epochs[0].Loss.Pairs, epochs[len(epochs)-1].Loss.Pairs
			if last > 0.9*first {
				t.Errorf("loss %v after the first epoch, %v after the last, expected it to fall", first, last)
			}
			t.Run("from (1+M) ln 2", func(t *testing.T) {
				golden.StillPaper(t)
				untrained := 3 * math.Ln2 / float64(model(r).o.Aspects) // the loss is a mean over aspects, too
				if first > untrained*1.001 || last > 0.9*untrained {
					t.Errorf("loss %v after the first epoch, %v after the last, expected it to fall well below %v", first, last, untrained)
				}
			})
			var linked, others float64
			for u := range int32(34) {
				for v := range u {
					score := dot(r.Embedding.Final[int(u)*o.Dim:][:o.Dim], r.Embedding.Final[int(v)*o.Dim:][:o.Dim])
					if net.Has(u, v) {
						linked += score / 78
					} else {
						others += score / (34*33/2 - 78)
					}
				}
			}
			if linked <= others {
				t.Errorf("linked vertices score %v, others %v", linked, others)
			}
		})
	}
}

func dot(x, y []float32) (sum float64) {
	for i := range x {
		sum += float64(x[i]) * float64(y[i])
	}
	return sum
}

// scores returns a Monitor.Score that gives scores one after the other, and where it keeps what it was given.
func scores(list ...float64) (score func(context.Context, Learner) (float64, error), seen *[][]float32) {
	seen = new([][]float32)
	return func(_ context.Context, l Learner) (float64, error) {
		e, err := l.Embedding()
		*seen = append(*seen, e.Final)
		return list[len(*seen)-1], err
	}, seen
}

// What is returned is the epoch with the best score, not the last one, and the model that goes with it.
func TestTheBestEpochIsReported(t *testing.T) {
	o := small()
	o.Select, o.Epochs, o.Patience = SelectValidation, 10, 3
	score, seen := scores(.5, .9, .6, .7, .8)
	var told []Epoch
	r := train(t, karate(), o, Monitor{Score: score, Tell: On(func(e Epoch) { told = append(told, e) })})
	stage := r.Stages[0]
	if len(stage.Epochs) != 5 || stage.Best != 2 || stage.BestScore != .9 {
		t.Fatalf("%d epochs, best %d with %v, expected 5, 2 and 0.9", len(stage.Epochs), stage.Best, stage.BestScore)
	}
	if !slices.Equal(r.Embedding.Final, (*seen)[1]) {
		t.Error("the embedding is not that of epoch 2")
	}
	if slices.Equal((*seen)[1], (*seen)[4]) {
		t.Error("epochs 2 and 5 have the same embedding: nothing was tested")
	}
	if !slices.Equal(model(r).Embedding().Final, r.Embedding.Final) {
		t.Error("the model's parameters are not those of the embedding")
	}
	if !slices.Equal(told, stage.Epochs) {
		t.Error("Done was told of other epochs than are in the result")
	}
	for i, e := range stage.Epochs {
		if e.Number != i+1 || e.Stage != StageMain || !e.Scored || e.Best != (i < 2) || e.Pairs != stage.Epochs[0].Pairs || e.Loss.Pairs <= 0 || e.Train <= 0 {
			t.Errorf("epoch %d: %+v", i+1, e)
		}
	}
}

// The same epochs by the same seed whatever scores say; without selection nothing is scored.
func TestSelectLast(t *testing.T) {
	o := small()
	score, seen := scores(.9, .8, .7)
	called := false
	r := train(t, karate(), o, Monitor{Score: func(context.Context, Learner) (float64, error) { called = true; return 0, nil }})
	if called || len(r.Stages[0].Epochs) != 3 || r.Stages[0].Best != 3 || r.Stages[0].Epochs[0].Scored {
		t.Errorf("scored: %v; stage %+v", called, r.Stages[0])
	}
	o.Select = SelectTest
	train(t, karate(), o, Monitor{Score: score})
	if !slices.Equal(r.Embedding.Final, (*seen)[2]) {
		t.Error("scoring changes what is trained")
	}
}

// The warm-up trains DeepWalk, and its best epoch is where every centre and every aspect begins.
func TestWarmUp(t *testing.T) {
	o := small()
	o.WarmUp, o.WarmUpEpochs, o.Epochs, o.Select = true, 3, 2, SelectValidation
	score, seen := scores(.5, .9, .7, .1, .2)
	var stages []string
	r := train(t, karate(), o, Monitor{Score: score, Tell: On(func(b Begun) {
		m := b.Learner.(*skipGramLearner).SkipGram
		if stages = append(stages, b.Stage); b.Stage == StageWarmUp {
			if !m.o.Is(MethodDeepWalk) || m.Q.Block[0] != 1 || m.terms.Penalty() != nil {
				t.Errorf("the warm-up trains %s with %d aspects", m.o.Method, m.Q.Block[0])
			}
			return
		}
		warm := (*seen)[1]
		for v := range m.P.Rows {
			want := warm[v*o.Dim:][:o.Dim]
			if !slices.Equal(m.P.Row(v), want) {
				t.Errorf("centre of %d: %v, expected %v", v, m.P.Row(v), want)
			}
			for s := range o.Aspects {
				if got := m.Q.Row(v)[s*o.Dim:][:o.Dim]; !slices.Equal(got, want) {
					t.Errorf("aspect %d of %d: %v, expected %v", s, v, got, want)
				}
			}
		}
	})})
	if !slices.Equal(stages, []string{StageWarmUp, StageMain}) || len(r.Stages) != 2 || r.Stages[0].Best != 2 || r.Stages[1].Best != 2 {
		t.Errorf("stages %v, results %+v", stages, r.Stages)
	}
}

// Progress grows to the whole of the epoch, and carries the mean loss and the latest score.
func TestProgress(t *testing.T) {
	o := small()
	o.Select, o.Epochs = SelectTest, 2
	score, _ := scores(.5, .6)
	var list []Progress
	r := train(t, karate(), o, Monitor{Score: score, Tell: On(func(p Progress) { list = append(list, p) })})
	total := r.Stages[0].Epochs[0].Pairs
	for i, p := range list {
		second := i >= len(list)/2
		if p.Total != total || p.MaxEpochs != 2 || p.Stage != StageMain || p.Scored != second || second != (p.Epoch == 2) || second && p.Score != .5 {
			t.Errorf("step %d: %+v", i, p)
		}
		if at := min(int64(i%(len(list)/2)+1)*int64(o.Batch), total); p.Pairs != at {
			t.Errorf("step %d: %d pairs, expected %d", i, p.Pairs, at)
		}
	}
	if len(list) < 4 || list[len(list)-1].Loss != r.Stages[0].Epochs[1].Loss {
		t.Errorf("%d steps, the last with loss %v, expected at least 4 and %v", len(list), list[len(list)-1].Loss, r.Stages[0].Epochs[1].Loss)
	}
}
