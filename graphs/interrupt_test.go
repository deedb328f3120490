package graphs

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// A run that is stopped in mid-epoch returns the best epoch that ended, and says that it was stopped.
func TestInterruption(t *testing.T) {
	cases := []struct {
		name         string
		stage        string
		epoch        int // in which the run is stopped, after a step
		stages, done int // stages begun, and epochs done in the last of them
		best         int
		embedding    int // which of the scored ones is returned; -1 for one that was never scored
	}{
		{"main, epoch 3", StageMain, 3, 2, 2, 1, 2},
		{"main, epoch 1", StageMain, 1, 2, 0, 0, -1},
		{"warm-up, epoch 3", StageWarmUp, 3, 1, 2, 2, 1},
		{"warm-up, epoch 1", StageWarmUp, 1, 1, 0, 0, -1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := small()
			o.WarmUp, o.WarmUpEpochs, o.Epochs, o.Select = true, 2, 5, SelectValidation
			if c.stage == StageWarmUp {
				o.WarmUpEpochs = 5
			}
			score, seen := scores(.5, .6, .9, .8, .7)
			ctx, cancel := context.WithCancel(context.Background())
			steps := 0
			r, err := Train(ctx, Input{Network: karate()}, o, 2, Monitor{Score: score, Tell: On(func(p Progress) {
				if p.Stage == c.stage && p.Epoch == c.epoch {
					steps++
					cancel()
				}
			})})
			if err != nil {
				t.Fatal(err)
			}
			last := r.Stages[len(r.Stages)-1]
			if !r.Interrupted || steps != 1 || len(r.Stages) != c.stages || len(last.Epochs) != c.done || last.Best != c.best {
				t.Errorf("interrupted %v after %d steps, %d stages, the last with %d epochs, best %d, expected one step, %d, %d, %d",
					r.Interrupted, steps, len(r.Stages), len(last.Epochs), last.Best, c.stages, c.done, c.best)
			}
			switch {
			case c.embedding >= 0 && !Near(widen(r.Embedding.Final), widen((*seen)[c.embedding]), 0, 1e-6): // (x+x)/2 of a warm start
				t.Errorf("the embedding is not that of score %v", c.embedding)
			case c.embedding < 0 && slices.ContainsFunc(*seen, func(e []float32) bool { return slices.Equal(e, r.Embedding.Final) }):
				t.Error("the step before the interruption is lost")
			}
		})
	}
}

// While a score is worked out the run can be stopped too: the error of the score is then no failure.
func TestInterruptedWhileScoring(t *testing.T) {
	o := small()
	o.Select = SelectValidation
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	r, err := Train(ctx, Input{Network: karate()}, o, 1, Monitor{Score: func(ctx context.Context, _ Learner) (float64, error) {
		if n++; n == 2 {
			cancel()
		}
		return 0.5, ctx.Err()
	}})
	if err != nil || !r.Interrupted || r.Stages[0].Best != 1 || len(r.Stages[0].Epochs) != 1 {
		t.Errorf("got %+v, %v", r, err)
	}
}

// With the last epoch asked for, a run that is stopped in mid-epoch returns its parameters as they are, and says which epoch
// they are from; where the epoch had not begun, they are those of the one before.
func TestInterruptedWithoutSelection(t *testing.T) {
	for name, c := range map[string]struct{ best, partial int }{"amid epoch 2": {0, 2}, "after epoch 2": {2, 0}} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			r, err := Train(ctx, Input{Network: karate()}, small(), 2, Monitor{Tell: func(e Event) {
				p, _ := e.(Progress)
				done, _ := e.(Epoch)
				if p.Epoch > 0 && p.Epoch == c.partial || done.Number > 0 && done.Number == c.best {
					cancel()
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			if s := r.Stages[0]; !r.Interrupted || s.Best != c.best || s.Partial != c.partial || len(s.Epochs) != max(c.best, c.partial-1) {
				t.Errorf("interrupted %v, stage %+v, expected best %d, partial %d", r.Interrupted, s, c.best, c.partial)
			}
		})
	}
}

// Cancelled after the walks are drawn, and before the first step: there is nothing to return.
func TestInterruptedBeforeTheFirstStep(t *testing.T) {
	for _, warmUp := range []bool{false, true} {
		o := small()
		o.WarmUp = warmUp
		ctx, cancel := context.WithCancel(context.Background())
		r, err := Train(ctx, Input{Network: karate()}, o, 2, Monitor{Tell: On(func(Begun) { cancel() })})
		if r != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("warm-up %v: got %v, %v: expected %v", warmUp, r, err, context.Canceled)
		}
	}
}

