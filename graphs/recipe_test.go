package graphs

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/network"
)

// directed returns a network with each link from its first vertex to its second.
func directed(net *network.Network) *network.Network {
	arcs, err := network.New(net.Names(), net.List(), nil, true)
	if err != nil {
		panic(err)
	}
	return arcs
}

// brief returns the options of a method under the protocol standard, on few pairs.
func brief(t *testing.T, method string) Options {
	t.Helper()
	o := defaults(method, Standard)
	o.Dim, o.Aspects, o.PairsPerVertex = 6, 3, 100
	return o
}

// A run under a recipe trains the pairs that were announced, to within a batch, in the steps that were, at rates that fall to 0
// in proportion to the pairs and have the sum that was; be it in one pass over the walks or in many.
func TestRecipeIsKept(t *testing.T) {
	for _, c := range []struct {
		name   string
		method string
		net    *network.Network
		edit   values
		shares map[string]float64 // of stages
		passes int                // at least, of the main stage
	}{
		{"deepwalk", MethodDeepWalk, karate(), nil, map[string]float64{StageMain: 1}, 1},
		{"node2vec", MethodNode2vec, karate(), nil, map[string]float64{StageMain: 1}, 1},
		{"asp2vec", MethodAsp2vec, karate(), nil, map[string]float64{StageWarmUp: 0.5, StageMain: 0.5}, 1},
		{"asp2vec, a short warm-up", MethodAsp2vec, karate(), values{"warm-up-share": 0.2}, map[string]float64{StageWarmUp: 0.2, StageMain: 0.8}, 1},
		{"asp2vec, no warm-up", MethodAsp2vec, karate(), values{"warm-up": false}, map[string]float64{StageMain: 1}, 1},
		{"deepwalk, few walks", MethodDeepWalk, karate(), values{"walks": 1, "walk-length": 10}, map[string]float64{StageMain: 1}, 3},
		{"deepwalk on arcs", MethodDeepWalk, directed(karate()), nil, map[string]float64{StageMain: 1}, 3},
		{"asp2vec on arcs", MethodAsp2vec, directed(karate()), nil, map[string]float64{StageWarmUp: 0.5, StageMain: 0.5}, 2},
		{"asp2vec, grouped", MethodAsp2vec, karate(), values{"order": "grouped"}, map[string]float64{StageWarmUp: 0.5, StageMain: 0.5}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := brief(t, c.method)
			o.Steps, o.RateSum, o.RateEnd, o.DegreePower, o.SpreadPower, o.WarmUpShare = 100, 0.5, 0, 0, 0, 0.5
			o.setAll(c.edit)
			const batch = 34
			type step struct {
				pairs float64
				rate  float64
			}
			steps := map[string][]step{}
			var learner *skipGramLearner
			var last Progress
			r, err := Train(context.Background(), Input{Network: c.net}, o, 1, Monitor{Tell: func(e Event) {
				switch e := e.(type) {
				case Begun:
					learner = skipGramOf(e.Learner)
				case Progress:
					steps[e.Stage] = append(steps[e.Stage], step{float64(e.Step), learner.move.Rate()})
					last = e
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Stages) != len(c.shares) {
				t.Fatalf("%d stages, expected %d", len(r.Stages), len(c.shares))
			}
			sum := 0.5
			if c.method == MethodAsp2vec {
				sum *= math.Sqrt(20 / float64(brief(t, c.method).Dim))
			}
			var all float64
			for _, s := range r.Stages {
				share := c.shares[s.Name]
				want := 3400 * share
				var pairs, rates float64
				for i, step := range steps[s.Name] {
					if step.pairs > batch {
						t.Fatalf("%s: step %d of %v pairs, expected at most %d", s.Name, i, step.pairs, batch)
					}
					expected := 2 * sum / 100 * (1 - pairs/want)
					if math.Abs(step.rate-expected) > 1e-12 {
						t.Fatalf("%s: step %d at a rate of %v, expected %v", s.Name, i, step.rate, expected)
					}
					pairs += step.pairs
					rates += step.rate
				}
				if pairs < want || pairs >= want+batch {
					t.Errorf("%s: %v pairs, expected %v and less than a batch more", s.Name, pairs, want)
				}
				passes := int(math.Ceil(want / float64(learner.Pairs())))
				if len(s.Epochs) != passes || s.Best != passes {
					t.Errorf("%s: %d passes over the walks, the best the %dth, expected all of %d", s.Name, len(s.Epochs), s.Best, passes)
				}
				// Each pass may end with a smaller batch, and the first step is at the full rate.
				most := int(math.Ceil(100*share)) + passes - 1
				if n := len(steps[s.Name]); n < int(100*share) || n > most {
					t.Errorf("%s: %d steps, expected %v to %d", s.Name, n, 100*share, most)
				}
				if tolerance := 2 * sum / 100 * float64(passes); rates < sum*share || rates > sum*share+tolerance {
					t.Errorf("%s: the rates have the sum %v, expected %v and at most %v more", s.Name, rates, sum*share, tolerance)
				}
				if s.Name == StageMain && passes < c.passes {
					t.Errorf("%d passes over the walks: this was to test %d", passes, c.passes)
				}
				all += pairs
			}
			if float64(last.RunPairs) != all || last.RunTotal != max(3400, last.RunPairs) {
				t.Errorf("told of %d of %d pairs at the end, expected %v and 3400", last.RunPairs, last.RunTotal, all)
			}
		})
	}
}

// What is given by itself takes back what of a recipe stands against it, and nothing else.
func TestGive(t *testing.T) {
	asp2vec := defaults(MethodAsp2vec, Standard)
	for name, want := range map[string]func(*Options){
		"learning-rate":       func(o *Options) { o.RateSum = 0 },
		"final-learning-rate": func(o *Options) { o.RateSum = 0 },
		"batch":               func(o *Options) { o.Steps = 0 },
		"epochs":              func(o *Options) { o.PairsPerVertex = 0 },
		"warm-up-epochs":      func(o *Options) { o.PairsPerVertex = 0 },
	} {
		got, expected := asp2vec, asp2vec
		got.Give(name)
		if want(&expected); !got.Equal(expected) {
			t.Errorf("%s: %+v, expected %+v", name, got, expected)
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Options]()) {
		switch name := f.Tag.Get("json"); name {
		case "learning-rate", "final-learning-rate", "batch", "epochs", "warm-up-epochs":
		default:
			o := asp2vec
			if o.Give(name); !o.Equal(asp2vec) {
				t.Errorf("%s takes back %+v of %+v", name, o, asp2vec)
			}
		}
	}
}

// Stages that end where another run's choice did have that epoch's parameters, without a score.
func TestUntil(t *testing.T) {
	o := small()
	o.WarmUp, o.WarmUpEpochs, o.Epochs, o.Patience, o.Select, o.FinalRate = true, 6, 6, 3, SelectValidation, 0.001
	score, _ := scores(.5, .9, .6, .7, .8, .3, .4, .5, .2, .1, .1)
	chosen := train(t, karate(), o, Monitor{Score: score})
	if chosen.Stages[0].Best != 2 || chosen.Stages[1].Best != 3 {
		t.Fatalf("stages %+v", chosen.Stages)
	}
	r := trainOn(t, Input{Network: karate(), Until: map[string]int{StageWarmUp: 2, StageMain: 3}}, o, 1, Monitor{})
	for i, s := range r.Stages {
		if want := chosen.Stages[i].Best; len(s.Epochs) != want || s.Best != want || s.Epochs[0].Scored {
			t.Errorf("%s: %d epochs, best %d, scored %v, expected %d of both", s.Name, len(s.Epochs), s.Best, s.Epochs[0].Scored, want)
		}
	}
	// Without a warm-up there is nothing before, and the embedding is the chosen one.
	o.WarmUp = false
	score, _ = scores(.5, .9, .6, .7, .8)
	chosen = train(t, karate(), o, Monitor{Score: score})
	r = trainOn(t, Input{Network: karate(), Until: map[string]int{StageMain: 2}}, o, 1, Monitor{})
	if !slices.Equal(r.Embedding.Final, chosen.Embedding.Final) {
		t.Error("another embedding than the chosen epoch's")
	}
	// More epochs than the options allow are not trained.
	if r = trainOn(t, Input{Network: karate(), Until: map[string]int{StageMain: 100}}, o, 1, Monitor{}); len(r.Stages[0].Epochs) != 6 {
		t.Errorf("%+v: expected the 6 epochs of the options", r)
	}
}

// A number of pairs leaves no epochs to choose from, where the method ends after one; the others do not read it.
func TestRecipeChoosesNoEpoch(t *testing.T) {
	for _, m := range Methods() {
		o := defaults(m.Name, Standard)
		o.Select = SelectValidation
		err := o.Complete().Validate()
		if reads := m.Reads("pairs-per-vertex"); reads != (err != nil && strings.Contains(err.Error(), `select = "validation": expected "last" if a number of pairs ends training`)) {
			t.Errorf("%s, which reads pairs-per-vertex: %v: %v", m.Name, reads, err)
		}
		if o.PairsPerVertex = 0; o.Complete().Validate() != nil {
			t.Errorf("%s without a number of pairs: %v", m.Name, o.Complete().Validate())
		}
	}
}
