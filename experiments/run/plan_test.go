package run

import (
	"context"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
)

// What a plan says beforehand is what the run then does: exactly, where no walk ends early and no link is held out, else at
// most.
func TestPlan(t *testing.T) {
	for _, directed := range []bool{false, true} {
		for _, window := range []int{1, 3, 30} { // 30 is longer than a walk
			d, o := data(t, directed), tiny.Options(graphs.SelectLast)
			o.Window, o.Epochs, o.WarmUpEpochs, o.Batch = window, 1, 1, 1e6
			plan := NewPlan(d, o)
			execute(t, d, o, Watch{Begin: func(stage string, l graphs.Learner) {
				pairs := l.Pairs()
				if pairs > plan.Pairs || !directed && pairs != plan.Pairs {
					t.Errorf("directed %v, window %d: %d pairs an epoch, planned %d", directed, window, pairs, plan.Pairs)
				}
				if got := graphs.CountParameters(l); stage == graphs.StageMain && got != plan.Parameters {
					t.Errorf("%d parameters, planned %d", got, plan.Parameters)
				}
			}})
			if plan.Vertices != len(d.Split.Names) || plan.Train != len(d.Split.Train) || plan.Test != len(d.Split.Test) {
				t.Errorf("%+v of %d vertices, %d and %d links", plan, len(d.Split.Names), len(d.Split.Train), len(d.Split.Test))
			}
			if !directed && plan.Walks != int64(plan.Vertices*o.Walks) || directed && plan.Walks >= int64(plan.Vertices*o.Walks) {
				t.Errorf("directed %v: %d walks from %d vertices", directed, plan.Walks, plan.Vertices)
			}
			poly := o
			poly.SetMethod(graphs.MethodOf(graphs.MethodPolyDW))
			graphs.Edit(&poly, func(f *graphs.FacetOptions) { f.Copies = 2 })
			if got, want := NewPlan(d, poly).Walks, int64(2*plan.Vertices*o.Walks); got != want { // whatever the directions
				t.Errorf("polydw, directed %v: %d walks, want %d", directed, got, want)
			}
		}
	}
}

// The memory of a plan is about what a run then holds: the heap after some steps, less what is garbage, is near to the
// estimate without its fixed parts. The tables are large enough to be most of it.
func TestPlanMemory(t *testing.T) {
	const vertices = 20000
	names, links := make([]string, vertices), make([]network.Link, vertices)
	for v := range vertices {
		names[v] = strconv.Itoa(v)
		links[v] = network.Link{From: int32(v), To: int32((v + 1) % vertices)}
	}
	net, err := network.New(names, links, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct { // graphs come last: Gorgonia keeps memory of theirs for the next one
		name string
		edit func(*graphs.Options)
	}{
		{"fused", func(o *graphs.Options) { o.Engine = graphs.EngineFused }},
		{"sgd", func(o *graphs.Options) { o.Optimizer, o.LearningRate = graphs.OptimizerSGD, 0.025 }},
		{"batch", func(o *graphs.Options) { o.Batch = 500_000 }},
		{"graph", func(o *graphs.Options) { o.Engine = graphs.EngineGraph }},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := tiny.Options(graphs.SelectLast)
			o.Dim, o.Aspects, o.Walks, o.Length, o.Batch = 32, 5, 1, 10, 2000
			c.edit(&o)
			o = benchOptions(o)
			plan := NewBenchPlan(net, o)
			heap := func() float64 {
				var s runtime.MemStats
				runtime.GC() // twice, for what finalizers and pools let go of
				runtime.GC()
				runtime.ReadMemStats(&s)
				return float64(s.HeapAlloc)
			}
			before, held, steps := heap(), 0.0, 0
			ctx, cancel := context.WithCancel(context.Background())
			if _, err := graphs.Train(ctx, graphs.Input{Network: net}, o, 1, graphs.Monitor{Step: func(graphs.Progress) {
				if steps++; steps == 2 {
					held = heap() - before
					cancel()
				}
			}}); err != nil {
				t.Fatal(err)
			}
			want := plan.parts.total() - plan.parts.garbage - 32<<20
			if o.Engine == graphs.EngineGraph {
				want -= graphFixed
			}
			if ratio := held / want; ratio < 0.6 || ratio > 1.5 {
				t.Errorf("%.1f MB held, %.1f planned (%+v)", held/1e6, want/1e6, plan.parts)
			} else {
				t.Logf("%.1f MB held, %.1f planned", held/1e6, want/1e6)
			}
		})
	}
}

// What a plan of a size beyond all machines comes to is a large number, not one that went round.
func TestPlanOfTheLargest(t *testing.T) {
	o := graphs.Default()
	o.Dim, o.Aspects = 1<<16, 1<<12
	if p := newPlan(1<<31-1, 1<<31-1, 1, 1, 1, o); p.Memory < 1<<61 || p.Lower() != "a lower --dim or --aspects" {
		t.Errorf("%+v: %s", p, p.Lower())
	}
}

// Engine auto is planned for as the op that it takes, and as a graph for what no op knows.
func TestGraphOf(t *testing.T) {
	for name, c := range map[string]struct {
		edit           func(*graphs.Options)
		pairs, penalty bool
	}{
		"auto":      {func(o *graphs.Options) { o.Engine = graphs.EngineAuto }, false, false},
		"fused":     {func(o *graphs.Options) { o.Engine = graphs.EngineFused }, false, false},
		"graph":     {func(o *graphs.Options) { o.Engine = graphs.EngineGraph }, true, true},
		"no lambda": {func(o *graphs.Options) { o.Engine, o.Lambda = graphs.EngineGraph, 0 }, true, false},
	} {
		o := graphs.Default()
		c.edit(&o)
		if pairs, penalty := graphOf(o); pairs != c.pairs || penalty != c.penalty {
			t.Errorf("%s: %v, %v, want %v, %v", name, pairs, penalty, c.pairs, c.penalty)
		}
	}
}

// Features whose numbers go far up are refused before a table of that many rows is made.
func TestFeaturesThatNeedTooMuch(t *testing.T) {
	o := graphs.Default()
	o.SetMethod(graphs.MethodOf(graphs.MethodDGI))
	plan := NewPlan(data(t, false), o)
	for _, c := range []struct {
		columns int
		limit   uint64
		refused bool
	}{{1000, 1 << 30, false}, {1 << 24, 1 << 30, true}, {1 << 24, 0, false}} {
		err := checkFeatures(plan, &network.Features{Columns: c.columns}, o, c.limit)
		if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "features up to number 16777215 need") {
			t.Errorf("%d features in %d bytes: %v", c.columns, c.limit, err)
		}
	}
}
