package run

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
)

func TestBench(t *testing.T) {
	golden.StillPaper(t)
	n, _ := network.Karate()
	o := graphs.Default()
	o.Dim, o.Aspects, o.Walks, o.Batch = 4, 2, 2, 1000
	const duration = 30 * time.Millisecond
	for _, method := range []string{graphs.MethodAsp2vec, graphs.MethodDeepWalk} {
		o.SetMethod(methodOf(method))
		start := time.Now()
		r, err := Bench(context.Background(), n, o, 1, duration)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start).Seconds(); r.Seconds < duration.Seconds() || r.Seconds > took || r.Pairs <= 0 || r.PairsPerSecond != float64(r.Pairs)/r.Seconds {
			t.Errorf("%+v in %v seconds", r, took)
		}
		if r.Method != method || r.Engine != graphs.EngineFused || r.Batch != 1000 {
			t.Errorf("%+v", r)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Bench(ctx, n, o, 1, duration); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Bench(context.Background(), n, o, 1, 0); err == nil {
		t.Error("no error for no time")
	}
}

// Every pair that is trained after the warm-up counts once, for each method, also where windows of random reach make epochs
// of more or fewer pairs than are expected. The batch told is the largest there was.
func TestBenchCountsEveryPair(t *testing.T) {
	n, _ := network.Karate()
	for _, m := range methods.OnLinks() {
		for _, shrink := range []bool{false, true} {
			if shrink && !m.Reads("shrink-window") {
				continue
			}
			t.Run(fmt.Sprintf("%s/shrink=%v", m.Name, shrink), func(t *testing.T) {
				o, err := methods.Options(m.Name, graphs.Default)
				if err != nil {
					t.Fatal(err)
				}
				o.Dim, o.Aspects, o.Walks, o.Length, o.Batch, o.Engine = 4, 2, 2, 10, 1500, graphs.EngineFused
				graphs.Edit(&o, func(p *graphs.FacetOptions) { p.Copies = 2 })
				o.Shrink = shrink
				o = benchOptions(o)
				o.Epochs = 6
				var r BenchRun
				var now, start time.Time
				var steps int
				var ended, cold, largest int64 // pairs of epochs, of the warm-up, and of a step
				var before int64
				timed := stopwatch{run: &r, duration: time.Hour}
				watch := graphs.Monitor{
					Begin: func(string, graphs.Learner) { now = now.Add(time.Second); timed.first = now },
					Step: func(p graphs.Progress) {
						now = now.Add(time.Second)
						if timed.step(p, now) {
							t.Error("an hour is over")
						}
						if p.Stage != graphs.StageMain {
							return
						}
						largest, before = max(largest, p.Pairs-before), p.Pairs
						if steps++; steps == benchWarmBatches {
							cold, start = ended+p.Pairs, now
						}
					},
					Done: func(e graphs.Epoch) {
						if before = 0; e.Stage == graphs.StageMain {
							ended += e.Pairs
						}
					},
				}
				if _, err := graphs.Train(context.Background(), graphs.Input{Network: n}, o, 1, watch); err != nil {
					t.Fatal(err)
				}
				if r.Pairs != ended-cold || r.Pairs <= 0 || r.Seconds != now.Sub(start).Seconds() {
					t.Errorf("%d pairs in %v s, want %d in %v", r.Pairs, r.Seconds, ended-cold, now.Sub(start).Seconds())
				}
				if r.Batch != largest || m.Reads("batch") && r.Batch > 1500 || o.Optimizer == graphs.OptimizerSGD && r.Batch == 1500 {
					t.Errorf("batches of %d: want %d, and fewer than 1500 of sgd", r.Batch, largest)
				}
			})
		}
	}
}

// methodOf returns a method that is there.
func methodOf(name string) *graphs.Method {
	m, err := methods.Find(name)
	if err != nil {
		panic(err)
	}
	return m
}
