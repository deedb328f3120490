package runner

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// Every method has an estimate without any record, in the proportion of the work.
func TestEstimateWithoutRecords(t *testing.T) {
	e := NewEstimator(nil)
	size := Size{Vertices: 3000, Links: 20000}
	for _, m := range methods.All() {
		for protocol, defaults := range run.Protocols {
			o, err := methods.Options(m.Name, defaults)
			if err != nil {
				t.Fatal(err)
			}
			j := store.Job{Dataset: "PPI", Protocol: protocol, Options: o}
			once := e.Estimate(j, size, 2)
			if !(once.Seconds > 0) || math.IsInf(once.Seconds, 0) || once.Basis == "" {
				t.Errorf("%s: %+v", m.Name, once)
			}
			if more := e.Estimate(j, Size{Vertices: 6000, Links: 40000}, 2); !(more.Seconds > 1.5*once.Seconds) {
				t.Errorf("%s: %v seconds, and %v for a network twice as large", m.Name, once.Seconds, more.Seconds)
			}
			if more := e.Estimate(j, size, 8); !(more.Seconds < once.Seconds) {
				t.Errorf("%s: %v seconds, and %v with more threads", m.Name, once.Seconds, more.Seconds)
			}
			j.Options.Dim *= 10
			if more := e.Estimate(j, size, 2); !(more.Seconds > 1.5*once.Seconds) {
				t.Errorf("%s: %v seconds, and %v with ten times the numbers", m.Name, once.Seconds, more.Seconds)
			}
		}
	}
}

// The nearest records count: other seeds first, and they count as they are.
func TestEstimateFromRecords(t *testing.T) {
	o := graphs.Default()
	record := func(seed uint64, name string, vertices int, took float64) results.Record {
		o := o
		o.Seed = seed
		r := results.Record{Schema: results.Schema, Method: o.Method.Name, Seed: seed, Dataset: results.Dataset{Name: name, Vertices: vertices, Links: 5 * vertices},
			Host: results.Host{Threads: 2}, TrainSeconds: took, Started: time.Unix(0, 0), Finished: time.Unix(0, int64(took*1e9))}
		r.Epochs = []results.Epoch{{Stage: "warm-up", Epoch: 1, Seconds: took / 4}, {Stage: o.Method.Name, Epoch: 1, Seconds: took / 4}}
		r.EvalSeconds = took / 4 // and as much for what is not told
		var err error
		if r.Options, err = results.MarshalOptions(o); err != nil {
			t.Fatal(err)
		}
		return r
	}
	e := NewEstimator([]results.Record{record(1, "Cora", 1000, 100), record(2, "Cora", 1000, 120), record(3, "Cora", 1000, 170), record(1, "PPI", 1000, 7)})
	failed := record(4, "Cora", 1000, 1)
	failed.Error = "failed"
	e.Add(failed)
	j := store.Job{Dataset: "Cora", Protocol: "validated", Options: o}
	size := Size{1000, 5000, false}
	if j.Options.Seed = 9; math.Abs(e.Estimate(j, size, 2).Seconds-120) > 1e-6 || e.Estimate(j, size, 2).Basis != "other seeds" {
		t.Errorf("another seed: %+v, want the median of 120 seconds", e.Estimate(j, size, 2))
	}
	o.Epsilon = 0.9
	e.Add(record(1, "Cora", 1000, 120)) // another run that is as near as can be
	e.Add(record(2, "Cora", 1000, 1000))
	e.Add(record(3, "Cora", 1000, 1000))
	o.Epsilon = 0.5
	if got := e.Estimate(j, size, 2); math.Abs(got.Seconds-120) > 1e-6 {
		t.Errorf("another seed beside other runs: %+v", got)
	}
	e = NewEstimator([]results.Record{record(1, "Cora", 1000, 100), record(2, "Cora", 1000, 120), record(3, "Cora", 1000, 170)})
	j.Options.Tau = 0.25
	if got := e.Estimate(j, size, 2); math.Abs(got.Seconds-120) > 1e-6 || got.Basis != "asp2vec on Cora" {
		t.Errorf("another temperature: %+v", got)
	}
	j.Options.WarmUp = false
	if got := e.Estimate(j, size, 2); math.Abs(got.Seconds-90) > 1e-6 {
		t.Errorf("without the warm-up: %+v, want three quarters", got)
	}
	j = store.Job{Dataset: "ca-HepTh", Protocol: "validated", Options: o}
	if got := e.Estimate(j, Size{1000, 5000, false}, 2); got.Basis == "other seeds" || got.Seconds <= 0 {
		t.Errorf("elsewhere: %+v", got)
	}
}

