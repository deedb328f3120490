package graphs

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// piloted returns the options of a short run with a pilot of half of its pairs.
func piloted(t *testing.T, method string) Options {
	o := brief(t, method)
	o.Steps, o.RateSum, o.DegreePower, o.SpreadPower, o.Pilot = 400, 1.3, 0, 1.5, 0.5
	return o
}

// lengths is a score that rises for ever: how far the centres have come.
func lengths(_ context.Context, l Learner) (float64, error) {
	e, err := l.Embedding()
	return squares(e.Center), err
}

// A pilot trains its share of the pairs for each optimizer, scores at sums that grow by √2, and moves parameters ever further. The scores do not depend on the number of threads.
func TestPilot(t *testing.T) {
	for _, method := range []string{MethodDeepWalk, MethodNode2vec} {
		for _, optimizer := range []string{OptimizerAdam, OptimizerLazyAdam, OptimizerSGD, OptimizerAuto} {
			t.Run(method+" "+optimizer, func(t *testing.T) {
				o := piloted(t, method)
				o.Optimizer = optimizer
				o.PairsPerVertex *= 20 // sgd diverges where few pairs have to go far
				var first []PilotScore
				for _, threads := range []int{1, 3} {
					var last Progress
					scores, err := Pilot(context.Background(), Input{Network: karate()}, o, threads, lengths, func(p Progress) {
						if p.Stage != StagePilot || p.Pairs <= last.Pairs || p.Pairs-last.Pairs != p.Step {
							t.Fatalf("%+v after %+v", p, last)
						}
						last = p
					})
					if err != nil {
						t.Fatal(err)
					}
					kinds := o.pilotOptimizers()
					want := o.Pilot * o.PairsPerVertex * 34 * float64(len(kinds))
					if got := float64(last.Pairs); got < want || got >= want+(float64(last.Step)+8.5*4)*float64(len(kinds)) || last.Total != int64(want) {
						t.Errorf("%v pairs of %v, %v announced", got, want, last.Total)
					}
					rest := scores
					for _, kind := range kinds {
						lowest, highest := pilotSums(Optimizers.Get(kind).PerPair)
						n := int(2 * math.Log2(highest/lowest))
						if len(rest) < n || rest[n-1].RateSum != highest {
							t.Fatalf("%s: %d scores, expected %d: %v", kind, len(rest), n, rest)
						}
						for i, s := range rest[:n] {
							if at := lowest * math.Pow(2, float64(i+1)/2); s.Optimizer != kind || s.RateSum < at-1e-9 || s.RateSum > at*1.2 {
								t.Errorf("score %d of %s at %v: expected a step of %s from %v", i, s.Optimizer, s.RateSum, kind, at)
							}
							if i > 0 && s.Score <= rest[i-1].Score {
								t.Errorf("centres do not move: %v", rest)
							}
						}
						rest = rest[n:]
					}
					if first == nil {
						first = scores
					} else if !slices.Equal(first, scores) {
						t.Errorf("%v with one thread, %v with %d", first, scores, threads)
					}
				}
			})
		}
	}
}

