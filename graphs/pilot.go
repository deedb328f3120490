package graphs

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/walks"
)

// StagePilot is the name, in Progress, of the run that finds how far a method is trained on a network; see Pilot.
const StagePilot = "pilot"

// pilotSums returns a pilot's lowest and highest sum of learning rates: over steps or, of an optimizer whose rate is that of a pair, over the pairs of one vertex. The best
// ones of DeepWalk lie between .03 and 2 under Adam and between 2 and 32 under sgd, on all networks of results/recipe.
func pilotSums(perPair bool) (lowest, highest float64) {
	if perPair {
		return 1. / 2, 64
	}
	return 1. / 64, 4
}

// PilotKinds returns the kinds of negatives whose mean score a pilot goes by.
func (o Options) PilotKinds() []string {
	if o.PilotNegatives == "both" {
		return []string{"uniform", "degree"}
	}
	return strings.Split(o.PilotNegatives, "-")
}

const (
	pilotRamp  = 0.05 // share of the pilot in which its rates rise from 0 to those of the curve
	pilotSteps = 8    // times the steps of sgd, whose rates end far above those of the run: more pairs a step would diverge
	pilotFalls = 8    // it ends after so many scores in a row, a factor of 16 in sums, that are below the best
)

// PilotScore is how good the embedding of a pilot was under an optimizer after a sum of learning rates.
type PilotScore struct {
	Optimizer string
	RateSum   float64
	Score     float64 // higher is better
}

// Piloted says whether a pilot finds the sum of the learning rates, which there is where training ends after a number of pairs.
func (o Options) Piloted() bool {
	return o.Pilot > 0 && o.budgeted() && o.RateSum > 0 && o.Method.Reads("pilot")
}

// WithRateSum returns the options with an optimizer and a sum of the learning rates that holds as it is, without a pilot.
func (o Options) WithRateSum(optimizer string, sum float64) Options {
	o.Optimizer, o.Pilot, o.RateSum, o.DegreePower, o.SpreadPower = optimizer, 0, sum, 0, 0
	return o
}

// perPair says whether the learning rate is that of one pair.
func (o Options) perPair() bool { return Optimizers.Get(o.Optimizer).PerPair }

// pilotOptimizers are those that a pilot tries.
func (o Options) pilotOptimizers() []string {
	if o.Optimizer == OptimizerAuto {
		return []string{OptimizerAdam, OptimizerSGD}
	}
	return []string{o.Optimizer}
}

// Pilot finds how far a method should be trained on a network, and by which optimizer if that is auto: by one run for each optimizer, of
// o.Pilot of the run's pairs, in (0, 1], whose learning rates rise, so that their sum grows by the same factor in every step, from 1/64 to
// 4 (sgd: from 1/2 to 64). Each time that the sum has grown by a factor of √2, score says how good the embedding is by then. What decides is the sum of the
// rates, much more than the number of pairs or which of the rates come first, so that the sum of the best embedding is right for a run
// with other rates too. A run ends early once scores have been below its best for long.
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
		return nil, fmt.Errorf("graphs: pilot = %v of %s: expected a share of the pairs of a run that ends after some", o.Pilot, o.Method.Name)
	}
	all := pilots{start: time.Now(), score: score, step: step}
	optimizers := o.pilotOptimizers()
	for i, optimizer := range optimizers {
		o := o
		o.Patience = pilotFalls
		if o.Optimizer = optimizer; o.perPair() {
			o.Steps *= pilotSteps
		}
		if err := all.run(ctx, in, o, threads, len(optimizers)-i); err != nil {
			return all.scores, err
		}
	}
	return all.scores, nil
}

// pilots are the runs of a Pilot, one after the other.
type pilots struct {
	score func(context.Context, Learner) (float64, error)
	step  func(Progress)

	start  time.Time
	before float64 // pairs of the runs that have ended
	scores []PilotScore
}

