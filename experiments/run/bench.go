package run

import (
	"context"
	"fmt"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// BenchRun is how fast a model trained.
type BenchRun struct {
	Method         string  `json:"method"`
	Definition     string  `json:"definition"` // see Definition
	Dim            int     `json:"dim"`
	Aspects        int     `json:"aspects"`
	Threads        int     `json:"threads"`
	PairsPerSecond float64 `json:"pairs_per_second"` // of the whole training loop, without evaluation
	Pairs          int64   `json:"pairs"`            // trained while the clock ran
	Batch          int64   `json:"batch"`            // pairs of the largest step: with sgd or in a small network fewer than were asked for
	Seconds        float64 `json:"seconds"`
	PeakRSSBytes   uint64  `json:"peak_rss_bytes"` // of the process so far

	processor time.Duration // of the process in these seconds
}

// BenchNetwork returns a network of the size of PPI, for those who have none at hand. Its error is nil.
func BenchNetwork() (*network.Network, error) {
	n, _, err := network.Planted(network.PlantedOptions{Vertices: 3852, Communities: 40, Memberships: 3, MeanDegree: 10, Mixing: 0.1, Seed: 1})
	return n, err
}

// Before the clock starts, the first batches and some time bring caches, tables and the pipeline of batches into their usual
// state.
const (
	benchWarmBatches = 3
	benchWarmTime    = 500 * time.Millisecond
)

func benchOptions(o graphs.Options) graphs.Options {
	o.WarmUp, o.Select = false, graphs.SelectLast
	o.Epochs, o.WarmUpEpochs = 1<<30, 1 // the clock ends it
	return o.Complete()
}

// Bench trains a model for the given time after a short warm-up, and returns how fast its last stage went: walks, windows, negatives,
// noise, loss, gradients and optimizer, but not the drawing of walks that are kept, and no evaluation. There is no warm-up by
// DeepWalk. It returns an error for a duration that is not positive, for options or a network that Train refuses, and where ctx is
// done.
func Bench(ctx context.Context, net *network.Network, o graphs.Options, threads int, duration time.Duration) (BenchRun, error) {
	if duration <= 0 {
		return BenchRun{}, fmt.Errorf("experiments: bench: duration %v: expected more than 0", duration)
	}
	if o.Method.Stages == nil {
		return BenchRun{}, fmt.Errorf("experiments: bench: %s trains no pairs: expected a method that does", o.Method.Name)
	}
	o = benchOptions(o)
	inner, stop := context.WithCancel(ctx)
	defer stop()
	r := BenchRun{Method: o.Method.Name, Definition: Definition(o), Dim: o.Dim, Aspects: o.Aspects, Threads: threads}
	timed := stopwatch{run: &r, duration: duration}
	watch := graphs.Monitor{
		Begin: func(string, graphs.Learner) { timed.first = time.Now() },
		Step: func(p graphs.Progress) {
			if timed.step(p, time.Now()) {
				stop()
			}
		},
	}
	if _, err := graphs.Train(inner, graphs.Input{Network: net}, o, threads, watch); err != nil {
		return r, err
	}
	if err := ctx.Err(); err != nil {
		return r, err
	}
	r.PairsPerSecond = float64(r.Pairs) / r.Seconds
	r.PeakRSSBytes = results.PeakMemory()
	return r, nil
}

// stopwatch counts the steps of a run from when it is warm.
type stopwatch struct {
	run          *BenchRun
	duration     time.Duration
	first, clock time.Time // of the first batch, and of the end of the warm-up
	batches      int
	processor    time.Duration // at the end of the warm-up
}

// step counts a step that ended now, and says whether time is over.
func (s *stopwatch) step(p graphs.Progress, now time.Time) (over bool) {
	if p.Stage != graphs.StageMain {
		return false
	}
	s.run.Batch = max(s.run.Batch, p.Step)
	s.batches++
	switch {
	case !s.clock.IsZero():
		s.run.Pairs += p.Step
		s.run.Seconds = now.Sub(s.clock).Seconds()
		s.run.processor = results.ProcessorTime() - s.processor
		return now.Sub(s.clock) >= s.duration
	case s.batches >= benchWarmBatches && now.Sub(s.first) >= min(benchWarmTime, s.duration):
		s.clock, s.processor = now, results.ProcessorTime()
	}
	return false
}