// Cancelled between the stages, a run returns the warm-up's embedding, and no stage that never took a step.
func TestInterruptedBetweenStages(t *testing.T) {
	o := small()
	o.WarmUp = true
	ctx, cancel := context.WithCancel(context.Background())
	r, err := Train(ctx, Input{Network: karate()}, o, 2, Monitor{Tell: On(func(b Begun) {
		if b.Stage == StageMain {
			cancel()
		}
	})})
	if err != nil || !r.Interrupted || len(r.Stages) != 1 || r.Stages[0].Name != StageWarmUp || r.Stages[0].Partial != 0 {
		t.Errorf("got %+v, %v", r, err)
	}
}

// A failure costs the epoch in which it comes, not the best one before it.
func TestFailureKeepsTheBestEpoch(t *testing.T) {
	cases := []struct {
		name      string
		warmUp    bool
		selection string
		fails     int // the score that fails
		stages    int
		best      int
		embedding int // which of the scored ones is kept, or -1
	}{
		{"main", false, SelectValidation, 3, 1, 2, 1},
		{"main, first epoch", false, SelectValidation, 1, 1, 0, -1},
		{"main, first epoch after a warm-up", true, SelectValidation, 4, 1, 2, 1},
		{"warm-up", true, SelectValidation, 3, 1, 2, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := small()
			o.WarmUp, o.WarmUpEpochs, o.Select, o.Epochs = c.warmUp, 3, c.selection, 5
			give, seen := scores(.5, .9, .6, .7, .8)
			broken := errors.New("broken")
			r, err := Train(context.Background(), Input{Network: karate()}, o, 2, Monitor{Score: func(ctx context.Context, l Learner) (float64, error) {
				if s, _ := give(ctx, l); len(*seen) < c.fails {
					return s, nil
				}
				return 0, broken
			}})
			if !errors.Is(err, broken) || r == nil || len(r.Stages) != c.stages || r.Stages[c.stages-1].Best != c.best {
				t.Fatalf("got %+v, %v", r, err)
			}
			switch {
			case c.embedding < 0 && r.Embedding != nil:
				t.Error("an embedding, though no epoch has ended")
			case c.embedding >= 0 && !Near(widen(r.Embedding.Final), widen((*seen)[c.embedding]), 0, 1e-6):
				t.Errorf("the embedding is not that of score %d", c.embedding)
			}
		})
	}
}

// Without scores no epoch is kept while later ones train, so that only the course is left of a run that fails.
func TestFailureWithoutSelection(t *testing.T) {
	o := small()
	var learner Learner
	r, err := Train(context.Background(), Input{Network: karate()}, o, 2, Monitor{Tell: func(e Event) {
		switch e := e.(type) {
		case Begun:
			learner = e.Learner
		case Epoch:
			if e.Number == 2 {
				learner.Parameters()[0].X[0] = float32(math.NaN())
			}
		}
	}})
	if err == nil || r == nil || r.Embedding != nil || len(r.Stages[0].Epochs) != 2 || r.Stages[0].Best != 0 {
		t.Errorf("got %+v, %v: expected two epochs, none of them kept", r, err)
	}
}

// A penalty that is no number ends the step in which it comes, also where it comes with the move of the rows and no pair of
// the batch has to do with it.
func TestPenaltyMustBeFinite(t *testing.T) {
	o := small()
	m := call.Of(NewSkipGram(o, 40, 1))(t) // the batch is over 16 vertices
	b := call.Of(sampleBatch(o, 16))(t)
	b.Index.Build(b, 40)
	if _, err := m.Step(b); err != nil {
		t.Fatal(err)
	}
	m.Q.Row(39)[0] = float32(math.NaN())
	call.Refused(t, "NaN")(m.Step(b))
}
