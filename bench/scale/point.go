package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/walks"
)

// point is one measurement: what is trained, and what it cost.
type point struct {
	Vertices  int    `json:"vertices"` // asked for; the network's largest component may lack a few
	Optimizer string `json:"optimizer"`
	Threads   int    `json:"threads"`
	Batch     int    `json:"batch_pairs"`

	Links       int     `json:"links"`
	RowsPerPair float64 `json:"rows_per_pair"` // aspect blocks that a batch uses, by its pairs: what lazy optimizers move
	Pairs       int64   `json:"pairs"`         // trained while the clock ran, in the round with the least processor time a pair
	WallS       float64 `json:"wall_s"`
	CPUS        float64 `json:"cpu_s"` // processor time of all threads; 0 where unknown
	PeakBytes   uint64  `json:"peak_memory_bytes"`
	CPURounds   []round `json:"rounds"`
}

type round struct {
	CPUNsPerPair  float64 `json:"cpu_ns_per_pair"`
	WallNsPerPair float64 `json:"wall_ns_per_pair"`
}

func (p point) cpu() float64  { return p.CPUS / float64(p.Pairs) * 1e9 }
func (p point) wall() float64 { return p.WallS / float64(p.Pairs) * 1e9 }

// cost is the processor time of a pair in ns; where that is unknown, the wall-clock time of all threads.
func (p point) cost() float64 {
	if p.CPUS > 0 {
		return p.cpu()
	}
	return p.wall() * float64(p.Threads)
}

func (p point) String() string {
	return fmt.Sprintf("%d vertices, %s, batch %d, %d threads: %.0f ns of processor time a pair, %.2f million pairs/s, peak %d MB",
		p.Vertices, p.Optimizer, p.Batch, p.Threads, p.cpu(), 1e3/p.wall(), p.PeakBytes>>20)
}

// merge keeps the round with the least cost.
func (p *point) merge(q point) {
	rounds := append(p.CPURounds, round{q.cpu(), q.wall()})
	peak := max(p.PeakBytes, q.PeakBytes)
	if p.Pairs == 0 || q.cost() < p.cost() {
		*p = q
	}
	p.CPURounds, p.PeakBytes = rounds, peak
}

const (
	publishedBatch = 50_000
	meanDegree     = 10
)

// points returns what to measure, sizes innermost. Beside the published batch there is one that grows with the network for
// lazy-adam, so that a vertex is used as often in a batch as in a smaller network.
func (o options) points() []point {
	var all []point
	for _, threads := range o.threads {
		for _, kind := range o.optimizers {
			for _, n := range o.vertices {
				all = append(all, point{Vertices: n, Optimizer: kind, Threads: threads, Batch: publishedBatch})
			}
			for _, n := range o.vertices {
				if kind == graphs.OptimizerLazyAdam && n > publishedBatch {
					all = append(all, point{Vertices: n, Optimizer: kind, Threads: threads, Batch: n})
				}
			}
		}
	}
	return all
}

func measureAndPrint(ctx context.Context, arg string, seconds float64) error {
	var p point
	if err := json.Unmarshal([]byte(arg), &p); err != nil {
		return fmt.Errorf("scale: --point: %w", err)
	}
	if err := p.measure(ctx, time.Duration(seconds*float64(time.Second))); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(p)
}

// leastBatches are trained before the clock starts and while it runs, however slow they are.
const leastBatches = 5

// measure trains for a fifth of the time to warm up, and then by the clock.
func (p *point) measure(ctx context.Context, long time.Duration) error {
	runtime.GOMAXPROCS(p.Threads)
	net, _, err := network.Planted(network.PlantedOptions{
		Vertices: p.Vertices, Communities: max(1, p.Vertices/100), Memberships: min(3, max(1, p.Vertices/100)),
		MeanDegree: meanDegree, Mixing: 0.1, Seed: 1,
	})
	if err != nil {
		return err
	}
	p.Links = net.Links()
	o := graphs.Default()
	o.Optimizer, o.Batch, o.WarmUp, o.Select, o.Epochs = p.Optimizer, p.Batch, false, graphs.SelectLast, 1<<30
	o.WalksInMemory = "false"
	o.Walks = min(10, max(1, 500_000/p.Vertices)) // fewer from many vertices: they would lengthen the set-up, not the steps
	train, cancel := context.WithCancel(ctx)
	defer cancel()
	var start time.Time
	var cpu float64
	var pairs int64 // of the epochs before this one
	var epoch, batches int
	var within int64 // pairs of this epoch
	var from int64   // pairs when the clock started
	begun := time.Now()
	step := func(s graphs.Progress) {
		if s.Epoch != epoch {
			epoch, pairs, within = s.Epoch, pairs+within, 0
		}
		within = s.Pairs
		batches++
		switch {
		case start.IsZero() && batches >= leastBatches && time.Since(begun) >= long/5:
			start, cpu, from, batches = time.Now(), processorTime(), pairs+within, 0
		case !start.IsZero() && batches >= leastBatches && time.Since(start) >= long:
			p.WallS, p.CPUS, p.Pairs = time.Since(start).Seconds(), processorTime()-cpu, pairs+within-from
			cancel()
		case batches == 1 && start.IsZero():
			begun = time.Now()
		}
	}
	if _, err := graphs.Train(train, graphs.Input{Network: net}, o, p.Threads, graphs.Monitor{Step: step}); err != nil {
		return err
	}
	if p.Pairs == 0 {
		return ctx.Err()
	}
	p.PeakBytes = results.PeakMemory()
	p.RowsPerPair, err = rowsPerPair(ctx, net, o)
	return err
}

// rowsPerPair returns how many aspect blocks an average batch uses, by its pairs, in the first one.
func rowsPerPair(ctx context.Context, net *network.Network, o graphs.Options) (float64, error) {
	src, err := walks.NewUniform(net, walks.Options{PerVertex: 1, Length: o.Length, Seed: o.Seed})
	if err != nil {
		return 0, err
	}
	stream, err := walks.NewStream(ctx, src, net.Vertices(), walks.StreamOptions{
		Window: o.Window, Negatives: o.Negatives, Batch: o.Batch, Order: o.Order, Resample: o.Resample, Seed: o.Seed,
	})
	if err != nil {
		return 0, err
	}
	for b := range stream.Pass(ctx, 1) {
		rows := 0
		for v := range net.Vertices() {
			if b.Index.Used(v) {
				rows++
			}
		}
		return float64(rows) / float64(b.Pairs), nil
	}
	return 0, ctx.Err()
}