// run is the run of one optimizer; left says how many there are with it.
func (all *pilots) run(ctx context.Context, in Input, o Options, threads, left int) error {
	stages, err := o.Method.Stages(ctx, in, o, threads)
	if err != nil {
		return err
	}
	l, ok := stages[0].Learner.(*skipGramLearner)
	if !ok || len(stages) != 1 {
		return fmt.Errorf("graphs: a pilot of %s: expected a method that trains by pairs in one stage", o.Method.Name)
	}
	inner, end := context.WithCancel(ctx)
	defer end()
	p := newPilot(inner, l, o)
	defer p.stop()
	monitor := Monitor{Score: all.score, Tell: func(e Event) {
		switch e := e.(type) {
		case Epoch:
			all.scores = append(all.scores, PilotScore{o.Optimizer, p.sum, e.Score})
			if p.done >= p.total {
				end()
			}
		case Progress:
			e.Pairs, e.Total, e.Epoch, e.MaxEpochs = int64(all.before+p.done), int64(all.before+float64(left)*p.total), 1, 1
			e.RunPairs, e.RunTotal, e.Elapsed = 0, 0, time.Since(all.start)
			all.step(e)
		}
	}}
	_, err = Fit(inner, Input{}, []Stage{{Name: StagePilot, Learner: p, Epochs: math.MaxInt, Pairs: p.total, Choose: selectEnd}}, o, monitor)
	all.before += p.done
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case p.diverged && len(all.scores) > 0: // too far in any case; the scores may be another optimizer's
		return nil
	}
	return err
}

// pilot is a learner whose rates rise, so that what their sum has grown to is all that its epochs differ in: they end, to be scored, where the
// sum has grown by √2.
type pilot struct {
	*skipGramLearner
	next func() (*walks.Batch, bool)
	stop func()

	lowest, highest float64 // sum of the rates,
	sum             float64 // that of now,
	due             float64 // and that at which the epoch ends
	total, done     float64 // pairs of the run, and those so far
	diverged        bool
}

// newPilot returns the pilot of a learner that has not begun. Batches come until ctx is done.
func newPilot(ctx context.Context, l *skipGramLearner, o Options) *pilot {
	lowest, highest := pilotSums(o.perPair())
	p := &pilot{skipGramLearner: l, lowest: lowest, highest: highest, due: lowest * math.Sqrt2, total: max(1, l.pairs*o.Pilot)}
	p.next, p.stop = iter.Pull(l.corpus.passesOn(ctx))
	return p
}

// rateSum returns the sum of the learning rates of a fraction of the pilot.
func (p *pilot) rateSum(fraction float64) float64 {
	curve := func(f float64) float64 { return p.lowest * math.Pow(p.highest/p.lowest, f) }
	if fraction < pilotRamp {
		return curve(pilotRamp) * fraction / pilotRamp
	}
	return curve(min(fraction, 1))
}

// Epoch trains until the sum of the rates is the one that is due, or the pilot over.
func (p *pilot) Epoch(ctx context.Context, _ int, step func(pairs int64, l engine.Loss)) error {
	asked := askedToLeave(ctx)
	for ctx.Err() == nil {
		b, ok := p.next()
		if asked.Err() != nil {
			break
		}
		if !ok {
			return fmt.Errorf("graphs: a pilot of %s found no pairs in the walks of its network: expected some", p.o.Method.Name)
		}
		before := p.rateSum(p.done / p.total)
		p.done += float64(b.Pairs)
		p.sum = p.rateSum(p.done / p.total)
		rate := p.sum - before
		if p.o.perPair() {
			rate *= float64(p.P.Rows) / float64(b.Pairs)
		}
		p.move.SetRate(rate)
		loss, err := p.step(asked, b)
		if err != nil && err == asked.Err() {
			break
		}
		if err != nil {
			p.diverged = true
			return err
		}
		step(int64(b.Pairs), loss)
		if p.sum >= p.due || p.done >= p.total {
			for p.due <= p.sum {
				p.due *= math.Sqrt2
			}
			break
		}
	}
	if asked.Err() != nil && ctx.Err() == nil {
		step(0, engine.Loss{})
	}
	return nil
}

// pilotLevel is by how much a score may be below the best and count as level with it: that of some hundred links is no finer.
const pilotLevel = 0.003

// BestOfPilot returns what a pilot's scores, in the order in which Pilot returns them, speak for: the optimizer with the best score, that
// score, and the geometric mean of all its sums of learning rates whose score is level with it. Each score counts as the mean of itself and
// its neighbours, so that no single one decides. There must be a score.
func BestOfPilot(scores []PilotScore) PilotScore {
	var best PilotScore
	for len(scores) > 0 {
		n := 1
		for n < len(scores) && scores[n].Optimizer == scores[0].Optimizer {
			n++
		}
		if s := bestRateSum(scores[:n]); best.Optimizer == "" || s.Score > best.Score {
			best = s
		}
		scores = scores[n:]
	}
	return best
}

// bestRateSum is BestOfPilot for the scores of one optimizer.
func bestRateSum(scores []PilotScore) PilotScore {
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
	return PilotScore{scores[0].Optimizer, math.Exp(logs / level), best}
}
