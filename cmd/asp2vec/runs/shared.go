package runs

import (
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// runOptions returns those of runs.
func runOptions(jobs []store.Job) []graphs.Options {
	return seq.Map(jobs, func(j store.Job) graphs.Options { return j.Options })
}

// TellOfShared warns where an edit of a loss or a layer changes all methods that have it: baselines are then no longer what they were.
func TellOfShared(p *shell.Program, runs ...graphs.Options) {
	var warming []string // losses of pairs that have been told of
	for _, o := range runs {
		if graphs.AlsoWarmsUp(o) && !slices.Contains(warming, o.PairLoss) {
			warming = append(warming, o.PairLoss)
			p.Log.Info("pair-loss "+o.PairLoss+" also trains the warm-up", "warm_up_as_published", "--warm-up-pair-loss "+graphs.Default().PairLoss)
		}
	}
	if why := run.NotPlain(); len(why) > 0 {
		p.Log.Warn("this build is not a plain one: its runs are known by the executable, and those of other builds are none of it", "why", strings.Join(why, "; "))
	}
	if len(run.EditedUnits()) == 0 || !slices.ContainsFunc(runs, run.Edited) {
		return
	}
	var touched []string
	for _, e := range run.Edits() {
		for _, changed := range e.Changes {
			if !slices.Contains(touched, changed) {
				touched = append(touched, changed)
			}
		}
	}
	p.Log.Warn("the program has been edited: runs that pass through edited code, warm-ups among them, are trained anew",
		"edited", strings.Join(run.EditedUnits(), ", "), "methods", strings.Join(touched, ", "))
}
