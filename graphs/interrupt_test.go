package graphs

import (
	"context"
	"errors"
	"slices"
	"testing"
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
			r, err := Train(ctx, karate(), o, 2, Monitor{Score: score, Step: func(p Progress) {
				if p.Stage == c.stage && p.Epoch == c.epoch {
					steps++
					cancel()
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			last := r.Stages[len(r.Stages)-1]
			if !r.Interrupted || steps != 1 || len(r.Stages) != c.stages || len(last.Epochs) != c.done || last.Best != c.best {
				t.Errorf("interrupted %v after %d steps, %d stages, the last with %d epochs, best %d, want one step, %d, %d, %d",
					r.Interrupted, steps, len(r.Stages), len(last.Epochs), last.Best, c.stages, c.done, c.best)
			}
			switch {
			case c.embedding >= 0 && !near(widen(r.Embedding), widen((*seen)[c.embedding]), 0, 1e-6): // (x+x)/2 of a warm start
				t.Errorf("the embedding is not that of score %v", c.embedding)
			case c.embedding < 0 && slices.ContainsFunc(*seen, func(e []float32) bool { return slices.Equal(e, r.Embedding) }):
				t.Error("the step before the interruption is lost")
			}
		})
	}
}

func TestInterruptedBeforeItBegins(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := Train(ctx, karate(), small(), 2, Monitor{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v: want %v", r, err, context.Canceled)
	}
}

// While a score is worked out the run can be stopped too: the error of the score is then no failure.
func TestInterruptedWhileScoring(t *testing.T) {
	o := small()
	o.Select = SelectValidation
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	r, err := Train(ctx, karate(), o, 1, Monitor{Score: func(ctx context.Context, _ []float32, _ int) (float64, error) {
		if n++; n == 2 {
			cancel()
		}
		return 0.5, ctx.Err()
	}})
	if err != nil || !r.Interrupted || r.Stages[0].Best != 1 || len(r.Stages[0].Epochs) != 1 {
		t.Errorf("got %+v, %v", r, err)
	}
}
