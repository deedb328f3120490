package graphs

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"
)

// falling returns a Monitor whose scores fall within each stage after its second epoch.
func falling() Monitor {
	n := 0
	return Monitor{
		Begin: func(string, Learner) { n = 0 },
		Score: func(context.Context, Learner) (float64, error) {
			n++
			return []float64{.6, .7, .65, .5}[min(n, 4)-1], nil
		},
	}
}

// bare returns stages without what clocks say, and without whether they were shared.
func bare(stages []StageResult) []StageResult {
	stages = slices.Clone(stages)
	for i := range stages {
		stages[i].Shared = false
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

// A run that begins with another one's stage ends as it would have alone, to the bit.
func TestStagesChangeNothing(t *testing.T) {
	for name, o := range map[string]Options{
		"asp2vec": warmed(MethodAsp2vec), "splitter": warmed(MethodSplitter), "recipe": brief(t, MethodAsp2vec), "recipe of splitter": brief(t, MethodSplitter),
	} {
		t.Run(name, func(t *testing.T) {
			stages := &StageCache{}
			for i, lambda := range []float64{0.1, 0, 0.5} {
				o.Lambda = lambda
				alone := train(t, karate(), o, falling())
				shared, err := Train(context.Background(), Input{Network: karate(), Cache: stages}, o, 2, falling())
				if err != nil {
					t.Fatal(err)
				}
				if got, want := shared.Stages[0].Shared, i > 0; got != want {
					t.Errorf("lambda %v: first stage shared: %v, expected %v", lambda, got, want)
				}
				if len(shared.Stages) != 2 || shared.Stages[1].Shared || alone.Stages[0].Shared {
					t.Fatalf("lambda %v: stages %+v, alone %+v", lambda, shared.Stages, alone.Stages)
				}
				if got, want := bare(shared.Stages), bare(alone.Stages); !reflect.DeepEqual(got, want) {
					t.Errorf("lambda %v: stages %+v, alone %+v", lambda, got, want)
				}
				if !slices.Equal(shared.Embedding.Final, alone.Embedding.Final) {
					t.Errorf("lambda %v: another embedding than alone", lambda)
				}
			}
		})
	}
}

// Whatever a first stage reads keeps runs from sharing it.
func TestStagesOfOthers(t *testing.T) {
	stages := &StageCache{}
	begin := func(o Options) StageResult {
		t.Helper()
		r, err := Train(context.Background(), Input{Network: karate(), Cache: stages}, o, 2, falling())
		if err != nil {
			t.Fatal(err)
		}
		return r.Stages[0]
	}
	begin(warmed(MethodAsp2vec))
	begin(brief(t, MethodAsp2vec))
	for name, change := range map[string]func(*Options){
		"seed":      func(o *Options) { o.Seed = 2 },
		"dim":       func(o *Options) { o.Dim = 7 },
		"epochs":    func(o *Options) { o.WarmUpEpochs = 3 },
		"patience":  func(o *Options) { o.Patience = 1 },
		"selection": func(o *Options) { o.Select = SelectTest },
		"scoring":   func(o *Options) { o.Scoring = ScoringMax },
		"share":     func(o *Options) { *o = brief(t, MethodAsp2vec); o.WarmUpShare = 0.3 },
		"other method": func(o *Options) {
			o.SetMethod(MethodOf(MethodSplitter))
			Edit(o, func(p *PersonaOptions) { p.Clustering = "components" })
		},
		"no warm-up": func(o *Options) { o.WarmUp = false },
	} {
		o := warmed(MethodAsp2vec)
		change(&o)
		if begin(o).Shared {
			t.Errorf("%s: shared", name)
		}
	}
	if o := warmed(MethodAsp2vec); !begin(o).Shared {
		t.Error("the same once more: not shared")
	}
}

// A stage that was stopped, or that failed, is none to begin with.
func TestStagesUnfinished(t *testing.T) {
	stages := &StageCache{}
	o := warmed(MethodAsp2vec)
	ctx, cancel := context.WithCancel(context.Background())
	mon := falling()
	mon.Done = func(Epoch) { cancel() }
	if r, err := Train(ctx, Input{Network: karate(), Cache: stages}, o, 2, mon); err != nil || !r.Interrupted {
		t.Fatalf("%+v, %v: expected an interrupted run", r, err)
	}
	mon = falling()
	mon.Score = func(context.Context, Learner) (float64, error) { return 0, fmt.Errorf("no score") }
	if _, err := Train(context.Background(), Input{Network: karate(), Cache: stages}, o, 2, mon); err == nil {
		t.Fatal("no error without a score")
	}
	r, err := Train(context.Background(), Input{Network: karate(), Cache: stages}, o, 2, falling())
	if err != nil || r.Stages[0].Shared {
		t.Errorf("shared: %+v, %v", r, err)
	}
}

// Runs at the same time share without getting into one another's way.
func TestStagesAtOnce(t *testing.T) {
	stages := &StageCache{}
	want := train(t, karate(), warmed(MethodAsp2vec), falling()).Embedding.Final
	var wait sync.WaitGroup
	for i := range 6 {
		wait.Go(func() {
			time.Sleep(time.Duration(i) * time.Millisecond) // some begin while others are in the middle
			r, err := Train(context.Background(), Input{Network: karate(), Cache: stages}, warmed(MethodAsp2vec), 1, falling())
			if err != nil || !slices.Equal(r.Embedding.Final, want) {
				t.Errorf("run %d: another embedding than alone, or an error: %v", i, err)
			}
		})
	}
	wait.Wait()
}

// The oldest stages are forgotten first, and a stage too large for all is not kept.
func TestStagesForgotten(t *testing.T) {
	stages := &StageCache{}
	stage := func(name string, words int) Stage {
		table := &Table{X: make([]float32, words)}
		return Stage{Begins: name, Skip: func(int) {}, Learner: tables{table}}
	}
	for i := range 4 {
		stages.keep(stage(fmt.Sprint(i), mostKept/3), Options{}, StageResult{})
	}
	stages.keep(stage("large", mostKept+1), Options{}, StageResult{})
	for i := range 4 {
		if _, there := stages.resume(stage(fmt.Sprint(i), mostKept/3), Options{}); there != (i > 0) {
			t.Errorf("stage %d there: %v", i, there)
		}
	}
}

// tables is a learner with nothing but parameters.
type tables []*Table

func (t tables) Parameters() []*Table                                        { return t }
func (t tables) Pairs() int64                                                { return 0 }
func (t tables) Epoch(context.Context, int, func(pairs int64, l Loss)) error { return nil }
func (t tables) State() any                                                  { return nil }
func (t tables) Resume([]byte, int) error                                    { return nil }
func (t tables) Embedding() (Embedding, error)                               { return Embedding{}, nil }