// What is built in is within reason of what was measured: within a factor of eight for each run, of two in the middle.
func TestEstimateAgainstMeasured(t *testing.T) {
	all, _, err := results.ReadStore("../../results/measured/runs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	e := NewEstimator(nil)
	var ratios []float64
	for _, r := range all {
		j, err := store.JobOf(r)
		if err != nil || len(r.Tried) > 0 || r.Resumed || r.Method == graphs.MethodPolyDW || r.Method == graphs.MethodSplitter { // of a resumed run Started is that of its last process
			continue
		}
		took := r.Finished.Sub(r.Started).Seconds()
		got := e.Estimate(j, Size{r.Dataset.Vertices, r.Dataset.Links, r.Dataset.Directed}, r.Host.Threads).Seconds
		ratios = append(ratios, got/took)
		if got > 8*took+2 || got < took/8-2 {
			t.Errorf("%v: %.1f seconds estimated, %.1f measured", j, got, took)
		}
	}
	slices.Sort(ratios)
	if middle := ratios[len(ratios)/2]; middle < 0.5 || middle > 2 {
		t.Errorf("estimates are %.2f of what was measured, in the middle", middle)
	}
	t.Logf("estimated over measured: %.2f to %.2f, in the middle %.2f", ratios[0], ratios[len(ratios)-1], ratios[len(ratios)/2])
}

// What the plan says of a run leaves out the first stage that a run before it trains.
func TestPlanSharesFirstStages(t *testing.T) {
	r := dataFolder(t)
	job := func(epsilon, rate float64) store.Job {
		j := tinyJobs(1)[0]
		j.Options.WarmUp, j.Options.Epsilon, j.Options.LearningRate = true, epsilon, rate
		j.Options = j.Options.Complete()
		return j
	}
	planned, err := r.Plan([]store.Job{job(.1, .003), job(.9, .003), job(.9, .001)})
	if err != nil || len(planned) != 3 {
		t.Fatalf("%d runs, %v", len(planned), err)
	}
	first, shares, other := planned[0].Estimate, planned[1].Estimate, planned[2].Estimate
	if !(first.First > 0) || math.Abs(first.Seconds-first.First-shares.Seconds) > 1e-9 || other.Seconds != first.Seconds {
		t.Errorf("first %+v, one that shares its warm-up %+v, one that does not %+v", first, shares, other)
	}
	cold := job(.1, .003)
	if cold.Options.WarmUp = false; graphs.FirstStage(cold.Options) != "" {
		t.Error("a run without a warm-up shares one")
	}
}

// A run that no fused op computes is told to take longer, by as much as a graph does.
func TestEstimateOfAGraph(t *testing.T) {
	e, size := NewEstimator(nil), Size{Vertices: 3852, Links: 20881}
	o, err := methods.Options(graphs.MethodAsp2vec, graphs.Standard)
	if err != nil {
		t.Fatal(err)
	}
	seconds := func(edit func(o *graphs.Options)) float64 {
		o := o
		edit(&o)
		return e.Estimate(store.Job{Dataset: "PPI", Protocol: "standard", Options: o}, size, 1).Seconds
	}
	fused := seconds(func(*graphs.Options) {})
	for name, edit := range map[string]func(*graphs.Options){
		"asked for": func(o *graphs.Options) { o.Engine = graphs.EngineGraph },
		"margin":    func(o *graphs.Options) { o.PairLoss = "margin" },
	} {
		if got := seconds(edit); math.Abs(got/fused-graphWork) > 1e-9 {
			t.Errorf("%s: %v s, want %v times the %v s of fused ops", name, got, graphWork, fused)
		}
	}
	dgi, err := methods.Options(graphs.MethodDGI, graphs.Standard)
	if err != nil || byGraph(dgi) {
		t.Errorf("dgi, whose graph has no fused op: %v", err)
	}
}
