package experiments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
)

// MaxCandidates is how many runs a choice may need, far above any use: a slip of the hand must not ask for a year.
const MaxCandidates = 1000

// Grid returns the options for every combination of values, each with what sets it apart. A setting is "option=value,value,…",
// with the names of options that the method reads. It returns an error for anything else, or for options that are out of
// range.
func Grid(o graphs.Options, settings []string) ([]Candidate, error) {
	method := o.Method
	grid := []Candidate{{Options: o}}
	seen := map[string]bool{"method": true, "seed": true, "select": true, "hold-out": true, "scoring": true} // what a choice must leave alone
	for _, setting := range settings {                                                                       // all of them before any is set: what is tried takes nothing back of what is tried beside it
		name, _, _ := strings.Cut(setting, "=")
		grid[0].Options.Give(name)
	}
	for _, setting := range settings {
		name, list, ok := strings.Cut(setting, "=")
		values := strings.Split(list, ",")
		switch {
		case !ok || name == "" || list == "":
			return nil, fmt.Errorf("experiments: try %q: want option=value,value", setting)
		case !method.Reads(name):
			return nil, fmt.Errorf("experiments: try %q: %s has no option %q: want one of %s", setting, method.Name, name, strings.Join(method.All(), ", "))
		case seen[name]:
			return nil, fmt.Errorf("experiments: try %q: want each option once, and none of method, seed, select, hold-out and scoring, by which runs do not compare", setting)
		case len(grid)*len(values) > MaxCandidates:
			return nil, fmt.Errorf("experiments: %d runs to choose from and more: want at most %d", len(grid)*len(values), MaxCandidates)
		}
		seen[name] = true
		var next []Candidate
		for _, c := range grid {
			for i, value := range values {
				if slices.Contains(values[:i], value) {
					return nil, fmt.Errorf("experiments: try %q: want each value once", setting)
				}
				with, err := c.with(name, value)
				if err != nil {
					return nil, err
				}
				next = append(next, with)
			}
		}
		grid = next
	}
	grid = withoutUnread(grid)
	for _, c := range grid {
		if _, err := c.Options.Resolve(); err != nil {
			return nil, fmt.Errorf("experiments: try %s: %w", c.Name, err)
		}
	}
	return grid, nil
}

// withoutUnread leaves out of candidates the hyperparameters that their entries do not read while those of another candidate do,
// and all but the first of those that are one then.
func withoutUnread(grid []Candidate) (all []Candidate) {
	seen := map[string]bool{}
	for _, c := range grid {
		var words []string
		unread := false
		for _, word := range strings.Fields(c.Name) {
			name, _, _ := strings.Cut(word, "=")
			h, ok := graphs.FindHyperparameter(name)
			reads := func(c Candidate) bool { return c.Options.ReadsHyperparameter(h) }
			if ok && !reads(c) && slices.ContainsFunc(grid, reads) {
				c.Options.SetHyperparameter(h.Key, h.Default)
				unread = true
			} else {
				words = append(words, word)
			}
		}
		if unread {
			c.Name = strings.Join(words, " ")
		}
		if !unread || !seen[c.Name] {
			all = append(all, c)
		}
		seen[c.Name] = true
	}
	return all
}

// Candidate is one of several runs of which the best is to be reported.
type Candidate struct {
	Name    string // what sets it apart, such as "p=0.25 q=4"
	Options graphs.Options
}

// with returns the candidate with one option set from text.
func (c Candidate) with(name, value string) (Candidate, error) {
	c.Name = strings.TrimSpace(c.Name + " " + name + "=" + value)
	declared, _ := optionOf(name)
	v, err := declared.Parse(value)
	if err != nil {
		return c, fmt.Errorf("experiments: try %s=%s: %w", name, value, err)
	}
	return c, c.Options.Set(name, v)
}

// Choose runs every candidate, and reports the one that scores best by the links that choose epochs: validation links, or
// test links under the paper's protocol. Where no links choose epochs, a tenth of the training links is held out from every candidate
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
	var tried []results.Trial
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
		trial := results.Trial{Name: c.Name, Seconds: out.Record.TrainSeconds + out.Record.EvalSeconds}
		switch {
		case ctx.Err() != nil:
			if best == nil {
				failure = err // with whatever there is of the first
			} else {
				best.Result.Interrupted, best.Record.Interrupted = true, true
			}
		case err != nil:
			failure = fmt.Errorf("%s: %w", c.Name, err)
			trial.Error = err.Error()
			tried = append(tried, trial)
		default:
			trial.Score = bestScore(out)
			tried = append(tried, trial)
			if best == nil || trial.Score > bestScore(best) {
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
	for _, name := range []string{ValidationPrefix + RankingChoice, validationAUC} {
		if score, ok := out.Record.Metrics[name]; ok {
			return score
		}
	}
	return out.Result.Stages[len(out.Result.Stages)-1].BestScore
}
