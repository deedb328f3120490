package run

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// pilotOptions is a DeepWalk under standard that trains in milliseconds.
func pilotOptions() graphs.Options {
	o := graphs.OptionsOf(graphs.MethodOf(graphs.MethodDeepWalk), graphs.Standard)
	o.Dim, o.PairsPerVertex, o.Steps, o.Walks, o.Length = 8, 400, 200, 2, 20
	return o
}

// clustered returns a split of a network with links enough to hold out from.
func clustered(t *testing.T, remove float64) Data {
	t.Helper()
	net := call.Of(network.PlantedOptions{Vertices: 150, Communities: 8, Memberships: 1, MeanDegree: 10, Mixing: 0.1, Seed: 1}.Generate())(t).Network
	split := call.Of(network.MakeSplit(context.Background(), net, network.SplitOptions{Remove: remove, Rule: "ce1", Seed: 1}))(t)
	return Data{Name: "planted", Split: split}
}

// A run with a pilot is the run with the sum of rates that the pilot has found, whatever the number of threads; no test link has a part in
// the choice, and the record tells of it.
func TestPilotChoosesTheSumOfRates(t *testing.T) {
	d, o := clustered(t, 0.3), pilotOptions()
	var told []results.Pilot
	var last graphs.Progress
	out := execute(t, d, o, func(e graphs.Event) {
		switch p := e.(type) {
		case results.Pilot:
			told = append(told, p)
		case graphs.Progress:
			if p.RunPairs <= last.RunPairs && last.RunPairs > 0 || p.RunPairs > p.RunTotal {
				t.Fatalf("%d of %d pairs after %d", p.RunPairs, p.RunTotal, last.RunPairs)
			}
			last = p
		}
	})
	found := out.Record.Pilot
	if found == nil || len(told) != 1 || !reflect.DeepEqual(told[0], *found) {
		t.Fatalf("record has %+v, told of %+v", found, told)
	}
	if last.RunPairs != last.RunTotal {
		t.Errorf("%d of %d pairs at the end", last.RunPairs, last.RunTotal)
	}
	if want := len(d.Split.Train) / 10; found.Links != want || found.Pairs < 1 || found.Seconds > out.Record.TrainSeconds || len(found.Scores) < 3 {
		t.Errorf("%+v in a run of %v s: expected %d links", found, out.Record.TrainSeconds, want)
	}
	same := execute(t, d, o.WithRateSum(found.Optimizer, found.RateSum), nil)
	if same.Record.Pilot != nil || !reflect.DeepEqual(same.Result.Embedding.Final, out.Result.Embedding.Final) {
		t.Error("the sum of rates that was found, given, is another run")
	}

	blind := *d.Split
	blind.Test, blind.TestNeg = blind.Test[:1], blind.TestNeg[:1]
	if err := errorOf(Run(context.Background(), Data{Name: "planted", Split: &blind}, o, "custom", 1, graphs.On(func(p results.Pilot) {
		if p.RateSum != found.RateSum || !reflect.DeepEqual(p.Scores, found.Scores) {
			t.Errorf("with one thread and without test links %+v: expected %+v", p, found)
		}
	}))); err != nil {
		t.Fatal(err)
	}
}

func errorOf(_ *Outcome, err error) error { return err }

// The sum that a pilot finds is about as good as the best of several whole runs, by the links held out: within a quarter of what sums
// make of a difference there.
func TestPilotIsWorthIt(t *testing.T) {
	d, o := clustered(t, 0.3), pilotOptions()
	held := func(o graphs.Options) float64 {
		o.HoldOut = 0.1
		return execute(t, d, o, nil).Record.Metrics[ValidationAUC]
	}
	best, worst := math.Inf(-1), math.Inf(1)
	for _, sum := range []float64{1. / 64, 1. / 16, 0.25, 1, 4} {
		auc := held(o.WithRateSum(graphs.OptimizerAdam, sum))
		best, worst = max(best, auc), min(worst, auc)
	}
	if got := held(o); got < best-0.25*(best-worst) {
		t.Errorf("AUC %v with a pilot: expected about %v, the best of five whole runs, of which the worst has %v", got, best, worst)
	}
}

// A network of which few links can be held out is trained by the degrees; one without negatives, since nothing is measured on it, gets
// some for its pilot.
func TestPilotWithoutLinksToSpare(t *testing.T) {
	o := pilotOptions()
	few := data(t, false)
	least := 0
	out := execute(t, few, o, graphs.On(func(n NoPilot) { least = int(n) }))
	if n := len(few.Split.Train) / 10; n >= pilotLinks || out.Record.Pilot != nil || least != pilotLinks {
		t.Errorf("%d links to hold out: pilot %+v, told of %d", n, out.Record.Pilot, least)
	}

	whole := clustered(t, 0.3)
	whole.Split = &network.Split{Names: whole.Split.Names, Train: whole.Split.Train}
	first := execute(t, whole, o, nil)
	if first.Record.Pilot == nil || first.Record.Pilot.Links < pilotLinks {
		t.Fatalf("of a network that is only embedded: %+v", first.Record.Pilot)
	}

	ctx, cancel := context.WithCancel(context.Background())
	_, err := Run(ctx, whole, o, "custom", 1, graphs.On(func(p graphs.Progress) {
		if p.Stage == graphs.StagePilot {
			cancel()
		}
	}))
	if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "\n") {
		t.Errorf("cancelled in the pilot: %v", err)
	}
}

// Of a network with more links than a pilot is scored by, none of the negatives is a link that thinning has left out.
func TestPilotListsHaveNoLinks(t *testing.T) {
	net := call.Of(network.PlantedOptions{Vertices: 900, Communities: 3, Memberships: 1, MeanDegree: 150, Skew: 0.5, Mixing: 0.5, Seed: 1}.Generate())(t).Network
	whole := call.Of(network.Whole(t.Context(), net, 1))(t)
	held := holdOutForPilot(t.Context(), whole, 1)
	if held == nil || len(held.Train) <= pilotList {
		t.Fatalf("%d links: expected more than %d", len(held.Train), pilotList)
	}
	lists, err := pilotLists(held, graphs.Options{PilotNegatives: "both"}, pilotList)
	if err != nil || len(lists) != 2 {
		t.Fatal(len(lists), err)
	}
	for _, s := range lists {
		if len(s.Train) != pilotList || len(s.TestNeg) == 0 {
			t.Errorf("%d links, %d negatives: expected %d links, and some", len(s.Train), len(s.TestNeg), pilotList)
		}
		for _, l := range s.TestNeg {
			if net.Has(l.From, l.To) {
				t.Fatalf("negative %v is a link", l)
			}
		}
	}
	// Of a short training it is scored by fewer, so that it takes no longer than that.
	o := pilotOptions()
	o.PairsPerVertex, o.Steps = 5, 20
	if r := execute(t, Data{Name: "planted", Split: whole}, o, nil).Record; r.Pilot == nil || r.Pilot.Links != 900*5/pilotPairs {
		t.Errorf("%+v", r.Pilot)
	}
}
