package graphs

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
)

// cloned returns a state as a file would keep it.
func cloned(s State) State {
	c := State{Course: slices.Clone(s.Course)}
	for _, x := range s.Numbers {
		c.Numbers = append(c.Numbers, slices.Clone(x))
	}
	return c
}

// remembering is a monitor whose scores depend on the embedding and on how many there were before, as those of a classifier do that
// starts where the last one ended.
func remembering() Monitor {
	asked := 0
	return Monitor{
		Score: func(_ context.Context, l Learner) (float64, error) {
			asked++
			sum := 1 / float64(1+asked)
			e, err := l.Embedding()
			for _, x := range e.Final {
				sum += float64(x * x)
			}
			return sum, err
		},
		State:  func() any { return asked },
		Resume: func(state []byte) error { return json.Unmarshal(state, &asked) },
	}
}

// states trains to the end, and returns the result and the state after every step and every epoch.
func states(t *testing.T, o Options, threads int) (r *Result, all []State) {
	t.Helper()
	in := Input{Network: karate(), Checkpoints: &Checkpoints{
		Due:  func(bool) bool { return true },
		Save: func(s State) { all = append(all, cloned(s)) },
	}}
	return trainOn(t, in, o, threads, remembering()), all
}

// resumed is a training that goes on from a state to its end.
func resumed(t *testing.T, s State, o Options, threads int) *Result {
	t.Helper()
	s = cloned(s)
	return trainOn(t, Input{Network: karate(), Checkpoints: &Checkpoints{From: &s, Save: func(State) {}}}, o, threads, remembering())
}

// sameResult compares what two trainings came to, to the bit, clocks aside.
func sameResult(t *testing.T, got, want *Result) {
	t.Helper()
	for _, x := range [][2][]float32{
		{got.Embedding.Final, want.Embedding.Final}, {got.Embedding.Center, want.Embedding.Center},
		{got.Embedding.Vectors, want.Embedding.Vectors}, {got.Embedding.Share, want.Embedding.Share},
	} {
		if !slices.Equal(x[0], x[1]) {
			t.Error("another embedding")
			return
		}
	}
	if got, want := bare(got.Stages), bare(want.Stages); !reflect.DeepEqual(got, want) {
		t.Errorf("another course:\n%+v, want\n%+v", got, want)
	}
	if got.Interrupted != want.Interrupted {
		t.Errorf("interrupted %v, expected %v", got.Interrupted, want.Interrupted)
	}
}

// quickFacets has PolyDW's factorisation end soon.
func quickFacets(o *Options) {
	Edit(o, func(f *FacetOptions) { f.Tolerance, f.Copies = 0.1, 1 })
}

// resumable are options of every method, optimizer, rule that chooses, and way to end.
func resumable() map[string]Options {
	all := map[string]Options{}
	base := func(method string) Options {
		o := warmed(method)
		o.Batch, o.Epochs, o.WarmUpEpochs, o.AspectNoise = 400, 3, 2, 0.01
		if method == MethodPolyDW {
			quickFacets(&o)
		}
		o.Resample, o.MaxNorm = true, 1
		if method == MethodDGI {
			o.Epochs, o.Select = 5, SelectLoss
		}
		return o.Complete()
	}
	for _, m := range trained() {
		all[m.Name] = base(m.Name)
	}
	for name, change := range map[string]values{
		"sgd":       {"optimizer": OptimizerSGD, "final-learning-rate": 0.001},
		"lazy":      {"optimizer": OptimizerLazyAdam},
		"graph":     {"batch": 2000},
		"last":      {"select": SelectLast},
		"test":      {"select": SelectTest},
		"loss":      {"select": SelectLoss},
		"grouped":   {"order": "grouped"},
		"redrawn":   {"walks-in-memory": "false", "shrink-window": true, "noise-power": 0.75},
		"by window": {"noise": NoiseWindow},
	} {
		o := base(MethodAsp2vec)
		o.setAll(change)
		all[name] = o.Complete()
	}
	for _, method := range []string{MethodDeepWalk, MethodAsp2vec, MethodPolyDW, MethodSplitter} { // end after pairs
		o := OptionsOf(MethodOf(method), Standard)
		o.Dim, o.Aspects, o.Walks, o.Length, o.Steps, o.PairsPerVertex, o.Batch = 6, 3, 2, 20, 7, 150, 800
		if method == MethodPolyDW {
			quickFacets(&o)
		}
		all["standard "+method] = o.Complete()
	}
	return all
}

// A training that goes on from any of its states ends as it would have undisturbed, to the bit.
func TestResume(t *testing.T) {
	for name, o := range resumable() {
		t.Run(name, func(t *testing.T) {
			want, all := states(t, o, 1)
			if len(all) < 4 {
				t.Fatalf("%d states: expected some within epochs", len(all))
			}
			const most = 8 // of them are gone on from, the first and the last among them
			for i := range most {
				s := all[i*(len(all)-1)/(most-1)]
				t.Run(fmt.Sprint("from ", s.Position()), func(t *testing.T) { sameResult(t, resumed(t, s, o, 1+i%2), want) })
			}
		})
	}
}

