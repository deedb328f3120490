package run

import (
	"context"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

const (
	// pilotLinks is how many links held out a pilot needs: of fewer it cannot tell one sum of learning rates from another.
	pilotLinks = 50
	// pilotList is how many links of each list a pilot is scored by at most, which is enough to compare its own scores.
	pilotList = 20000
	// pilotPairs are the pairs of the run for each of those links, so that a pilot takes no longer than what it is for.
	pilotPairs = 50
)

// pilot finds the optimizer and the sum of the learning rates that a run is to have, with a tenth of the links that it trains on held out, and returns
// the options with it. They come back as they are where the options ask for no pilot, and where too few links can be held out.
func pilot(ctx context.Context, data Data, seen *network.Split, o graphs.Options, threads int, watch Watch, out *Outcome) (graphs.Options, error) {
	if !o.Piloted() {
		return o, nil
	}
	held := holdOutForPilot(ctx, seen, o.Seed)
	if held == nil {
		watch.tell(NoPilot(pilotLinks))
		return o, ctx.Err()
	}
	net, err := held.TrainNetwork()
	if err != nil {
		return o, err
	}
	recipe, _ := o.Recipe(len(seen.Names), len(seen.Train), 1)
	against, err := pilotLists(held, o, int(min(pilotList, max(pilotLinks, recipe.Pairs/pilotPairs))))
	if err != nil {
		return o, err
	}
	start := time.Now()
	found := results.Pilot{Links: len(against[0].Test)}
	judge := &linkScorer{against: against, method: o.Method, scoring: o.Method.Scorings[0], threads: threads}
	score := func(ctx context.Context, l graphs.Learner) (float64, error) {
		defer runtime.GC() // a copy of the embedding each time, which would add up to as much as all else
		return judge.score(ctx, l)
	}
	debug.FreeOSMemory() // what holding out took
	scores, err := graphs.Pilot(ctx, graphs.Input{Network: net}, o, threads, score, func(p graphs.Progress) {
		found.Pairs = p.Pairs
		p.RunPairs, p.RunTotal = p.Pairs, p.Total+int64(recipe.Pairs)
		watch.tell(p)
	})
	if err != nil {
		return o, err
	}
	debug.FreeOSMemory() // the pilot's model, before the run's is made
	best := graphs.BestOfPilot(scores)
	found.Optimizer, found.RateSum, found.Seconds = best.Optimizer, best.RateSum, time.Since(start).Seconds()
	for _, s := range scores {
		found.Scores = append(found.Scores, results.PilotScore{Optimizer: s.Optimizer, RateSum: s.RateSum, ValidationAUC: s.Score})
	}
	out.Record.Pilot = &found
	watch.tell(found)
	return o.WithRateSum(found.Optimizer, found.RateSum), nil
}

// pilotLists returns what a pilot is scored by: the links held out with each list of negatives that its options name, thinned to so many. Negatives are drawn before, since
// what is left of many links no longer tells a pair from a link.
func pilotLists(held *network.Split, o graphs.Options, most int) ([]*network.Split, error) {
	against, err := ranked(held, o.PilotKinds()...)
	for _, s := range against {
		for _, list := range []*[]network.Link{&s.Train, &s.TrainNeg, &s.Test, &s.TestNeg, &s.TestNegDirected} {
			*list = seq.Evenly(*list, most)
		}
	}
	return against, err
}

// holdOutForPilot returns the links that a run trains on with a tenth of them held out, and nil where that is too few.
func holdOutForPilot(ctx context.Context, seen *network.Split, seed uint64) *network.Split {
	held, err := holdOut(ctx, seen, HoldOutFraction, seed)
	if err != nil || len(held.Test) < pilotLinks {
		return nil // there may be too few pairs without a link to tell links from
	}
	return held
}

// addPilot adds the time of the pilot, if there was one, to that of the run.
func addPilot(r *results.Record) {
	if r.Pilot != nil {
		r.TrainSeconds += r.Pilot.Seconds
	}
}
