package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
)

// Choose runs every candidate, and reports the one that scores best by the validation set: validation links, or
// test links under the paper's protocol. Where there is no validation set, a tenth of the training links is held out from every candidate
// and scores it at its end, and the best is trained once more on all of them, as it is with the option refit. Test links are looked at
// once, for that one, unless they choose. The record tells
// of all that were tried, and of those that failed. watch is told of each candidate, and returns what watches it. It returns
// the options of the one that is reported.
//
// A candidate that fails is passed over; if all do, the error is the last one's. If ctx is cancelled the outcome is the best
// of those that had finished, marked as interrupted, or what there is of the first.
func Choose(ctx context.Context, data Data, candidates []Candidate, protocol string, threads int, watch func(Candidate) Watch) (*Outcome, graphs.Options, error) {
	candidates = slices.Clone(candidates)
	held := false // whether links are held out from candidates for this alone
	for i := range candidates {
		o := &candidates[i].Options
		if o.Select == graphs.SelectLast && data.Bibliography == nil {
			held = true
			o.HoldOut = cmp.Or(o.HoldOut, HoldOutFraction)
		} else if o.Select == graphs.SelectLast {
			return nil, *o, fmt.Errorf("experiments: select = %q with candidates to choose from, on papers: want %q or %q", o.Select,
				graphs.SelectValidation, graphs.SelectTest)
		} else if o.Select != graphs.SelectValidation && o.Select != graphs.SelectTest {
			return nil, *o, fmt.Errorf("experiments: select = %q with candidates to choose from: want %q, %q or %q", o.Select,
				graphs.SelectLast, graphs.SelectValidation, graphs.SelectTest)
		}
	}
	var best, last *Outcome
	var chosen graphs.Options
	var failure error
	var tried []results.Candidate
	for i, c := range candidates {
		each := data
		each.Checkpoints = data.Checkpoints.of(fmt.Sprintf("try-%d", i+1))
		out, err := train(ctx, each, c.Options, protocol, threads, watch(c))
		if best == nil {
			last, chosen = out, c.Options
		}
		if errors.Is(err, ErrOtherRun) || errors.Is(err, ErrDamaged) {
			return out, c.Options, err
		}
		candidate := results.Candidate{Name: c.Name, Seconds: out.Record.TrainSeconds + out.Record.EvalSeconds}
		switch {
		case ctx.Err() != nil:
			if best == nil {
				failure = err // with whatever there is of the first
			} else {
				best.Result.Interrupted, best.Record.Interrupted = true, true
			}
		case err != nil:
			failure = fmt.Errorf("%s: %w", c.Name, err)
			candidate.Error = err.Error()
			tried = append(tried, candidate)
		default:
			candidate.Score = bestScore(out)
			tried = append(tried, candidate)
			if best == nil || candidate.Score > bestScore(best) {
				best, chosen = out, c.Options
			}
		}
		if ctx.Err() != nil {
			break
		}
	}
	if best == nil {
		last.Record.Tried = tried
		return last, chosen, last.finish(ctx, data, chosen, threads, failure)
	}
	if best.Result.Interrupted {
		best.Record.Tried = tried
		return best, chosen, best.finish(ctx, data, chosen, threads, nil)
	}
	if held {
		chosen.HoldOut = 0
		data.Checkpoints = data.Checkpoints.of("final")
		out, err := Run(ctx, data, chosen, protocol, threads, watch(Candidate{"the best of them, on all training links", chosen}))
		out.Record.Tried = tried
		return out, chosen, err
	}
	failure = best.again(ctx, data, chosen, threads, watch(Candidate{"the best of them, on all training links", chosen}))
	best.Record.Tried = tried
	return best, chosen, best.finish(ctx, data, chosen, threads, failure)
}

// bestScore returns what a candidate is chosen by.
func bestScore(out *Outcome) float64 {
	for _, name := range []string{ValidationPrefix + RankingChoice, ValidationAUC} {
		if score, ok := out.Record.Metrics[name]; ok {
			return score
		}
	}
	return out.Result.Stages[len(out.Result.Stages)-1].BestScore
}

// Candidate is one of several runs of which the best is to be reported.
type Candidate struct {
	Name    string // what sets it apart, such as "p=0.25 q=4"
	Options graphs.Options
}
