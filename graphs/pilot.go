package graphs

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// StagePilot is the name, in Progress, of the run that finds how far a method is trained on a network; see Pilot.
const StagePilot = "pilot"

// A pilot's sums of learning rates. DeepWalk's best ones lie between .03 and 2 on all networks of results/recipe.
const (
	pilotLowest  = 1. / 64
	pilotHighest = 4.
	pilotRamp    = 0.05 // share of the pilot in which its rates rise from 0 to those of the curve
	pilotFalls   = 8    // it ends after so many scores in a row, a factor of 16 in sums, that are below the best
)

// PilotScore is how good the embedding of a pilot was after a sum of learning rates.
type PilotScore struct {
	RateSum float64
	Score   float64 // higher is better
}

// Piloted says whether a pilot finds the sum of the learning rates, which there is where training ends after a number of pairs. Of sgd,
// whose rate is that of one pair, the sum says something else, and a pilot knows no range for it.
func (o Options) Piloted() bool {
	return o.Pilot > 0 && o.budgeted() && o.RateSum > 0 && o.Optimizer != OptimizerSGD && o.Method.Reads("pilot")
}

// WithRateSum returns the options with a sum of the learning rates that holds as it is, without a pilot.
func (o Options) WithRateSum(sum float64) Options {
	o.Pilot, o.RateSum, o.DegreePower, o.SpreadPower, o.DirectedShare = 0, sum, 0, 0, 1
	return o
}

// Pilot finds how far a method should be trained on a network, by one run of o.Pilot of its pairs, in (0, 1], whose learning rates
// rise, so that their sum grows from 1/64 to 4 by the same factor in every step. Each time that the sum has grown by a factor of √2,
// score says how good the embedding is by then. What decides is the sum of the rates, much more than the number of
// pairs or which of the rates come first, so that the sum of the best embedding is right for a run with other rates too. The pilot
// ends early once scores have been below the best for long.
//
// step is told of every step; it may be nil. The scores are the same for any number of threads. Pilot returns an error for options
// that Resolve refuses or that ask for no pilot, for a method that does not train by pairs in one stage, for a network without links, where score fails, where the loss
// diverges before any score, and where ctx is cancelled.
func Pilot(ctx context.Context, in Input, o Options, threads int, score func(context.Context, Learner) (float64, error), step func(Progress)) ([]PilotScore, error) {
	o, err := o.Resolve()
	if err != nil {
		return nil, fmt.Errorf("graphs: %w", err)
	}
	if !o.Piloted() {
		return nil, fmt.Errorf("graphs: pilot = %v of %s: want a share of the pairs of a run that ends after some, under Adam", o.Pilot, o.Method.Name)
	}
	in.Cache, in.Checkpoints = nil, nil
	stages, err := o.Method.Stages(ctx, in, o, threads)
	if err != nil {
		return nil, err
	}
	l, ok := stages[0].Learner.(*skipGramLearner)
	if !ok || len(stages) != 1 {
		return nil, fmt.Errorf("graphs: a pilot of %s: want a method that trains by pairs in one stage", o.Method.Name)
	}
	p := pilot{skipGramLearner: l, start: time.Now(), total: max(1, l.pairs*o.Pilot), next: pilotLowest * math.Sqrt2}
	for pass := uint64(1); ; pass++ {
		before := p.done
		end, err := p.pass(ctx, pass, score, step)
		if end || err != nil {
			return p.scores, err
		}
		if p.done == before {
			return nil, fmt.Errorf("graphs: a pilot of %s found no pairs in walks of a network with %d links: want some", o.Method.Name, in.Network.Links())
		}
	}
}

// pilot is a run with rising rates.
type pilot struct {
	*skipGramLearner
	start time.Time
	total float64 // pairs, and
	done  float64 // those so far
	next  float64 // sum of the rates at which the embedding is scored next

	scores []PilotScore
	best   int // in scores
}

// rateSum returns the sum of the learning rates of a fraction of the pilot.
func (p *pilot) rateSum(fraction float64) float64 {
	curve := func(f float64) float64 { return pilotLowest * math.Pow(pilotHighest/pilotLowest, f) }
	if fraction < pilotRamp {
		return curve(pilotRamp) * fraction / pilotRamp
	}
	return curve(min(fraction, 1))
}

// pass trains one pass over the corpus, and says whether the pilot is over.
func (p *pilot) pass(ctx context.Context, number uint64, score func(context.Context, Learner) (float64, error), step func(Progress)) (end bool, err error) {
	progress := Progress{Stage: StagePilot, Epoch: 1, MaxEpochs: 1, Total: int64(p.total)}
	for b := range p.corpus.PassFrom(ctx, number, 0) {
		if err := ctx.Err(); err != nil {
			return true, err
		}
		before := p.rateSum(p.done / p.total)
		p.done += float64(b.Pairs)
		sum := p.rateSum(p.done / p.total)
		p.move.rate = sum - before
		loss, err := p.Step(b)
		if err != nil {
			if len(p.scores) > 0 {
				return true, nil // too far in any case
			}
			return true, err
		}
		if sum >= p.next || p.done >= p.total {
			s, err := score(ctx, p)
			if err != nil {
				return true, err
			}
			p.scores = append(p.scores, PilotScore{sum, s})
			if s > p.scores[p.best].Score {
				p.best = len(p.scores) - 1
			}
			for p.next <= sum {
				p.next *= math.Sqrt2
			}
			progress.Score, progress.Scored = s, true
		}
		if step != nil {
			progress.Pairs, progress.Step, progress.Loss, progress.Elapsed = int64(p.done), int64(b.Pairs), loss, time.Since(p.start)
			step(progress)
		}
		if p.done >= p.total || len(p.scores)-1-p.best >= pilotFalls {
			return true, nil
		}
	}
	return false, ctx.Err()
}

// pilotLevel is by how much a score may be below the best and count as level with it: that of some hundred links is no finer.
const pilotLevel = 0.003

// BestRateSum returns the sum of the learning rates that a pilot's scores, in the order of their sums, speak for: the geometric mean of all
// sums whose score is level with the best. Each score counts as the mean of itself and its neighbours, so that no single one
// decides. There must be a score.
func BestRateSum(scores []PilotScore) float64 {
	smooth := make([]float64, len(scores))
	for i := range scores {
		near := scores[max(0, i-1):min(len(scores), i+2)]
		for _, s := range near {
			smooth[i] += s.Score / float64(len(near))
		}
	}
	best := slices.Max(smooth)
	var logs, level float64
	for i, s := range smooth {
		if s >= best-pilotLevel {
			logs += math.Log(scores[i].RateSum)
			level++
		}
	}
	return math.Exp(logs / level)
}