// A pilot stops when its scores have long been below the best, and where it is cancelled; a score that fails ends it.
func TestPilotEnds(t *testing.T) {
	o, in := piloted(t, MethodDeepWalk), Input{Network: karate()}
	calls := 0
	scores, err := Pilot(context.Background(), in, o, 1, func(context.Context, Learner) (float64, error) { calls++; return -float64(calls), nil }, func(Progress) {})
	if err != nil || len(scores) != 2*(1+pilotFalls) {
		t.Errorf("%d scores, %v: expected the best and %d below it for each optimizer", len(scores), err, pilotFalls)
	}
	broken := errors.New("broken")
	if _, err := Pilot(context.Background(), in, o, 1, func(context.Context, Learner) (float64, error) { return 0, broken }, func(Progress) {}); !errors.Is(err, broken) {
		t.Errorf("a score that fails: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	steps := 0
	_, err = Pilot(ctx, in, o, 1, lengths, func(Progress) {
		if steps++; steps == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || steps != 3 {
		t.Errorf("cancelled after three steps: %d steps, %v", steps, err)
	}
}

func TestPilotRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		o    func() Options
		want string
	}{
		{"none", func() Options { return piloted(t, MethodDeepWalk).WithRateSum(OptimizerAdam, 1) }, "expected a share of the pairs"},
		{"epochs", func() Options { o := piloted(t, MethodDeepWalk); o.Give("epochs"); return o }, "expected a share of the pairs"},
		{"another method", func() Options { o := brief(t, MethodAsp2vec); o.Pilot = 0.5; return o }, "expected a share of the pairs"},
		{"out of range", func() Options { o := piloted(t, MethodDeepWalk); o.Pilot = 1.5; return o }, "pilot = 1.5"},
	} {
		call.Refused(t, c.want)(Pilot(context.Background(), Input{Network: karate()}, c.o(), 1, lengths, func(Progress) {}))
	}
}

// An option that says how far to train takes the pilot back, and no other does.
func TestGivenRateTakesPilotBack(t *testing.T) {
	for name, want := range map[string]bool{
		"rate-sum": false, "spread-power": false, "degree-power": false, "learning-rate": false, "final-learning-rate": false,
		"epochs": false, "dim": true, "seed": true, "pairs-per-vertex": true, "rate-end": true,
	} {
		o := defaults(MethodDeepWalk, Standard)
		if !o.Piloted() {
			t.Fatal("standard has no pilot")
		}
		if o.Give(name); name == "rate-sum" && o.SpreadPower != 0 {
			t.Error("--rate-sum is divided by the spread of the degrees")
		}
		if o.Piloted() != want {
			t.Errorf("--%s given: piloted = %v, expected %v", name, !want, want)
		}
	}
}

// Between optimizers the better mean of three neighbouring scores decides, not the best single score; of one the middle of those level with it.
func TestBestOfPilot(t *testing.T) {
	for name, c := range map[string]struct {
		adam, sgd []float64 // at 1, 2, 4, ...
		want      PilotScore
	}{
		"one":                       {[]float64{.7}, nil, PilotScore{OptimizerAdam, 1, .7}},
		"a peak":                    {[]float64{.5, .6, .8, .6, .5}, nil, PilotScore{OptimizerAdam, 4, 2. / 3}},
		"a plateau":                 {[]float64{.5, .8, .8, .8, .8, .8, .5}, nil, PilotScore{OptimizerAdam, 8, .8}},
		"one high beside a plateau": {[]float64{.6, .7, .5, .5, .62, .66, .66, .66, .62}, nil, PilotScore{OptimizerAdam, 64, .66}},
		"still rising":              {[]float64{.5, .6, .7, .8}, nil, PilotScore{OptimizerAdam, 8, .75}},
		"sgd":                       {[]float64{.5, .7, .6}, []float64{.6, .8, .7}, PilotScore{OptimizerSGD, 4, .75}},
		"one high of sgd":           {[]float64{.7, .7, .7}, []float64{.4, .9, .4}, PilotScore{OptimizerAdam, 2, .7}},
		"alike":                     {[]float64{.7, .7, .7}, []float64{.7, .7, .7}, PilotScore{OptimizerAdam, 2, .7}},
	} {
		var all []PilotScore
		for i, s := range append(c.adam, c.sgd...) {
			one := PilotScore{OptimizerAdam, math.Pow(2, float64(i)), s}
			if i >= len(c.adam) {
				one.Optimizer, one.RateSum = OptimizerSGD, math.Pow(2, float64(i-len(c.adam)))
			}
			all = append(all, one)
		}
		got := BestOfPilot(all)
		if got.Optimizer != c.want.Optimizer || math.Abs(got.RateSum-c.want.RateSum) > 1e-9*c.want.RateSum || math.Abs(got.Score-c.want.Score) > 1e-9 {
			t.Errorf("%s: %v, expected %v", name, got, c.want)
		}
	}
}
