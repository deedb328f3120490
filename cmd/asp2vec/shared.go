package main

import (
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
)

// runOptions returns those of runs.
func runOptions(jobs []store.Job) []graphs.Options {
	return seq.Map(jobs, func(j store.Job) graphs.Options { return j.Options })
}

// tellOfShared says once, of all runs of a command, what else changes with what was changed for one thing: a loss of pairs that also trains
// the warm-up, or several methods; and an edit of a loss or a layer, of all methods that have it. Baselines are then no longer what
// they were.
func (p *program) tellOfShared(runs ...graphs.Options) {
	p.tellOfPairLosses(runs)
	if !slices.ContainsFunc(runs, run.Edited) {
		return
	}
	var touched []string
	for _, m := range methods.All() {
		if run.Edited(graphs.OptionsOf(m, graphs.Standard)) {
			touched = append(touched, m.Name)
		}
	}
	p.log.Warn("the program has been edited: runs that pass through edited code, warm-ups among them, are trained anew",
		"edited", strings.Join(run.EditedUnits(), ", "), "methods", strings.Join(touched, ", "))
}

// tellOfPairLosses is tellOfShared for losses of pairs that options name.
func (p *program) tellOfPairLosses(runs []graphs.Options) {
	add := func(list *[]string, name string) {
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
	}
	var warming, given, trained []string // losses of warm-ups, losses, and methods with one of them
	apart := false
	for _, o := range runs {
		if graphs.AlsoWarmsUp(o) {
			add(&warming, o.PairLoss)
			apart = apart || o.Method.Reads("warm-up-pair-loss")
		}
		if usual := graphs.OptionsOf(o.Method, graphs.Default).PairLoss; o.Method.Reads("pair-loss") && o.PairLoss != usual {
			add(&given, o.PairLoss)
			add(&trained, o.Method.Name)
		}
	}
	if len(warming) > 0 {
		var other []any
		if apart {
			other = []any{"warm_up_as_published", "--warm-up-pair-loss " + graphs.Default().PairLoss}
		}
		p.log.Info("pair-loss "+strings.Join(warming, ", ")+" also trains the warm-up", other...)
	}
	if len(trained) > 1 {
		p.log.Info("pair-loss "+strings.Join(given, ", ")+" trains several methods", "methods", strings.Join(trained, ", "))
	}
}