// A training that is stopped again and again after a few steps, in steps and in scores, ends as it would have undisturbed.
func TestResumeAfterStops(t *testing.T) {
	for _, name := range []string{MethodAsp2vec, MethodSplitter, MethodDGI, "standard " + MethodAsp2vec} {
		o := resumable()[name]
		want, _ := states(t, o, 1)
		var latest *State
		for life := 0; ; life++ {
			if life > 60 {
				t.Fatalf("%s: not at its end after %d lives", name, life)
			}
			ctx, cancel := context.WithCancel(context.Background())
			mon, steps, saved := remembering(), 0, 0
			score := mon.Score
			mon.Score = func(ctx context.Context, l Learner) (float64, error) {
				if life%2 == 0 {
					cancel()
				}
				x, _ := score(ctx, l)
				return x, ctx.Err()
			}
			mon.Tell = On(func(Progress) {
				if steps++; steps == 3 {
					cancel()
				}
			})
			in := Input{Network: karate(), Checkpoints: &Checkpoints{From: latest, Save: func(s State) {
				c := cloned(s)
				latest, saved = &c, saved+1
			}}}
			got, err := Train(ctx, in, o, 1, mon)
			cancel()
			if err != nil {
				t.Fatalf("%s: life %d: %v", name, life, err)
			}
			if !got.Interrupted {
				sameResult(t, got, want)
				if life < 1 {
					t.Errorf("%s: %d lives: expected several", name, life+1)
				}
				break
			}
			if saved == 0 && life%2 == 1 {
				t.Fatalf("%s: life %d was stopped after a step and left nothing", name, life)
			}
		}
	}
}

// A state of another shape is refused, not taken in part.
func TestResumeRefuses(t *testing.T) {
	o := resumable()[MethodAsp2vec]
	_, all := states(t, o, 1)
	wider, other := o, resumable()[MethodDeepWalk]
	wider.Dim++
	for name, o := range map[string]Options{"another dim": wider, "another method": other} {
		s := cloned(all[len(all)/2])
		if _, err := Train(context.Background(), Input{Network: karate(), Checkpoints: &Checkpoints{From: &s}}, o, 1, remembering()); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	s := State{Course: []byte("nonsense")}
	if _, err := Train(context.Background(), Input{Network: karate(), Checkpoints: &Checkpoints{From: &s}}, o, 1, remembering()); err == nil {
		t.Error("nonsense: no error")
	}
}

// countdown is a context that is cancelled when it has been asked so many times whether it is.
type countdown struct {
	context.Context
	cancel context.CancelFunc
	left   atomic.Int64
}

func newCountdown(asked int64) *countdown {
	c := &countdown{}
	c.Context, c.cancel = context.WithCancel(context.Background())
	c.left.Store(asked)
	return c
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.cancel()
	}
	return c.Context.Err()
}

// A training that is stopped in the midst of a step drops it, and goes on from the step before to the same bytes.
func TestResumeFromAmidStep(t *testing.T) {
	for _, name := range []string{MethodDeepWalk, MethodAsp2vec, "standard " + MethodAsp2vec, "standard " + MethodSplitter, "grouped", "sgd"} {
		o := resumable()[name]
		o.Batch = 4000 // pairs: many blocks of windows
		want, _ := states(t, o, 1)
		amid := 0
		for asked := int64(1); ; asked += asked/2 + 7 {
			var kept *State
			stepping := false
			mon := remembering()
			mon.Tell = On(func(Progress) { stepping = true })
			ctx := newCountdown(asked)
			r, err := Train(ctx, Input{Network: karate(), Checkpoints: &Checkpoints{
				Due: func(bool) bool { stepping = false; return false },
				Save: func(s State) {
					if !stepping {
						amid++
					}
					c := cloned(s)
					kept = &c
				},
			}}, o, 2, mon)
			ctx.cancel()
			if err == nil && !r.Interrupted {
				break
			}
			if kept == nil {
				continue // before the first step
			}
			sameResult(t, resumed(t, *kept, o, 1), want)
		}
		if amid == 0 {
			t.Errorf("%s: stopped in the midst of no step", name)
		}
	}
}

// bare returns stages without what clocks say.
func bare(stages []StageResult) []StageResult {
	stages = slices.Clone(stages)
	for i := range stages {
		stages[i].Epochs = slices.Clone(stages[i].Epochs)
		for j := range stages[i].Epochs {
			stages[i].Epochs[j].Train, stages[i].Epochs[j].Eval = 0, 0
		}
	}
	return stages
}

// warmed returns options of a method whose first stage goes on for two epochs after its best.
func warmed(method string) Options {
	o := small()
	o.SetMethod(MethodOf(method))
	o.WarmUp, o.Epochs, o.Patience, o.Select = true, 6, 2, SelectValidation
	if method == MethodSplitter {
		Edit(&o, func(p *PersonaOptions) { p.Clustering = "components" })
	}
	return o
}
