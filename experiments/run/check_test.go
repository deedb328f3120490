package run

import (
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/methods"
)

// No loss that comes with the program falls without a bound.
func TestLossesHaveABound(t *testing.T) {
	golden.StillPaper(t)
	var all []graphs.Options
	for _, m := range methods.All() {
		all = append(all, graphs.OptionsOf(m, graphs.Standard))
	}
	choose := func(option string, names []string) {
		for _, name := range names {
			o := graphs.OptionsOf(graphs.MethodOf(graphs.MethodAsp2vec), graphs.Standard)
			call.OK(t, o.Set(option, name))
			all = append(all, o)
		}
	}
	choose("pair-loss", losses.Pairs.Names())
	choose("regularizer", losses.Regularizers.Names())
	choose("selection", layers.Selections.Names())
	choose("readout", layers.Readouts.Names())
	for _, o := range all {
		models := call.Of(graphs.GuardModels(o))(t)
		for _, m := range models {
			for _, f := range guard.Check(m).Findings {
				if f.Status == guard.Warning || f.Status == guard.Failed {
					t.Errorf("%s, %s %s %s %s: %s: %s", o.Method.Name, o.PairLoss, o.Regularizer, o.Selection, o.Readout, f.Check, f.Detail)
				}
			}
		}
	}
}

// An edit of a pair loss changes the methods that have it, and the warm-ups of others.
func TestEdits(t *testing.T) {
	edits := editsOf([]string{"common", "losses.Pairs skipgram", "losses.Pairs hinge", "layers.Readouts mean"})
	for i, want := range [][]string{
		{"common: changes every method"},
		{"losses.Pairs skipgram: changes deepwalk, ", ", asp2vec, warm-up of asp2vec"},
		{"losses.Pairs hinge: changes only runs whose options choose it"},
		{"layers.Readouts mean: changes ", "asp2vec"},
	} {
		for _, part := range want {
			if got := edits[i].String(); !strings.Contains(got, part) {
				t.Errorf("%s: expected %q", got, part)
			}
		}
	}
	if slices.Contains(edits[1].Changes, "bpr") || slices.Contains(edits[3].Changes, "deepwalk") {
		t.Errorf("%v", edits)
	}
}
